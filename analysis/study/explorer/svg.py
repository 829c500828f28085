# SPDX-License-Identifier: GPL-2.0-only
"""SVG as text: matplotlib takes longer for a figure than a slider may take to move."""

from collections.abc import Sequence
from html import escape
from math import cos, pi, sin

Point = tuple[float, float]


def element(name: str, inner: str = "", **attributes: object) -> str:
    """One element; an underscore in an attribute's name stands for a hyphen."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_text(value))}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{inner}</{name}>"


def text(words: str, x: float, y: float, **attributes: object) -> str:
    """Words with their base line at (x, y)."""
    return element("text", escape(words), x=x, y=y, **attributes)


def line(start: Point, end: Point, **attributes: object) -> str:
    return element("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], **attributes)


def polyline(points: Sequence[Point], **attributes: object) -> str:
    at = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return element("polyline", points=at, fill="none", **attributes)


def arrow(start: Point, end: Point, colour: str, **attributes: object) -> str:
    """A line with a head at its end."""
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5 or 1.0
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    base = (end[0] - 7 * along[0], end[1] - 7 * along[1])
    sides = [(base[0] - 3 * along[1], base[1] + 3 * along[0])]
    sides.append((base[0] + 3 * along[1], base[1] - 3 * along[0]))
    head = " ".join(f"{x:.1f},{y:.1f}" for x, y in [end, *sides])
    return line(start, end, stroke=colour, **attributes) + element(
        "polygon", points=head, fill=colour
    )


def cross(x: float, y: float, radius: float, colour: str) -> str:
    """Of two strokes: what comes here goes no further."""
    stroke = {"stroke": colour, "stroke_width": 2}
    down = line((x - radius, y - radius), (x + radius, y + radius), **stroke)
    return down + line((x - radius, y + radius), (x + radius, y - radius), **stroke)


def star(x: float, y: float, radius: float, **attributes: object) -> str:
    """A star of five points."""
    turns = [(radius if place % 2 == 0 else radius * 0.42, place * pi / 5) for place in range(10)]
    points = " ".join(f"{x + r * sin(turn):.1f},{y - r * cos(turn):.1f}" for r, turn in turns)
    return element("polygon", points=points, **attributes)


def hatch(name: str, colour: str, marks: str) -> str:
    """A pattern to fill with, `url(#name)`: matplotlib's hatch of those letters on a colour."""
    size = 4 + 16 // (len(marks) or 4)  # denser the more letters
    strokes = {
        "/": f"M-1,1 l2,-2 M0,{size} L{size},0 M{size - 1},{size + 1} l2,-2",
        "\\": f"M-1,{size - 1} l2,2 M0,0 L{size},{size} M{size - 1},-1 l2,2",
        "-": f"M0,{size / 2} h{size}",
        "|": f"M{size / 2},0 v{size}",
    }
    strokes["x"], strokes["+"] = strokes["/"] + strokes["\\"], strokes["-"] + strokes["|"]
    radii = {".": 1, "*": 1.6, "o": 2.2, "O": size / 3}
    parts = [element("rect", width=size, height=size, fill=colour)]
    kind = marks[:1]
    if kind in strokes:
        parts.append(element("path", d=strokes[kind], fill="none", stroke="#000000"))
    elif kind:
        fill = "none" if kind in "oO" else "#000000"
        middle = {"cx": size / 2, "cy": size / 2, "r": radii[kind]}
        parts.append(element("circle", **middle, fill=fill, stroke="#000000", stroke_width=0.8))
    square = {"width": size, "height": size, "patternUnits": "userSpaceOnUse"}
    return element("pattern", "".join(parts), id=name, **square)


def picture(width: float, height: float, label: str, *parts: str) -> str:
    """The whole; `label` is what a screen reader says of it."""
    return element(
        "svg",
        "".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=label,
        font_family="DejaVu Sans, Verdana, sans-serif",
        font_size="12",
        fill="#1a1a1a",
    )


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
