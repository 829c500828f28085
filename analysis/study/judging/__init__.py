# SPDX-License-Identifier: GPL-2.0-only
"""Comparison of runs with closed forms and measurements."""
