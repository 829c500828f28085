# SPDX-License-Identifier: GPL-2.0-only
"""Residuals of the whole study: every measured figure of every system beside its simulation.

From fresh runs, which a test holds against results/reproduction.csv.
"""

from statistics import median

from study.drawing import marks, style
from study.judging import reproduction
from study.judging.reproduction import Row
from study.system.measured import QUOTED

LINEAR_PCT = 1.0  # up to here the axis is linear, so that 0 can be shown
TICKS_PCT = [-1000, -100, -10, -1, 0, 1, 10, 100, 1000]
LOOKS = {
    "prediction": {"marker": "D", "color": "black", "markersize": 4},
    "input": {"marker": "o", "color": "white", "markeredgecolor": "black", "markersize": 4},
}
COLUMNS = ["system", "quantity", "used_as", "residual_pct", "draws", "draws_low", "draws_high"]
NEAR_PCT = 5
EXACT_PCT = 0.01  # nearer ones are one line
ROW_IN, LEAST_ROW_IN = 0.137, 0.105  # the least is that of letters of 7 points
MOST_IN = 8.4  # of all rows, so that caption and figure fit on a page

TITLE = (
    "Half of the {count} predicted figures are within {median:.1f} % of what was measured, "
    "{inside} within {near} %; the furthest is {worst:+.0f} % off"
)
CAPTION = (
    "How far the simulation is from every figure that a source at hand gives, in percent of the "
    "measurement; the axis is linear up to 1 % and logarithmic beyond. Diamonds: predictions, from "
    "which no parameter was set; circles: inputs, from which one was set, alone or as one of a "
    "sample whose median was taken. Those within {exact} % are one line each. Bars: where the "
    "figure is random, from the least to the most of several seeds. Sources: each "
    "figure's, in the system files."
)


def draw() -> style.Drawing:
    """On a page a line for every figure, predictions first, the largest residual on top; where
    there is less room, a line for every system."""
    import pandas as pd

    rows = [row for row in reproduction.rows() if row["basis"] != QUOTED]
    table = pd.DataFrame(rows)[COLUMNS]
    shown = [row for row in rows if row["residual_pct"]]
    shown.sort(key=lambda row: (list(LOOKS).index(row["used_as"]), -abs(_pct(row))))
    plot = _by_figure if style.size() == "page" else _by_system
    return style.Drawing(plot(shown), table, CAPTION.format(exact=EXACT_PCT), _title(shown))


def _title(rows: list[Row]) -> str:
    off = [_pct(row) for row in rows if row["used_as"] == "prediction"]
    words = {"count": len(off), "median": median(map(abs, off)), "worst": max(off, key=abs)}
    inside = sum(abs(pct) <= NEAR_PCT for pct in off)
    return TITLE.format(inside=inside, near=NEAR_PCT, **words)


def _by_figure(rows: list[Row]) -> style.Figure:
    rows, every = _grouped(rows), rows
    row_in = max(LEAST_ROW_IN, min(ROW_IN, MOST_IN / len(rows)))
    figure, axes = style.one(1.1 + row_in * len(rows))
    for place, row in enumerate(rows):
        _draws(axes, place, row)
        axes.plot(_pct(row), place, linestyle="", clip_on=False, zorder=3, **LOOKS[row["used_as"]])
        axes.plot([0, _pct(row)], [place, place], color="0.6", linewidth=0.6, zorder=1)
        text = f"{_pct(row):+.2f} %"
        right = {"xycoords": ("axes fraction", "data"), "va": "center", "ha": "right"}
        marks.note(axes, text, (1, place), (44, 0), fontsize=7, **right)
    names = [f"{row['quantity']}  ({row['system']})".removesuffix("  ()") for row in rows]
    axes.set_yticks(range(len(rows)), names)
    first_input = sum(row["used_as"] == "prediction" for row in rows)
    axes.axhline(first_input - 0.5, color="0.4", linewidth=0.6, linestyle=":")
    axes.set_ylim(len(rows) - 0.4, -0.6)
    _finish(figure, axes, every)
    return figure


def _grouped(rows: list[Row]) -> list[Row]:
    """Of each kind one row in the place of those that are as good as exact."""
    found = []
    for used_as in LOOKS:
        own = [row for row in rows if row["used_as"] == used_as]
        exact = [row for row in own if abs(_pct(row)) <= EXACT_PCT]
        found += [row for row in own if row not in exact]
        if exact:
            systems = len({row["system"] for row in exact})
            quantity = f"{len(exact)} {used_as}s of {systems} systems"
            found.append(exact[0] | {"quantity": quantity, "system": "", "residual_pct": "0.00"})
    return found


def _draws(axes: style.Axes, place: float, row: Row) -> None:
    """What the figure comes to under other seeds."""
    if row["draws_low"]:
        measured = float(row["simulated"]) / (1 + _pct(row) / 100)
        ends = [100 * (float(row[name]) / measured - 1) for name in ("draws_low", "draws_high")]
        axes.plot(ends, [place, place], color=style.DATA, linewidth=3, alpha=0.5, zorder=2)


def _by_system(rows: list[Row]) -> style.Figure:
    names = sorted({row["system"] for row in rows})
    figure, axes = style.one(1.0, 1.3 + 0.3 * len(names))
    for place, name in enumerate(names):
        own = [row for row in rows if row["system"] == name]
        for used_as, look in LOOKS.items():
            shift = -0.14 if used_as == "prediction" else 0.14
            values = [_pct(row) for row in own if row["used_as"] == used_as]
            for row in own:
                if row["used_as"] == used_as:
                    _draws(axes, place + shift, row)
            at = (values, [place + shift] * len(values))
            axes.plot(*at, linestyle="", clip_on=False, zorder=3, **look)
        axes.axhline(place + 0.5, color="0.9", linewidth=0.5)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    _finish(figure, axes, rows)
    return figure


def _finish(figure: style.Figure, axes: style.Axes, rows: list[Row]) -> None:
    from matplotlib.lines import Line2D

    axes.set_xscale("symlog", linthresh=LINEAR_PCT, linscale=0.7)
    largest = max([100.0, *(abs(_pct(row)) for row in rows)]) * 1.3
    axes.set_xlim(-largest, largest)
    ticks = [tick for tick in TICKS_PCT if abs(tick) <= largest]
    axes.set_xticks(ticks, [f"{tick:+d}" if tick else "0" for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.axvline(0, color="black", linewidth=0.6, zorder=0)
    axes.grid(axis="x", which="major", color="0.92", linewidth=0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(f"simulated less measured{style.fold()}(% of measured)")
    handles = [Line2D([], [], linestyle="", label=name, **look) for name, look in LOOKS.items()]
    handles.append(Line2D([], [], color=style.DATA, linewidth=3, alpha=0.5, label="other seeds"))
    figure.legend(handles=handles, loc="outside upper center", ncols=3)


def _pct(row: Row) -> float:
    return float(row["residual_pct"])
