# SPDX-License-Identifier: GPL-2.0-only
"""What every room uses: errors, folders, TOML with line numbers, units."""
