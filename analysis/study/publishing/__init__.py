# SPDX-License-Identifier: GPL-2.0-only
"""What goes into results/ and beside it."""
