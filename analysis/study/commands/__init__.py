# SPDX-License-Identifier: GPL-2.0-only
"""The command `study`, with one module for each family of commands."""
