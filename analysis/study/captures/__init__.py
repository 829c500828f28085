# SPDX-License-Identifier: GPL-2.0-only
"""Captures of transfers: files of several forms as the packets of their TCP connections."""

from study.captures.anonymous import Anonymised, anonymise
from study.captures.reading import Capture, read

__all__ = ["Anonymised", "Capture", "anonymise", "read"]
