# SPDX-License-Identifier: GPL-2.0-only
"""The command `study`, a module a family of commands."""
