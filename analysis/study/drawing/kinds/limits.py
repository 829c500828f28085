# SPDX-License-Identifier: GPL-2.0-only
"""A job's time split by what the sender waited for, as bars, before and after a change."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from textwrap import fill

from study.drawing import marks, style
from study.drawing.flow import name_of
from study.programs.declaration import all_limits
from study.programs.labels import spelt
from study.system.system import Result, System

OTHER, OTHER_LOOK = "other", ("#EEEEEE", "..")
# Of a limit that no scenario declares. All are lines: of circles and stars a page of limits becomes
# a megabyte.
OTHERS = [("#DDDDDD", "xx"), ("#777777", ""), ("#FFFFFF", "++"), ("#AAAAAA", "--||")]
LEAST_PCT = 0.5  # a smaller part has no room for a name in the legend
MOST_NAMED = 8  # kinds that a reader can tell apart
NAMED_PCT = {"column": 20, "page": 12, "slide": 12}  # a larger one has room for its percentage
ROOMY = 10  # bars; of more each is lower, so that all have room on a page
ROW_IN = 0.18  # of the legend
HOW_TO_READ = (
    "The time of the job, from the first packet to the last, by what the sender waited for; all of "
    f"it adds up to 100 %. Parts below {LEAST_PCT} %, and what goes beyond {MOST_NAMED} kinds, are "
    '"other".'
)


@dataclass(frozen=True)
class Budget:
    """A job's time by limit, where there is no run of it: of a capture, or of a table."""

    system: str
    limits_s: Mapping[str, float]

    @property
    def duration_s(self) -> float:
        return sum(self.limits_s.values())


def draw(system: System) -> style.Drawing:
    """Draw the job as it is, and above it without the changes."""
    unchanged = replace(system, changes={})
    jobs = {name_of(unchanged): unchanged.run()}
    if system.changes:
        jobs[name_of(system)] = system.run()
    caption = f"What limits the simulated job, {name_of(unchanged)}. {HOW_TO_READ}"
    return bars(jobs, caption, _title(list(jobs), list(jobs.values())))


def _title(names: list[str], results: list[Result]) -> str:
    """Return what the job waits for most; of a changed one what the change brings."""
    first, last = results[0], results[-1]
    limit = max(first.limits_s, key=first.limits_s.__getitem__)
    share = three(100 * first.limits_s[limit] / _total_s(first))
    words = f"{share} % of {duration(first.duration_s)}, {names[0]} waits for: {spelt(limit)}"
    if last is first:
        return words
    return f"{words}; with {names[-1].partition(', ')[2]} it takes {duration(last.duration_s)}"


def bars(jobs: Mapping[str, Result | Budget], caption: str, title: str = "") -> style.Drawing:
    """Draw one bar a job, the first on top."""
    table = shares(jobs)
    told = _with_other(table)
    named = told.limit.nunique()
    columns = {"column": 2, "page": 6, "slide": 6}[style.size()]
    if named > columns:  # several rows have the width of the longest name in each column
        columns = min(columns, 4)
    height_in = 0.9 + (0.36 if len(jobs) <= ROOMY else 0.3) * len(jobs)
    figure, axes = style.one(height_in + ROW_IN * ((named - 1) // columns), height_in + 0.7)
    _bars(axes, told, jobs)
    look = {"handlelength": 2.4, "handleheight": 1.1, "columnspacing": 1.2}
    figure.legend(loc="outside lower center", ncols=columns, **look)
    return style.Drawing(figure, table, caption, title)


def shares(jobs: Mapping[str, Result | Budget]) -> style.Table:
    """Return one row a job and limit that took time."""
    import pandas as pd

    rows = [
        (name, result.system, result.duration_s, limit, time_s, time_s / _total_s(result) * 100)
        for name, result in jobs.items()
        for limit, time_s in result.limits_s.items()
        if time_s
    ]
    columns = ["job", "system", "duration_s", "limit", "time_s", "share_pct"]
    return pd.DataFrame(rows, columns=columns)


def _with_other(table: style.Table) -> style.Table:
    """Return the largest parts by their names, and all others of a job as one."""
    most = table.groupby("limit").share_pct.max()
    kept = most[most >= LEAST_PCT].nlargest(MOST_NAMED).index
    named = table.assign(limit=table.limit.where(table.limit.isin(kept), OTHER))
    keys = ["job", "system", "duration_s", "limit"]
    return named.groupby(keys, sort=False, as_index=False)[["time_s", "share_pct"]].sum()


def _total_s(result: Result | Budget) -> float:
    return sum(result.limits_s.values()) or 1.0


def looks(limits: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return a colour and a hatch for each limit, as it is declared and in that order, then of
    their names."""
    declared = {name: (each.colour, each.hatch) for name, each in all_limits().items()}
    others = sorted(set(limits) - set(declared) - {OTHER})
    extra = {name: OTHERS[place % len(OTHERS)] for place, name in enumerate(others)}
    every = declared | extra | {OTHER: OTHER_LOOK}
    return {name: look for name, look in every.items() if name in limits}


def _bars(axes: style.Axes, table: style.Table, jobs: Mapping[str, Result | Budget]) -> None:
    left = dict.fromkeys(jobs, 0.0)
    order = {name: place for place, name in enumerate(jobs)}
    for limit, (colour, hatch) in looks(list(table.limit)).items():
        own = table[table.limit == limit]
        places, begins = [order[job] for job in own.job], [left[job] for job in own.job]
        look = {"color": colour, "hatch": hatch, "edgecolor": "black", "linewidth": 0.4}
        look["label"] = spelt(limit)
        axes.barh(places, own.share_pct, left=begins, height=0.62, **look)
        for row in own.itertuples():
            if row.share_pct >= NAMED_PCT[style.size()]:
                middle = left[row.job] + row.share_pct / 2
                pad = 0.3 if style.size() == "slide" else 1.2
                box = {"facecolor": "white", "edgecolor": "none", "pad": pad}
                where = {"ha": "center", "va": "center", "bbox": box}
                axes.text(middle, order[row.job], f"{three(row.share_pct)} %", **where)
            left[row.job] += row.share_pct
    narrow = {"column": 18, "page": 34, "slide": 30}[style.size()]
    names = [fill(name, narrow) for name in jobs]
    axes.set_yticks(range(len(jobs)), names)
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(0, 100), ylim=(len(jobs) - 0.5, -0.5), xlabel="part of the job's time (%)")
    for name, result in jobs.items():
        marks.note(axes, duration(result.duration_s), (100, order[name]), (4, 0), va="center")


def duration(time_s: float) -> str:
    """Three digits of it, in seconds or minutes."""
    return f"{three(time_s / 60)} min" if time_s >= 100 else f"{three(time_s)} s"


def three(value: float) -> str:
    return f"{value:#.3g}".rstrip(".")
