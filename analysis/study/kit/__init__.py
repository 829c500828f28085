# SPDX-License-Identifier: GPL-2.0-only
"""Declarations that a scenario's Python module may make, and the tools for them."""
