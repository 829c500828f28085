# SPDX-License-Identifier: GPL-2.0-only
"""Captures of transfers: files of several forms as the packets of their TCP connections."""

from study.captures.reading import Capture, read

__all__ = ["Capture", "read"]
