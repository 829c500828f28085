# SPDX-License-Identifier: GPL-2.0-only
"""The method of the study in one picture: from a source to three judges of every figure."""

from study.drawing import style

# Each box: place on a grid of 3 x 3 (column, row from below), text, colour.
BOXES = {
    "source": ((0, 1), "source\ntrace, article, note", "#FFFFFF"),
    "parameters": ((1, 2), "parameters\nmeasured, derived,\nassumed", "#E8F1F8"),
    "figures": ((1, 0), "measured figures\ninputs, predictions", "#E8F1F8"),
    "closed form": ((2, 2), "closed form", "#F7E9D7"),
    "simulation": ((2, 1), "simulation\npackets in ns-3", "#F7E9D7"),
    "measurement": ((2, 0), "measurement", "#F7E9D7"),
    "residual": ((3, 1), "residual\nwhat limits,\nwhat if", "#DDEFE6"),
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
HIGH = 0.72
TITLE = (
    "Every figure of a source is judged three times: as measured, by formula and by simulated "
    "packets"
)
CAPTION = (
    "The method. A source gives parameters and figures; the parameters go two independent ways, "
    "and the three judges of a figure meet in its residual. A figure that a parameter was set from "
    "is marked as an input: for it the ways are not independent."
)


def draw() -> style.Drawing:
    """Boxes and arrows, from left to right or, in a column, downwards; the table has the arrows."""
    import pandas as pd

    down = style.narrow()
    figure = style.figure(2.5, 3.4)
    axes = figure.subplots()
    axes.set(xlim=(-0.5, 2.5) if down else (-0.42, 3.42), ylim=(-3.4, 0.4) if down else (-0.4, 2.8))
    axes.axis("off")
    at = {name: (y, -x) if down else (x, y) for name, ((x, y), _, _) in BOXES.items()}
    wide = 0.92 if down else 0.78
    for name, (_, text, colour) in BOXES.items():
        _box(axes, at[name], wide, text, colour)
    reach = (0, -HIGH / 2) if down else (wide / 2, 0)
    for start, end in ARROWS:
        (x, y), (to_x, to_y), (across, up) = at[start], at[end], reach
        look = {"arrowstyle": "-|>", "linewidth": 0.8, "color": "black", "shrinkA": 1, "shrinkB": 1}
        axes.annotate("", (to_x - across, to_y - up), (x + across, y + up), arrowprops=look)
    if not down:
        axes.text(2, 2.6, "three judges", ha="center", va="center", style="italic")
    table = pd.DataFrame(ARROWS, columns=["from", "to"])
    return style.Drawing(figure, table, CAPTION, TITLE)


def _box(axes: style.Axes, at: tuple[float, float], wide: float, text: str, colour: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    x, y = at
    look = {"boxstyle": "round,pad=0,rounding_size=0.06", "facecolor": colour}
    corner = (x - wide / 2, y - HIGH / 2)
    axes.add_patch(FancyBboxPatch(corner, wide, HIGH, edgecolor="black", linewidth=0.7, **look))
    title, _, rest = text.partition("\n")
    shift = 0.12 + 0.06 * rest.count("\n") if rest else 0
    axes.text(x, y + shift, title, ha="center", va="center", weight="bold", fontsize=7.5)
    if rest:
        axes.text(x, y + shift - 0.09, rest, ha="center", va="top", fontsize=7, linespacing=1.1)
