# SPDX-License-Identifier: GPL-2.0-only
"""Answers about a system: explain, what-if, the outcome of a run, the overview."""
