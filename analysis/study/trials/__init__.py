# SPDX-License-Identifier: GPL-2.0-only
"""Search by simulation for changes of a job's rate: one engine for every question."""
