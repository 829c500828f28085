# SPDX-License-Identifier: GPL-2.0-only
"""The study's Python side: runs scenarios, compares them with what was measured, and draws."""

from analysis.errors import StudyError
from analysis.frames import to_xarray
from analysis.system import Measured, Result, Setting, System, systems

__all__ = ["Measured", "Result", "Setting", "StudyError", "System", "systems", "to_xarray"]
