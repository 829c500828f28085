# SPDX-License-Identifier: GPL-2.0-only
"""What `study what-if` shows: a job before and after a change, side by side."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap

from study.answers import outcome
from study.kit.scenario import guide, judges
from study.runs.batch import run_batch
from study.system.system import Result, System

WIDTH = 80
Parts = Mapping[str, float]
NAME, COLUMN = 24, 24


@dataclass(frozen=True, repr=False)
class WhatIf:
    """Two systems and a run of each. Prints as its text."""

    system: System
    changed: System
    before: Result
    after: Result
    # The steady rate on paper, before and after; why there is none where the formula does not know
    # what changed; None where no formula has it.
    on_paper: tuple[float, float] | str | None

    @property
    def closed_forms_Bps(self) -> tuple[float, float] | None:
        """The same, where there are numbers."""
        return None if isinstance(self.on_paper, str) else self.on_paper

    @property
    def gain_pct(self) -> float | None:
        """How much faster; None unless both finished."""
        if not (self.before.throughput_Bps and self.after.throughput_Bps):
            return None
        return (self.after.throughput_Bps / self.before.throughput_Bps - 1) * 100

    def record(self) -> dict:
        """For a script."""
        return {
            "system": self.system.name,
            "changes": self.changed.changes,
            "host": {"before": self.system.host, "after": self.changed.host},
            "gain_pct": self.gain_pct,
            "closed_form_Bps": self.closed_forms_Bps
            and dict(zip(("before", "after"), self.closed_forms_Bps, strict=True)),
            "before": self.before.record,
            "after": self.after.record,
        }

    def __str__(self) -> str:
        head = wrap(f"{self.system.name}: {self.system.title}", WIDTH)
        blocks = [head, self._parameters(), self._outcomes(), *self._splits()]
        if self.system.measured:
            note = f"measured figures belong to the unchanged job: study run {self.system.name}"
            blocks.append([note])
        return "\n\n".join("\n".join(block) for block in blocks)

    __repr__ = __str__

    def _parameters(self) -> Iterator[str]:
        yield _row("changed", "before", "after")
        if self.changed.host != self.system.host:
            yield _row("host", self.system.host or "its own", self.changed.host)
        for key, (own, value) in outcome.differences(self.system, self.changed).items():
            yield _row(key, own, value)

    def _outcomes(self) -> Iterator[str]:
        before, after = outcome.facts(self.before), outcome.facts(self.after)
        ended = [before.pop("ended"), after.pop("ended")]
        yield _row("the job", "before", "after")
        # Only a finished job has a rate; what one of them has not, is none.
        for name in max(before, after, key=len) | before | after:
            yield _row(name, before.get(name, "none"), after.get(name, "none"))
        if self.gain_pct is not None:
            yield _row("change of the rate", "", f"{self.gain_pct:+,.2f} %")
        if self.closed_forms_Bps:
            yield _row("steady, on paper", *(f"{rate:,.1f} B/s" for rate in self.closed_forms_Bps))
        elif self.on_paper:
            yield from _told("steady, on paper", self.on_paper)
        for when, how in zip(("before", "after"), ended, strict=True):
            if ended[0] != ended[1] or when == "before":
                name = "ended" if ended[0] == ended[1] else f"ended {when}"
                yield from _told(name, how)

    def _splits(self) -> Iterator[list[str]]:
        before, after = outcome.splits(self.before), outcome.splits(self.after)
        for title, parts_s in after.items():
            yield list(_compared(title, before.get(title, {}), parts_s))


def _compared(title: str, before: Parts, after: Parts) -> Iterator[str]:
    """Seconds and percent, in the order of the larger share of either."""
    keys = [key for key in after if before.get(key) or after[key]]
    keys.sort(key=lambda key: -max(outcome.share_pct(before, key), outcome.share_pct(after, key)))
    yield _row(title, "s       %", "s       %")
    for key in keys:
        yield _row(key.replace("_", " "), _part(before, key), _part(after, key))
    yield _row("all", *(f"{sum(parts_s.values()):,.3f}  100.00" for parts_s in (before, after)))


def what_if(system: System, changed: System) -> WhatIf:
    """Run both."""
    flags = [system.flags(), changed.flags()]
    records = run_batch(system.scenario, flags, "before and after")
    before, after = system.result(records[0]), changed.result(records[1])
    return WhatIf(system, changed, before, after, _on_paper(system.scenario, before, after))


def _on_paper(scenario: str, before: Result, after: Result) -> tuple[float, float] | str | None:
    form, cycle = judges(scenario).form, guide(scenario).cycle
    cycles = [cycle(form.of(result.parameters)) for result in (before, after)]
    if any(isinstance(each, str) for each in cycles):
        return None
    unknown = form.lacks(before.parameters, after.parameters)
    return unknown or (cycles[0].rate_Bps, cycles[1].rate_Bps)


def _row(name: str, before: str, after: str) -> str:
    return f"{name:<{NAME}}{before:>{COLUMN}}{after:>{COLUMN}}".rstrip()


def _told(name: str, text: str) -> list[str]:
    return wrap(f"{name:<{NAME}}  {text}", WIDTH, subsequent_indent=" " * 6)


def _part(parts_s: Parts, key: str) -> str:
    return f"{parts_s.get(key, 0.0):,.3f}{outcome.share_pct(parts_s, key):>8.2f}"
