# SPDX-License-Identifier: GPL-2.0-only
"""The one front end: controls, number, limits, curve and packets over whatever simulates. Its
scripts are put into a page one after the other, and know nothing of a network."""
