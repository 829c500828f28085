# SPDX-License-Identifier: GPL-2.0-only
"""What the Relook's simulated rate rests on: each assumed input at the ends of its range, and all
of them at once."""

from typing import TYPE_CHECKING

from study.catalogue import systems
from study.drawing import style
from study.runs.batch import run_batch
from study.scenarios.file_send import formulas as file_send
from study.scenarios.file_send.formulas import FileSend
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd

SYSTEM = "relook-400s"
ALL = "all of them"
CAPTION = (
    "Rate of a download from the Relook 400s with each assumed input at the lower and upper end of "
    "what it could reasonably be, the others as assumed; and with all at the end that slows or "
    "speeds. Bars: simulated; diamonds: closed form; line: all as assumed; band: as measured "
    "(source: the report on the Relook wiki). The source gives no more than the disk's rate, the "
    "16-bit words and who moves them. The measured rate lies well inside what these leave open: "
    "the costs explain it, they do not determine it."
)
CLOSED_FORM = {"marker": "D", "color": "white", "markeredgecolor": "black", "markersize": 3.5}


def draw() -> style.Drawing:
    """A bar an input, the widest on top."""
    from matplotlib.figure import Figure

    system = systems[SYSTEM]
    table = sweep(system)
    bars = table[table.parameter != ""].pivot(index="parameter", columns="end")
    width = (bars.throughput_Bps["high"] - bars.throughput_Bps["low"]).abs()
    names = [*width[width > 0].drop(ALL).sort_values().index, ALL]
    figure = Figure(figsize=(style.PAGE_IN, 3.4), layout="constrained")
    axes = figure.subplots()
    measured = next(each for each in system.measured if each.low is not None)
    axes.axvspan(measured.low, measured.high, color="0.88", zorder=0)
    base = table[table.parameter == ""].throughput_Bps.item() / 1000
    for place, name in enumerate(names):
        ends = {end: bars.loc[name, ("throughput_Bps", end)] / 1000 for end in ("low", "high")}
        begin, length = min(ends.values()), abs(ends["high"] - ends["low"])
        colour = style.DATA if name == ALL else "#56B4E9"
        axes.barh(place, length, left=begin, height=0.55, color=colour)
        closed = [bars.loc[name, ("closed_form_Bps", end)] / 1000 for end in ("low", "high")]
        axes.plot(closed, [place] * 2, linestyle="", zorder=4, **CLOSED_FORM)
        for end, value in ends.items():
            text = bars.loc[name, ("value", end)]
            side = "left" if value == max(ends.values()) else "right"
            at = {"xytext": (6 if side == "left" else -6, 0), "textcoords": "offset points"}
            axes.annotate(text, (value, place), ha=side, va="center", **at)
    axes.axvline(base, color="black", linewidth=0.8)
    axes.set_yticks(range(len(names)), [_shown(system, name) for name in names])
    axes.set_xlabel("rate of the download (kB/s)")
    axes.set_xlim(900, 3200)
    return style.Drawing(figure, table, CAPTION)


def sweep(system: System) -> "pd.DataFrame":
    """One transfer an end of each range; then all inputs at the slow and the fast end."""
    import pandas as pd

    ranges = {key: setting.range for key, setting in system.settings.items() if setting.range}
    points = [("", "", {})]
    for key, (low, high) in ranges.items():
        points += [(key, "low", {key: low}), (key, "high", {key: high})]
    # More clock is fast, more of anything else is slow.
    fast = {key: ends[key == "cpu_clock"] for key, ends in ranges.items()}
    slow = {key: ends[key != "cpu_clock"] for key, ends in ranges.items()}
    points += [(ALL, "low", slow), (ALL, "high", fast)]
    flags = [system.with_(**changes).flags() for _, _, changes in points]
    rows = []
    records = run_batch(system.scenario, flags, "what the rate rests on")
    for (name, end, changes), record in zip(points, records, strict=True):
        result = system.result(record)
        closed_form_Bps = file_send.rate_Bps(FileSend.of(result.parameters))
        texts = {ALL: "slow" if end == "low" else "fast", "": ""}
        value = texts.get(name) or "".join(f"{number:g}" for number in changes.values())
        row = (name, end, value, result.outcome, result.throughput_Bps, closed_form_Bps)
        rows.append(row)
    columns = ["parameter", "end", "value", "outcome", "throughput_Bps", "closed_form_Bps"]
    return pd.DataFrame(rows, columns=columns)


def _shown(system: System, name: str) -> str:
    """The parameter as a reader wants it, with its assumed value."""
    if name == ALL:
        return name
    setting = system.settings[name]
    return f"{name.replace('_', ' ')}: {setting.value} {setting.unit}".rstrip()
