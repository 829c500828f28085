# SPDX-License-Identifier: GPL-2.0-only
"""Python side of the scenarios: one package for each, found by its name."""
