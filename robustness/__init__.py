# SPDX-License-Identifier: GPL-2.0-only
"""Trials of what may not break the study: damaged files, malformed frames and requests, kills."""
