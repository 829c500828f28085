# SPDX-License-Identifier: GPL-2.0-only
"""The method of the study in one picture: from a source to three judges of every figure."""

from typing import TYPE_CHECKING

from analysis import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Each box: place on a grid of 3 x 3 (column, row from below), text, colour.
BOXES = {
    "source": ((0, 1), "source\ntrace, article, note", "#FFFFFF"),
    "parameters": ((1, 2), "parameters\nmeasured, derived,\nassumed", "#E8F1F8"),
    "figures": ((1, 0), "measured figures\ninputs, predictions", "#E8F1F8"),
    "closed form": ((2, 2), "closed form\non paper", "#F7E9D7"),
    "simulation": ((2, 1), "simulation\npackets in ns-3", "#F7E9D7"),
    "measurement": ((2, 0), "measurement", "#F7E9D7"),
    "residual": ((3, 1), "residual,\nwhat limits,\nwhat if", "#DDEFE6"),
}
ARROWS = [
    ("source", "parameters"),
    ("source", "figures"),
    ("parameters", "closed form"),
    ("parameters", "simulation"),
    ("figures", "measurement"),
    ("closed form", "residual"),
    ("simulation", "residual"),
    ("measurement", "residual"),
]
WIDE, HIGH = 0.76, 0.62
CAPTION = (
    "The method. A source gives parameters and figures; the parameters go two independent ways, "
    "and the three judges of a figure meet in its residual. A figure that a parameter was set from "
    "is marked as an input: for it the ways are not independent."
)


def draw() -> style.Drawing:
    """Boxes and arrows; the table has the arrows."""
    import pandas as pd

    figure = style.figure(2.5, 1.9)
    axes = figure.subplots()
    axes.set(xlim=(-0.42, 3.42), ylim=(-0.45, 2.75))
    axes.axis("off")
    for (column, row), text, colour in BOXES.values():
        _box(axes, column, row, _fold(text), colour)
    for start, end in ARROWS:
        _arrow(axes, BOXES[start][0], BOXES[end][0])
    axes.text(2, 2.6, "three judges", ha="center", va="center", style="italic")
    return style.Drawing(figure, pd.DataFrame(ARROWS, columns=["from", "to"]), CAPTION)


def _fold(text: str) -> str:
    return text.replace(" ", "\n", 1) if style.size() == "column" else text


def _box(axes: "Axes", column: float, row: float, text: str, colour: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    corner = (column - WIDE / 2, row - HIGH / 2)
    look = {"boxstyle": "round,pad=0,rounding_size=0.06", "facecolor": colour}
    axes.add_patch(FancyBboxPatch(corner, WIDE, HIGH, edgecolor="black", linewidth=0.7, **look))
    title, _, rest = text.partition("\n")
    shift = 0.03 * rest.count("\n") + 0.1 if rest else 0
    axes.text(column, row + shift, title, ha="center", va="center", weight="bold")
    axes.text(column, row - 0.1, rest, ha="center", va="center", fontsize=7)


def _arrow(axes: "Axes", start: tuple[int, int], end: tuple[int, int]) -> None:
    tail, tip = (start[0] + WIDE / 2, start[1]), (end[0] - WIDE / 2, end[1])
    look = {"arrowstyle": "-|>", "linewidth": 0.8, "color": "black", "shrinkA": 1, "shrinkB": 1}
    axes.annotate("", tip, tail, arrowprops=look)
