# SPDX-License-Identifier: GPL-2.0-only
"""A run beside paper and measurement."""
