# SPDX-License-Identifier: GPL-2.0-only
"""Output of `study what-if`: a job before and after a change, side by side."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from study.answers import caveats, run_text, without_effect
from study.answers.bounds import of_rates, rate_of
from study.answers.on_paper import UNKNOWN, OnPaper, on_paper
from study.base.called import called
from study.base.errors import StudyError
from study.base.wrapping import WIDTH, wrap
from study.kit.chance import one_draw
from study.kit.paper import CLOSE_PCT
from study.runs.lasting import of_an_answer
from study.system.system import Result, System
from study.trials.jobs import told_of

Parts = Mapping[str, float]
NAME, COLUMN = 24, 24
OF_THE_JOB = ("no closed form for ", "the law of losses")  # reasons that belong to this job
SIDES = ("before", "after")


@dataclass(frozen=True, repr=False)
class WhatIf:
    """Two systems and a run of each. Its text is the comparison."""

    system: System
    changed: System
    before: Result
    after: Result
    papers: tuple[OnPaper, OnPaper]
    idle: tuple[str, ...] = ()  # changes without effect
    of_B: int = 0  # bytes of the job that were run, if only a part

    @property
    def closed_forms_Bps(self) -> tuple[float, float] | None:
        """The steady rate by closed form before and after, in B/s, or None unless both have one."""
        cycles = [paper.cycle for paper in self.papers]
        if any(isinstance(cycle, str) for cycle in cycles):
            return None
        return cycles[0].rate_Bps, cycles[1].rate_Bps

    @property
    def why_no_form(self) -> str:
        """The changed parameter that the formula does not have, if that is why there is none."""
        texts = [paper.cycle for paper in self.papers if isinstance(paper.cycle, str)]
        told = [each for each in texts if each.startswith((UNKNOWN, *OF_THE_JOB))]
        return next((each.removeprefix(UNKNOWN) for each in told), "")

    @property
    def gain_pct(self) -> float | None:
        """The throughput's gain in percent, or None unless both finished."""
        if not (self.before.throughput_Bps and self.after.throughput_Bps):
            return None
        return (self.after.throughput_Bps / self.before.throughput_Bps - 1) * 100

    def record(self) -> dict:
        """Return the comparison for a script."""
        return {
            "system": self.system.name,
            "with": self.system.changes,
            "changes": {
                key: text
                for key, text in self.changed.changes.items()
                if self.system.changes.get(key) != text
            },
            "host": {"before": self.system.host, "after": self.changed.host},
            **self._peers(),
            "gain_pct": self.gain_pct,
            "without_effect": list(self.idle),
            "run_B": self.of_B,
            "caveats": self._caveats(),
            "closed_form_Bps": self.closed_forms_Bps
            and dict(zip(SIDES, self.closed_forms_Bps, strict=True)),
            "closed_form_holds": self.closed_forms_Bps
            and dict(zip(SIDES, (paper.holds for paper in self.papers), strict=True)),
            "before": self.before.record,
            "after": self.after.record,
        }

    def _peers(self) -> dict:
        """Return the host profiles of the peer, if the scenario has one."""
        both = {"before": self.system.peer, "after": self.changed.peer}
        return {self.system.peer_end: both} if self.system.peer_end else {}

    def __str__(self) -> str:
        head = wrap(f"{self.system.name}: {self.system.title}", WIDTH)
        ends = {"host": self.system.host, self.system.peer_end: self.system.peer}
        own = [f"{key} {text}" for key, text in (ends | self.system.changes).items() if text]
        head += wrap(f"with {', '.join(own)}", WIDTH, subsequent_indent="  ") if own else []
        blocks = [head, self._parameters(), self._outcomes(), *self._splits()]
        if self.system.measured:
            note = "measured figures belong to the unchanged job"
            if self.system.typed:
                note += f": {called()} run {self.system.typed}"
            blocks.append([note])
        return "\n\n".join("\n".join(block) for block in blocks)

    __repr__ = __str__

    def _parameters(self) -> Iterator[str]:
        yield _row("changed", "before", "after")
        if self.changed.host != self.system.host:
            yield _row("host", self.system.host or "its own", self.changed.host)
        if self.changed.peer != self.system.peer:
            yield _row(self.system.peer_end, self.system.peer or "its own", self.changed.peer)
        for key, (own, value) in run_text.differences(self.system, self.changed).items():
            yield from _rows(key, own, value)
        for note in self.idle:
            yield from wrap(note, WIDTH, subsequent_indent="  ")

    def _outcomes(self) -> Iterator[str]:
        before, after = run_text.facts(self.before), run_text.facts(self.after)
        ended = [before.pop("ended"), after.pop("ended")]
        yield _row("the job", "before", "after")
        # Only a finished job has a throughput; the other's is "none".
        for name in max(before, after, key=len) | before | after:
            yield from _rows(name, before.get(name, "none"), after.get(name, "none"))
        if self.gain_pct is not None:
            yield _row("change of the rate", "", f"{self.gain_pct:+,.2f} %")
        part = run_text.in_part(self.system, self.of_B, self.changed)
        for caveat in filter(None, [part, *self._caveats()]):
            yield from wrap(caveat, WIDTH, initial_indent="  ", subsequent_indent="  ")
        if self.closed_forms_Bps:
            yield _row(
                "steady, by formula", *(f"{rate:,.1f} B/s" for rate in self.closed_forms_Bps)
            )
            yield from self._off_the_runs()
        elif self.why_no_form:
            yield from self._without_forms()
        for when, paper in zip(SIDES, self.papers, strict=True):
            if paper.short():
                yield from _told(f"note {when}", paper.short())
        for when, how in zip(SIDES, ended, strict=True):
            if ended[0] != ended[1] or when == "before":
                name = "ended" if ended[0] == ended[1] else f"ended {when}"
                yield from _told(name, how)

    def _without_forms(self) -> Iterator[str]:
        """Yield why there is no closed form, before and after if the reasons differ."""
        told = [
            paper.cycle.removeprefix(UNKNOWN)
            if isinstance(paper.cycle, str)
            else f"{paper.cycle.rate_Bps:,.1f} B/s"
            for paper in self.papers
        ]
        if told[0] == told[1] or self.why_no_form not in told:
            yield from _told("steady, by formula", self.why_no_form)
            return
        for when, text in zip(SIDES, told, strict=True):
            yield from _told(f"steady, by formula {when}", text)

    def _caveats(self) -> list[str]:
        told = caveats.of_change(self.system, self.changed, self.before, self.after)
        pairs = ((self.system, self.before), (self.changed, self.after))
        draws = [one_draw(system, run.record, "one random seed") for system, run in pairs]
        if all(draws):
            draws = [
                one_draw(self.changed, self.after.record, "each of the two is one random seed")
            ]
        elif any(draws):
            draws = [f"{when}: {text}" for when, text in zip(SIDES, draws, strict=True) if text]
        return [*told, *filter(None, draws)]

    def _off_the_runs(self) -> Iterator[str]:
        """Yield a remark if the formula deviates from its run."""
        if not any(paper.size for paper in self.papers):
            return
        near = f"within {CLOSE_PCT:g} %"
        yield _row("  against its run", *(paper.size or near for paper in self.papers))
        remarks = [paper.reason for paper in self.papers]
        for when, why in zip(SIDES, remarks, strict=True):
            if why and remarks[0] != remarks[1]:
                yield from _told(f"  {when}", why)
        if remarks[0] and remarks[0] == remarks[1]:
            yield from _told("  both", remarks[0])

    def _splits(self) -> Iterator[list[str]]:
        before, after = run_text.splits(self.before), run_text.splits(self.after)
        for title, parts_s in after.items():
            yield list(_compared(title, before.get(title, {}), parts_s))


def _compared(title: str, before: Parts, after: Parts) -> Iterator[str]:
    """Yield seconds and percentages, sorted by the larger fraction of the two jobs."""
    keys = [key for key in after if before.get(key) or after[key]]
    keys.sort(key=lambda key: -max(run_text.share_pct(before, key), run_text.share_pct(after, key)))
    yield _row(title, "s       %", "s       %")
    for key in keys:
        yield _row(key.replace("_", " "), _part(before, key), _part(after, key))
    yield _row("all", *(f"{sum(parts_s.values()):,.3f}  100.00" for parts_s in (before, after)))


@of_an_answer()
def what_if(system: System, changed: System) -> WhatIf:
    """Run both systems and compare them. Raise StudyError if the change would rest on something the
    model lacks, or on a bound."""
    if why := changed.rests_on_no_model(system):
        raise StudyError(why)
    told = told_of([system, changed])
    (before, _), (after, _) = told
    run_B = max(in_part for _, in_part in told)
    if why := of_rates(system, changed, rate_of(before), rate_of(after)):
        raise StudyError(why)
    idle = without_effect.without_effect(system, changed, bool(run_B))
    own = before.parameters | {key: after.parameters[key] for key in idle}
    both = own, after.parameters
    papers = tuple(on_paper(system.scenario, result, *both) for result in (before, after))
    notes = tuple(f"{key}: {why}" for key, why in idle.items())
    return WhatIf(system, changed, before, after, papers, notes, run_B)


def _row(name: str, before: str, after: str) -> str:
    return f"{name:<{NAME}}{before:>{COLUMN}}{after:>{COLUMN}}".rstrip()


def _rows(name: str, before: str, after: str) -> Iterator[str]:
    """Yield one line, or one for each value where columns would overlap."""
    if len(name) < NAME and max(len(before), len(after)) < COLUMN:
        yield _row(name, before, after)
        return
    yield name
    for when, text in zip(SIDES, (before, after), strict=True):
        texts = wrap(text, WIDTH - COLUMN) or [""]
        yield from (f"  {when if not n else '':<{NAME - 2}}{each}" for n, each in enumerate(texts))


def _told(name: str, text: str) -> list[str]:
    return wrap(f"{name:<{NAME}}  {text}", WIDTH, subsequent_indent=" " * 6)


def _part(parts_s: Parts, key: str) -> str:
    return f"{parts_s.get(key, 0.0):,.3f}{run_text.share_pct(parts_s, key):>8.2f}"
