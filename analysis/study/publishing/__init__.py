# SPDX-License-Identifier: GPL-2.0-only
"""Making of results/ and of the files beside it."""
