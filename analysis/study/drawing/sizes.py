# SPDX-License-Identifier: GPL-2.0-only
"""Sizes of a figure: by the name of its place, or in millimetres."""

import re
from dataclasses import dataclass

from study.base.errors import StudyError


@dataclass(frozen=True)
class Size:
    """Size of a figure. On a page the figure chooses its own height (`height_in` is None); on a
    slide it fills the slide. `arranged` names the size whose arrangement of panels is used."""

    width_in: float
    dpi: int
    height_in: float | None = None
    arranged: str = ""


COLUMN_IN = 3.5
PAGE_IN = 7.2
SIZES = {
    "column": Size(COLUMN_IN, dpi=300, arranged="column"),
    "page": Size(PAGE_IN, dpi=200, arranged="page"),
    # Half of a slide of 13.33 x 7.5 in: put there, letters of 8 points have 16, and all else grows
    # with them. 1920 x 1080 pixels.
    "slide": Size(20 / 3, dpi=288, height_in=3.75, arranged="slide"),
}
# A page's, to be enlarged three times: then its letters have 24 points.
NAMED = SIZES | {"poster": Size(PAGE_IN, dpi=600, arranged="page")}
INCHES = {"mm": 1 / 25.4, "cm": 1 / 2.54, "in": 1.0}
LENGTH = r"(\d+\.?\d*|\.\d+) ?(mm|cm|in)"
NARROW_IN = 5.0  # below it panels stand one above the other
LEAST_IN, MOST_IN = 2.0, 40.0  # letters of 7 points on less touch
OWN_DPI = 300


def size(text: str) -> Size:
    """Return the size of a text: "85mm", "88mm x 60mm", or one of the names."""
    if text in NAMED:
        return NAMED[text]
    match = re.fullmatch(rf"\s*{LENGTH}(?:\s*x\s*{LENGTH})?\s*", text)
    if not match:
        names = ", ".join(NAMED)
        raise StudyError(f"size {text!r} is not {names} or a length as in 85mm or 88mm x 60mm")
    width, unit, height, its_unit = match.groups()
    width_in = float(width) * INCHES[unit]
    height_in = float(height) * INCHES[its_unit] if height else None
    for each in (width_in, height_in):
        if each is not None and not LEAST_IN <= each <= MOST_IN:
            raise StudyError(
                f"size {text!r} is out of range; give {LEAST_IN * 25.4:.0f} to "
                f"{MOST_IN * 25.4:.0f} mm"
            )
    arranged = "column" if width_in < NARROW_IN else "page"
    return Size(width_in, OWN_DPI, height_in, arranged)
