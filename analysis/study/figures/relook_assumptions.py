# SPDX-License-Identifier: GPL-2.0-only
"""What the Relook's simulated rate rests on: each assumed input at the ends of its range, and all
of them at once."""

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.job_table import rates, swept
from study.drawing.system_facts import measured
from study.programs.labels import spelt
from study.scenarios.file_send import formulas as file_send
from study.system.system import System

SYSTEM = "relook-400s"
ALL = "all of them"
TITLE = (
    "What the source leaves open moves the Relook's rate from {low:.1f} to {high:.1f} MB/s, the "
    "{widest} of its bus most"
)
CAPTION = (
    "Rate of a download from the Relook 400s with each assumed input at the lower and upper end of "
    "what it could reasonably be, the others as assumed; and with all at the end that slows or "
    "speeds. Bars: simulated; diamonds: closed form; line: all as assumed; band: as measured "
    "(source: the report on the Relook wiki). The source gives no more than the disk's rate, the "
    "16-bit words and who moves them. The measured rate lies well inside what these leave open: "
    "the costs explain it, they do not determine it."
)


def draw() -> style.Drawing:
    """Draw a bar an input, the widest on top."""
    system = systems[SYSTEM]
    table = sweep(system)
    bars = table[table.parameter != ""].pivot(index="parameter", columns="end")
    width = (bars.throughput_Bps["high"] - bars.throughput_Bps["low"]).abs()
    names = [*width[width > 0].drop(ALL).sort_values().index, ALL]
    figure, axes = style.one(3.4)
    source = measured(system, "download_rate")
    axes.axvspan(source.low, source.high, color="0.88", zorder=0)
    base = table[table.parameter == ""].throughput_Bps.item() / 1000
    for place, name in enumerate(names):
        ends = {end: bars.loc[name, ("throughput_Bps", end)] / 1000 for end in ("low", "high")}
        begin, length = min(ends.values()), abs(ends["high"] - ends["low"])
        colour = style.DATA if name == ALL else "#56B4E9"
        axes.barh(place, length, left=begin, height=0.55, color=colour)
        closed = [bars.loc[name, ("closed_form_Bps", end)] / 1000 for end in ends]
        marks.points(axes, closed, [place] * 2, marks.DIAMOND | {"markersize": 3.5})
        for end, value in ends.items():
            text = bars.loc[name, ("value", end)]
            side, shift = ("left", 6) if value == max(ends.values()) else ("right", -6)
            marks.note(axes, text, (value, place), (shift, 0), ha=side, va="center")
    axes.axvline(base, color="black", linewidth=0.8)
    own = ((name, system.settings[name]) for name in names[:-1])
    labels = [f"{spelt(name)}: {each.value} {each.unit}".rstrip() for name, each in own]
    axes.set_yticks(range(len(names)), [*labels, ALL])
    axes.set(xlabel="rate of the download (kB/s)", xlim=(900, 3200))
    rates_Bps = bars.loc[ALL].throughput_Bps / 1e6
    words = {"low": rates_Bps.min(), "high": rates_Bps.max(), "widest": spelt(names[-2])}
    return style.Drawing(figure, table, CAPTION, TITLE.format(**words))


def sweep(system: System) -> style.Table:
    """Run one transfer an end of each range; then all inputs at the slow and the fast end."""
    ranges = {key: setting.range for key, setting in system.settings.items() if setting.range}
    jobs = {("", "", ""): system}
    for key, ends in ranges.items():
        for end, number in zip(("low", "high"), ends, strict=True):
            jobs[key, end, f"{number:g}"] = system.with_(**{key: number})
    # More clock is fast, more of anything else is slow.
    fast = {key: ends[key == "cpu_clock"] for key, ends in ranges.items()}
    slow = {key: ends[key != "cpu_clock"] for key, ends in ranges.items()}
    jobs[ALL, "low", "slow"] = system.with_(**slow)
    jobs[ALL, "high", "fast"] = system.with_(**fast)
    read = rates(file_send.rate_Bps)
    return swept("what the rate rests on", ("parameter", "end", "value"), jobs, read)
