# SPDX-License-Identifier: GPL-2.0-only
"""A capture of somebody's slow transfer as a sentence, a time budget, and a system to change."""
