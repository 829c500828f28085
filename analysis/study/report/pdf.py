# SPDX-License-Identifier: GPL-2.0-only
"""Report as PDF, set by Typst with the fonts of Typst and matplotlib, so that every machine
gives the same pages. Also measures how full each page is."""

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from study.base.errors import StudyError
from study.report.content import ROOM
from study.report.outline import outline

# Of the appendix in points: 8, and what is next to it, down and up.
SIZES = [size / 10 for size in sorted(range(75, 86), key=lambda size: abs(size - 80))]
EMPTIEST = 1 / 3  # largest empty fraction of a page
DPI = 30  # resolution of the pages that are measured
STRIP_MM = 5  # height of a strip, larger than the gap between two lines
MARGIN_MM = 18


def pdf(content: Mapping) -> bytes:
    """Return the PDF with the first text size at which no page is more than a third empty; if there
    is none, with the size whose pages are fullest."""
    return _set(content, chosen_size(content), "pdf")


def chosen_size(content: Mapping) -> float:
    tried: list[tuple[float, float]] = []
    for size in SIZES:
        emptiest = max(map(empty_share, pages(content, size)))
        if emptiest <= EMPTIEST:
            return size
        tried.append((emptiest, size))
    return min(tried)[1]


def pages(content: Mapping, size: float) -> list[bytes]:
    """Return the pages as PNG pictures."""
    made = _set(content, size, "png", ppi=DPI)
    return [made] if isinstance(made, bytes) else list(made)


def empty_share(page: bytes) -> float:
    """Return the empty fraction of a page, a PNG, within its margins."""
    from matplotlib.image import imread

    ink = imread(io.BytesIO(page))[..., :3].min(axis=2) < 0.9
    mm = DPI / 25.4
    inside = ink[round(MARGIN_MM * mm) : round(-MARGIN_MM * mm)].any(axis=1)
    high = round(STRIP_MM * mm)
    strips = [inside[begin : begin + high] for begin in range(0, len(inside), high)]
    return sum(not strip.any() for strip in strips) / len(strips)


def _set(content: Mapping, size: float, form: str, **look: float) -> bytes | Sequence[bytes]:
    import matplotlib
    import typst

    try:
        return typst.compile(
            str(ROOM / "report.typ"),
            root=str(ROOM),
            format=form,
            font_paths=[str(Path(matplotlib.get_data_path(), "fonts", "ttf"))],
            ignore_system_fonts=True,
            sys_inputs={"content": as_json(content), "small": str(size)},
            **look,
        )
    except typst.TypstError as error:
        raise StudyError(f"the report cannot be set: {error}") from error


def as_json(content: Mapping) -> str:
    """Return what Typst sets as JSON, without the figures' PDF, which only LaTeX uses."""
    told = {key: content[key] for key in ("words", "byline", "language")}
    return json.dumps(told | {"blocks": outline(content)}, default=lambda _: None)
