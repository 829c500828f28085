# SPDX-License-Identifier: GPL-2.0-only
"""Curves of a figure of the study: systems, parameter, closed form, measured points and line
rate as arguments of one call."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from study.drawing import axes_of, gaps, marks, plot, style
from study.drawing.job_table import PaperForm, Reader, between, line, on_paper, rates, swept, whole
from study.drawing.levels import level
from study.drawing.lists import base
from study.drawing.style import Axes, Table
from study.drawing.system_facts import axis_label, listed, value
from study.programs import values
from study.programs.declaration import declaration
from study.programs.labels import spelt
from study.system.system import System

Words = Mapping[str, object]
TICKS = 14  # for which a page has room
LONG = 28  # letters of a curve's name, of which a column has room for one
COUNTED, SMOOTH = 800, 200  # points of a formula's line; the first where it may go in steps


@dataclass(frozen=True)
class Over:
    """The parameter across: its values, in the unit of the axis if it is a time or a rate, and what
    else is set with it."""

    key: str
    values: Sequence[float]
    unit: str = ""  # "ms", "kbit/s"
    also: tuple[str, ...] = ()
    none: Mapping[str, object] | None = None  # what to change instead where there is none of it
    called: str = ""  # in the table
    own: bool = False  # whether there is a job at the first system's own value, too
    log: bool = True
    ticks: Sequence[float] = ()

    def at(self, number: float) -> dict[str, object]:
        """Return what to change for a job there."""
        if not number and self.none is not None:
            return dict(self.none)
        text = f"{number:.12g}{self.unit.replace('bit/s', 'bps')}"
        return dict.fromkeys((self.key, *self.also), text)

    def numbers(self, system: System) -> list[float]:
        """Return all values across."""
        own = [value(system, self.key, self.unit)] if self.own else []
        return sorted({*self.values, *own})

    def column(self, system: System) -> str:
        """Of the table: rtt_ms."""
        if self.unit:
            return f"{self.called or self.key}_{self.unit.replace('bit/s', 'bps')}"
        return values.column(self.key, declaration(system.scenario).parameter(self.key).unit)


@dataclass(frozen=True)
class Up:
    """What stands upwards, as `read` takes it off a job: its column, what the axis says, and how
    much of the column is 1 there."""

    words: str
    unit: str = "kB/s"
    per: float = 1000.0
    read: Callable[[PaperForm], Mapping[str, Reader]] = rates  # the figure, then the closed form
    paper_per: float = 0.0  # how much of the formula is 1 there, if not as much
    log: bool = True

    @property
    def label(self) -> str:
        return f"{self.words} ({self.unit})"


RATE = Up("throughput of the job")


@dataclass(frozen=True)
class Read:
    """What a sentence may quote: a curve's number at a value across; both by their places, or the
    value itself."""

    table: Table
    across: str
    up: str
    by: str
    per: float
    own: float  # the system's own value across

    def __call__(self, curve: int, at: float) -> float:
        name = self.table[self.by].unique()[curve] if self.by else None
        rows = self.table[self.table[self.by] == name] if self.by else self.table
        return rows.set_index(self.across)[self.up][at] / self.per

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the largest value across."""
        return self.table[self.across].min(), self.table[self.across].max()


@dataclass(frozen=True)
class Curves:
    """A curve a system, by what it has in the column `by`; the first is the one whose figures are
    marked."""

    title: str
    caption: str
    curves: Callable[[], Mapping[Any, System]]
    over: Over
    form: PaperForm
    by: str = ""
    up: Up = RATE
    name: Callable[[Any], str] | None = None  # of a curve, in the legend
    legend: str | None = None  # what stands over it, unless the words of `by`
    star: str = ""  # the kind of measured figure that is marked at its system's own value
    words: Callable[[Read], Words] = lambda read: {}
    notes: Callable[[Axes, Table], None] | None = None  # what only this figure has
    heights: tuple[float, ...] = (4.0,)  # in inches, on a page and in a column

    def draw(self) -> style.Drawing:
        """Markers: jobs; lines: the closed form."""
        curves = self.curves()
        system = next(iter(curves.values()))
        across = self.over.column(system)
        table = self._table(curves, across)
        up = next(iter(self.up.read(self.form)))
        figure, axes = style.one(*self.heights)
        step = 0.0 if self.over.unit else 1.0  # bytes, segments, cycles: a whole number of them
        alone = [(None, table, marks.PLAIN)]
        for name, rows, look in marks.families(table, self.by) if self.by else alone:
            if self.over.log:  # none of something has no place on it
                rows = rows[rows[across] > 0]
            points = rows[across], rows[up] / self.up.per
            paper = self._paper(curves[name] if self.by else system)
            form = rows[list(self.up.read(self.form))[1]] / self.up.per
            marks.curve(axes, look, points, paper, self._named(table, name), form, step)
        self._own(axes, system, table, across, up)
        self._stars(axes, curves)
        self._dress(axes, system)
        if self.up.read is rates:
            level(axes, curves.values(), self.up.per, self.up.unit)
        if self.notes:
            self.notes(axes, table)
        self._legend(axes)
        own = value(system, self.over.key, self.over.unit)
        words = self.words(Read(table, across, up, self.by, self.up.per, own))
        told = [text.format(**words) for text in (self.caption, self.title)]
        return style.Drawing(figure, table, *told)

    def _table(self, curves: Mapping[Any, System], across: str) -> Table:
        first = next(iter(curves.values()))
        jobs = {
            (name, number)[not self.by :]: system.with_(**self.over.at(number))
            for name, system in curves.items()
            for number in self.over.numbers(first)
        }
        names = (self.by, across)[not self.by :]
        return swept(f"{self.up.label} over {self.over.key}", names, jobs, self.up.read(self.form))

    def _named(self, table: Table, name: object) -> str:
        if not self.by:
            return "simulated"
        return self.name(name) if self.name else plot.named(table, self.by, name)

    def _paper(self, system: System) -> tuple[Sequence[float], list[float]]:
        """Return the formula between the first value and the last."""
        name, each = on_paper(system.run()).field(self.over.key, self.over.unit)
        shown = [number for number in self.over.values if number > 0 or not self.over.log]
        low, high = min(shown), max(shown)
        count = SMOOTH if self.over.unit else COUNTED
        at = between(low, high, count) if self.over.log else list(range(int(low), int(high) + 1))
        if name.endswith("_B"):
            at = [*whole(at)[:-1], high]
        return line(system, name, at, self.form, self.up.paper_per or self.up.per, each)

    def _own(self, axes: Axes, system: System, table: Table, across: str, up: str) -> None:
        """What its file has, where it only assumes that: a hollow marker."""
        setting = system.settings.get(self.over.key)
        if self.over.own and setting is not None and setting.basis == "assumed":
            own = table[table[across] == value(system, self.over.key, self.over.unit)].iloc[:1]
            marks.points(axes, own[across], own[up] / self.up.per, marks.ASSUMED)
            axes.lines[-1].set_label("as its file assumes")

    def _stars(self, axes: Axes, curves: Mapping[Any, System]) -> None:
        """Where a system has the figure, at its own value and in its own curve."""
        seen = []
        for system in curves.values() if self.star else ():
            unchanged = replace(system, changes={})
            for row in unchanged.measured:
                place = value(unchanged, self.over.key, self.over.unit), base(row) / self.up.per
                if (
                    row.kind == self.star
                    and row.is_at_hand
                    and not row.compared
                    and place not in seen
                ):
                    seen.append(place)
                    told = listed(axes_of.digits(high) for _, high in seen)
                    marks.star(axes, place, label=f"as measured: {told} {self.up.unit}")
        for mark in [each for each in axes.lines if each.get_marker() == "*"][:-1]:
            mark.set_label("_")  # the last one tells all

    def _dress(self, axes: Axes, system: System) -> None:
        """Labels, scales and ticks."""
        over, up = self.over, self.up
        axes.set(xlabel=axis_label(system, over.key, over.unit), ylabel=up.label)
        logarithmic = "x" * over.log + "y" * up.log
        if over.column(system).endswith("_B"):
            marks.scales(axes, logarithmic)
            marks.bytes_across(axes, spelt(over.key))
        else:
            ticks = over.ticks or [number for number in over.numbers(system) if number > 0]
            marks.scales(axes, logarithmic, x=axes_of.apart(ticks, TICKS) if over.log else ticks)
        if up.log:
            axes_of.decades(axes.yaxis)
        else:
            axes.set_ylim(bottom=0)

    def _legend(self, axes: Axes) -> None:
        handles, names = gaps.entries(axes)
        longest = max(map(len, names))
        title = self.legend or (plot.by_words(self.by) if self.by else None)
        columns = (1 if longest > LONG else 2) if style.narrow() else 6
        look = {"ncols": min(len(handles), columns), "title": title}
        axes.figure.legend(handles, names, loc="outside upper center", **look)


def each(system: System, key: str, texts: Sequence[object]) -> dict[Any, System]:
    """Return the system with each of these values; an empty one is its own."""
    found = [text or system.settings[key].text for text in texts]
    return {text: system.with_(**{key: text}) for text in found}
