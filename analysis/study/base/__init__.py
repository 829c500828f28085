# SPDX-License-Identifier: GPL-2.0-only
"""Basics that every other package uses: errors, folders, TOML with line numbers, units."""
