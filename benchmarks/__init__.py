# SPDX-License-Identifier: GPL-2.0-only
"""How fast the study is, beside what one would use without it: `./waf benchmark`."""
