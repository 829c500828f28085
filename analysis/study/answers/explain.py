# SPDX-License-Identifier: GPL-2.0-only
"""Why a job is slow and what would change it: the numbers of `study explain`, and its text of one
screen, 80 columns wide. A scenario says in its `explanation` what there is to try and which closed
form to show; everything else is read off runs."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from textwrap import wrap

from study.answers import causes, caveats, outcome, without_effect
from study.answers.bounds import of_rates
from study.answers.on_paper import OnPaper, on_paper
from study.base.units import seconds
from study.kit import candidates
from study.kit.candidates import Change
from study.kit.chance import one_draw
from study.kit.exchange import Exchange, Repeated
from study.kit.lost import lost
from study.kit.scenario import guide, judges
from study.kit.terms import Cycle
from study.programs.declaration import declaration
from study.runs import numbers
from study.runs.batch import try_batch
from study.runs.outcomes import Failure
from study.system.system import Result, System

WIDTH, COLUMN = 80, 57  # the numbers of a trial stand behind the second
# A change of the rate below this is none: print shops and clocks vary by more.
CHANGE_PCT = 1.0
MOST, NOTHING, WORSE = 3, 5, 3  # how many of each kind the text shows


@dataclass(frozen=True)
class Trial:
    """One change and what became of the job. The gain is none where only one of the two jobs has a
    rate."""

    words: str
    flag: str
    outcome: str
    reason: str
    throughput_Bps: float | None
    gain_pct: float | None
    command_s: float | None = None  # a job of commands: the time for each
    rests_on: str = ""  # of a gain out of proportion: the other number behind it
    caveat: str = ""  # where the losses are told by number

    @property
    def effect(self) -> float:
        """To sort by: how much better, a job that no longer ends being worst of all."""
        if self.gain_pct is not None:
            return self.gain_pct
        return float("inf" if self.throughput_Bps else "-inf")


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why a job is as fast as it is, and what would change that. Prints as its text."""

    unchanged: System
    system: System
    result: Result
    exchange: Repeated | None
    paper: OnPaper
    trials: tuple[Trial, ...]
    idle: tuple[str, ...] = ()  # what was changed to no effect

    @property
    def cycle(self) -> Cycle | str:
        """The closed form, or why there is none."""
        return self.paper.cycle

    @property
    def helps(self) -> list[Trial]:
        """Best first."""
        better = [trial for trial in self.trials if trial.effect >= CHANGE_PCT]
        return sorted(better, key=lambda trial: -trial.effect)

    @property
    def does_nothing(self) -> list[Trial]:
        """In the order in which one thinks of them."""
        return [trial for trial in self.trials if abs(trial.effect) < CHANGE_PCT]

    @property
    def makes_worse(self) -> list[Trial]:
        """Worst first."""
        worse = [trial for trial in self.trials if trial.effect <= -CHANGE_PCT]
        return sorted(worse, key=lambda trial: trial.effect)

    def record(self) -> dict:
        """For a script: everything the text shows and what it leaves out."""
        names = ("outcome", "reason", "bytes", "duration_s", "throughput_Bps", "limits_s")
        return {
            "system": self.system.name,
            **{name: getattr(self.system, name) for name in ("title", "host", "changes")},
            **{name: getattr(self.result, name) for name in names},
            "without_effect": list(self.idle),
            "one_draw": self._chance(),
            "exchange": self.exchange.record() if self.exchange else None,
            "closed_form": self._closed_form_record(),
            **{
                name: [asdict(trial) for trial in getattr(self, name)]
                for name in ("helps", "does_nothing", "makes_worse")
            },
        }

    def _closed_form_record(self) -> dict:
        if isinstance(self.cycle, str):
            return {"missing": self.cycle}
        return {
            "carried_B": self.cycle.carried_B,
            "terms": [asdict(term) for term in self.cycle.parts()],
            "cycle_s": self.cycle.time_s,
            "rate_Bps": self.cycle.rate_Bps,
            "holds": self.paper.holds,
            "remark": self.paper.remark(),
        }

    def __str__(self) -> str:
        blocks = [
            "\n".join(self._head()),
            "\n".join(self._exchange()),
            *outcome.split_tables(self.result),
            "\n".join(self._closed_form()) if self.result.throughput_Bps else "",
            "\n".join(self._trials()),
        ]
        return "\n\n".join(filter(None, blocks))

    __repr__ = __str__

    def _head(self) -> Iterator[str]:
        yield from wrap(f"{self.system.name}: {self.system.title}", WIDTH)
        for change in outcome.changes(self.unchanged, self.system):
            yield from wrap(f"  with {change}", WIDTH, subsequent_indent="    ")
        for note in (*caveats.of_system(self.system), *self.idle):
            yield from wrap(f"  {note}", WIDTH, subsequent_indent="    ")
        result = self.result
        minutes = result.duration_s / 60
        carried = f"{result.bytes:,} B in {result.duration_s:,.3f} s"
        carried += f" ({minutes:.1f} min)" if minutes >= 2 else ""
        command_s = result.record.get("command_s")
        if command_s:
            answered, stalls = result.record["answered"], result.record["stalls"]
            yield f"{command_s * 1000:,.3f} ms a command: {answered:,} commands, {carried}"
            yield f"times that one end waited for the other's delayed ACK: {stalls:,}"
        elif result.throughput_Bps:
            yield f"{result.throughput_Bps:,.1f} B/s: {carried}"
        else:
            yield from wrap(f"{result.outcome} with {carried}: {result.reason}", WIDTH)
        for each in lost(result.record):
            yield from wrap(f"not arrived: {each}", WIDTH, subsequent_indent="  ")
        yield from wrap(self.paper.short(), WIDTH)
        yield from wrap(self._chance(), WIDTH, subsequent_indent="  ")

    def _chance(self) -> str:
        return one_draw(self.system, self.result.record, "one draw, here and of each change,")

    def _exchange(self) -> Iterator[str]:
        if self.exchange is None:
            return
        yield f"the exchange ({self.exchange.how_common()})"
        for line in filter(None, [*self.exchange.lines(), self._lone_segment()]):
            yield from wrap(line, WIDTH, initial_indent="  ", subsequent_indent="    ")

    def _lone_segment(self) -> str:
        timeout = self.system.parameters().get("delayed_ack_timeout", "")
        if not timeout or not isinstance(self.exchange, Exchange):
            return ""
        return self.exchange.lone_segment(seconds(timeout))

    def _closed_form(self) -> Iterator[str]:
        if isinstance(self.cycle, str):
            yield from wrap(self.cycle, WIDTH)
            return
        parts = self.cycle.parts()
        times = " + ".join(f"{part.time_s * 1000:.3f}" for part in parts)
        times = f"({times})" if len(parts) > 1 else times
        if self.result.record.get("command_s"):
            yield "the closed form of a command"
            formula = f"{times} ms = {self.cycle.time_s * 1000:,.3f} ms"
            formula += f" for a command of {self.cycle.carried_B:,.0f} B"
        else:
            yield (
                f"the closed form: {self.cycle.law}"
                if self.cycle.law
                else "the closed form of a cycle"
            )
            formula = f"{self.cycle.carried_B:,.0f} B / {times} ms = {self.cycle.rate_Bps:,.0f} B/s"
        yield from wrap(formula, WIDTH, initial_indent="  ", subsequent_indent="    ")
        legend = ", ".join(f"{part.time_s * 1000:.3f} {part.name}" for part in parts)
        yield from wrap(legend, WIDTH, initial_indent="  ", subsequent_indent="  ")
        yield from wrap(self.paper.remark(), WIDTH, initial_indent="  ", subsequent_indent="  ")

    def _trials(self) -> Iterator[str]:
        helps, less = self.helps, f"{CHANGE_PCT:g} %"
        yield from self._part("what would help most", helps, MOST)
        if len(helps) < MOST:
            yield f"  nothing {'else ' if helps else ''}that was tried helps by {less}"
        nothing = f"what would change nothing (less than {less})"
        yield from self._part(nothing, self.does_nothing, NOTHING)
        yield from self._part("what would make it worse", self.makes_worse, WORSE)

    def _part(self, text: str, trials: Sequence[Trial], most: int) -> Iterator[str]:
        if trials:
            of_commands = self.result.record.get("command_s")
            unit, speed = ("ms/command", "speed") if of_commands else ("B/s", "change")
            yield f"{text:<56}{unit:>13}{speed:>11}"
        for trial in trials[:most]:
            yield from _line(trial)
        if trials[most:]:
            yield f"  and {len(trials) - most} more: --format json lists them"


def explain(system: System, unchanged: System | None = None) -> Explanation:
    """Run the system as it is, and then with one change after the other. `unchanged` is what it was
    before its own changes; without it, the system less its changed parameters."""
    knows = guide(system.scenario)
    result = system.run(segments=True)
    declared = declaration(system.scenario)
    tried = candidates.any_number(declared) if knows.candidates is None else knows.candidates
    tried = [*tried, *candidates.losses(declared, tried)]
    changes = candidates.of(system, declared, result, tried)
    refused = [change.system.rests_on_no_model(system) for change in changes]
    changes = [
        replace(change, words=caveats.in_words(system, change.system, change.words))
        for change, why in zip(changes, refused, strict=True)
        if not why
    ]
    unchanged = unchanged or replace(system, changes={})
    trials = _tried(changes, result)
    trials, on_bounds = _told(system, result, _by_parameter(system, result, trials))
    ends = judges(system.scenario).ends
    idle = without_effect.without_effect(unchanged, system)
    own = unchanged.parameters() | {key: result.parameters[key] for key in idle}
    return Explanation(
        unchanged=unchanged,
        system=system,
        result=result,
        exchange=knows.exchange(result, ends) if system.leaves_segments else None,
        paper=on_paper(system.scenario, result, own),
        trials=tuple(_with_what_it_rests_on(system, result, trials)),
        idle=(
            *(f"{key}: {why}" for key, why in idle.items()),
            *_not_tried(system, refused, on_bounds),
        ),
    )


def _not_tried(system: System, refused: Sequence[str], on_bounds: Sequence[str]) -> Iterator[str]:
    """Where a change would rest on what the model has not, or a capture does not show."""
    count = sum(map(bool, refused))
    if count:
        what = "; ".join(each.what for each in system.not_modelled)
        yield f"{count} changes are not tried, as they would rest on what the model has not: {what}"
    if on_bounds:
        yield (
            f"not told: {', '.join(on_bounds)}, which would rest on a number of which the capture "
            "shows one end; what-if says on which"
        )


Tried = list[tuple[Change, Trial]]


def _tried(changes: Sequence[Change], before: Result) -> Tried:
    """Each change that leaves the job the same: half the reply is no faster."""
    if not changes:
        return []
    flags = [change.system.flags() for change in changes]
    # A host that does not scale its window, say, cannot be put before a device that needs it.
    records = try_batch(changes[0].system.scenario, flags, "what would change it")
    results = [
        (change, change.system.result(record))
        for change, record in zip(changes, records, strict=True)
        if not isinstance(record, Failure)
    ]
    return [
        (change, _trial(change, after, before))
        for change, after in results
        if after.bytes == before.bytes or not after.outcome == before.outcome == "finished"
    ]


def _by_parameter(system: System, before: Result, trials: Tried) -> Tried:
    """A host profile that does something is its parameters that do it."""
    profiles = {
        trial.flag.removeprefix("--host "): (change.system, change, trial)
        for change, trial in trials
        if trial.flag.startswith("--host ") and abs(trial.effect) >= CHANGE_PCT
    }
    own, *rates = numbers.rates(
        [system, *(behind for behind, *_ in profiles.values())], "which of it"
    )
    rate_of = dict(zip(profiles, rates, strict=True))
    found = causes.of_profiles(
        system, own, {name: (each[0], rate_of[name]) for name, each in profiles.items()}
    )
    flags = {trial.flag for _, trial in trials}
    named: dict[str, Change] = {}
    for change in filter(None, found.values()):
        if change.flag in named:
            names = change.words.rpartition(", as ")[2].removesuffix(" has it")
            words = named[change.flag].words.removesuffix(" has it").removesuffix(" have it")
            named[change.flag] = replace(change, words=f"{words} and {names} have it")
        elif change.flag not in flags:
            named[change.flag] = change
    replaced = {f"--host {name}" for name, change in found.items() if change}
    kept = [each for each in trials if each[1].flag not in replaced]
    return [*kept, *_tried(list(named.values()), before)]


def _told(system: System, before: Result, trials: Tried) -> tuple[Tried, list[str]]:
    """Those that what-if would answer, and the flags of those that rest on a bound."""
    own, kept, flags = _rate(before), [], []
    for change, trial in trials:
        rate = 1 / trial.command_s if trial.command_s else trial.throughput_Bps
        if of_rates(system, change.system, own, rate):
            flags.append(trial.flag)
        else:
            kept.append((change, trial))
    return kept, flags


def _with_what_it_rests_on(system: System, before: Result, trials: Tried) -> Iterator[Trial]:
    """The best of them that are out of proportion say what is behind it."""
    best = sorted((trial for _, trial in trials), key=lambda trial: -trial.effect)[:MOST]
    for change, trial in trials:
        if trial in best and trial.gain_pct and trial.gain_pct >= CHANGE_PCT:
            ratio = 1 + trial.gain_pct / 100
            rests_on = causes.rests_on(system, change.system, 1.0, ratio)
            yield replace(trial, rests_on=rests_on)
        else:
            yield trial


def _trial(change: Change, after: Result, before: Result) -> Trial:
    """Commands are held against commands, whatever they carry; all else by its rate."""
    rate, rate_before = _rate(after), _rate(before)
    gain_pct = None if rate or rate_before else 0.0
    if rate and rate_before:
        gain_pct = (rate / rate_before - 1) * 100
    became = after.outcome, after.reason, after.throughput_Bps
    trial = Trial(change.words, change.flag, *became, gain_pct, after.record.get("command_s"))
    by_number = caveats.by_number(before.origin, change.system, before, after)
    return replace(trial, caveat=by_number) if abs(trial.effect) >= CHANGE_PCT else trial


def _rate(result: Result) -> float | None:
    command_s = result.record.get("command_s")
    return 1 / command_s if command_s else result.throughput_Bps


def _line(trial: Trial) -> Iterator[str]:
    """The change and its flag in one line where they fit, the flag below where not."""
    one = f"  {trial.words} ({trial.flag})"
    lines = [one]
    if len(one) >= COLUMN:
        lines = wrap(trial.words, COLUMN - 1, initial_indent="  ", subsequent_indent="  ")
        lines += wrap(f"({trial.flag})", WIDTH, initial_indent="    ", subsequent_indent="     ")
    if trial.throughput_Bps is None and trial.gain_pct is None:
        yield from lines
        text = f"{trial.outcome}: {trial.reason}"
        yield from wrap(text, WIDTH, initial_indent="    ", subsequent_indent="    ")
        return
    shown = trial.command_s * 1000 if trial.command_s else trial.throughput_Bps
    rate = f"{shown:,.1f}" if shown else f"still {trial.outcome}"
    yield f"{lines[0]:<{COLUMN - 1}}{rate:>13}{_gain(trial):>11}".rstrip()
    yield from lines[1:]
    for told in (trial.rests_on, trial.caveat):
        yield from wrap(told, WIDTH, initial_indent="    ", subsequent_indent="    ")


def _gain(trial: Trial) -> str:
    """In percent, or a factor where that says more."""
    if trial.gain_pct is None or not trial.throughput_Bps:
        return ""
    if trial.gain_pct >= 1000:
        return f"x {trial.gain_pct / 100 + 1:,.1f}"
    return f"{trial.gain_pct:+,.2f} %"
