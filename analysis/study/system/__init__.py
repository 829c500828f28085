# SPDX-License-Identifier: GPL-2.0-only
"""A TOML file as an object that can be changed and run, with what was measured and its sources."""
