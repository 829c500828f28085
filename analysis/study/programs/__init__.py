# SPDX-License-Identifier: GPL-2.0-only
"""A scenario's program: what it declares, one run, a value's notation, the segment table."""
