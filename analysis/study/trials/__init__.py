# SPDX-License-Identifier: GPL-2.0-only
"""What would change a job's rate, found by simulating it: one engine for every question."""
