# SPDX-License-Identifier: GPL-2.0-only
"""What `from analysis import ...` finds since the package is called study: a sentence."""

raise ImportError("the package is called study now: write `from study import systems`")
