# SPDX-License-Identifier: GPL-2.0-only
"""Front end of all pages: controls, number, limits, curve and packets over any engine. Its
scripts are put into a page one after the other and use no network."""
