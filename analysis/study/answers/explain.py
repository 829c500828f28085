# SPDX-License-Identifier: GPL-2.0-only
"""Explanation of a slow job: the numbers of `study explain`, and its text of one screen, 80
columns wide. study.trials finds the limit and the useful changes by trial. The closed form is the
scenario's. Everything else is read off runs."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from study.answers import caveats, run_text, without_effect
from study.answers.bounds import of_rates
from study.answers.on_paper import OnPaper, on_paper
from study.base.units import seconds
from study.base.wrapping import WIDTH, wrap
from study.kit.chance import one_draw
from study.kit.exchange import Exchange, Repeated
from study.kit.lost import lost
from study.kit.scenario import guide, judges
from study.kit.terms import Cycle
from study.runs.lasting import of_an_answer
from study.system.system import Result, System
from study.trials import search_sentences
from study.trials.assumed import near_steps, turned_by
from study.trials.job_sizes import draws_losses, needed_B, of_size, size_B
from study.trials.jobs import run_B, told_of
from study.trials.search import Found, find, named_of
from study.trials.seeds import SEEDS
from study.trials.trial import CHANGE_PCT, Trial, gain

COLUMN = 57  # column after which a trial's numbers stand
LONGEST_FLAG = 300  # characters of a flag with a list, of which --format json has all
EXCHANGE_B = 1_000_000  # of the job whose packets show the repeated exchange
MOST_CURES, NOTHING, WORSE = 3, 3, 2  # trials of each kind that the text shows


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why a job has its rate, and which changes would change it. Its text is one screen."""

    unchanged: System
    system: System
    result: Result
    exchange: Repeated | None
    paper: OnPaper
    found: Found
    near: tuple[str, ...] = ()  # effects of one byte more or less
    notes: tuple[str, ...] = ()  # changes without effect, and what is left out
    of_B: int = 0  # bytes of the job that were run, if only a part

    @property
    def cycle(self) -> Cycle | str:
        """The steady cycle's closed form, or why there is none."""
        return self.paper.cycle

    @property
    def trials(self) -> tuple[Trial, ...]:
        """All trials."""
        return self.found.trials

    @property
    def helps(self) -> list[Trial]:
        """Helpful trials, best first."""
        return self.found.helps

    @property
    def does_nothing(self) -> list[Trial]:
        """Trials without effect, in the order of the proposals."""
        return self.found.does_nothing

    @property
    def makes_worse(self) -> list[Trial]:
        """Harmful trials, worst first."""
        return self.found.makes_worse

    @property
    def tried_B(self) -> int:
        """The bytes of a longer job that the trials run, or 0 for the whole job."""
        needed = needed_B(self.system)
        return needed if needed < size_B(self.system) else 0

    @property
    def sentence(self) -> str:
        """The sentence on the largest limit and whether it is confirmed."""
        return search_sentences.named(self.found)

    def record(self) -> dict:
        """Return everything that the text shows, and more, for a script."""
        names = ("outcome", "reason", "bytes", "duration_s", "throughput_Bps", "limits_s")
        return {
            "system": self.system.name,
            **{name: getattr(self.system, name) for name in ("title", "host", "changes")},
            **{name: getattr(self.result, name) for name in names},
            "without_effect": list(self.notes),
            "limit": self._limit_record(),
            "path": [each.record() for each in self.found.path],
            "near_steps": list(self.near),
            "run_B": self.of_B,
            "one_draw": self._chance(),
            "exchange": self.exchange.record() if self.exchange else None,
            "closed_form": self._closed_form_record(),
            **{
                name: [trial.record() for trial in getattr(self, name)]
                for name in ("helps", "does_nothing", "makes_worse")
            },
            "not_told": [trial.flag for trial in self.found.not_told],
        }

    def _limit_record(self) -> dict:
        named = self.found.named
        if named is None:
            return {}
        best = {name: getattr(named, name) for name in ("own", "best")}
        return {
            "name": named.limit.key,
            "share": named.share,
            "is_confirmed": named.is_confirmed,
            "sentence": self.sentence,
            "unseen": named.limit.unseen,
            **{name: each and each.flag for name, each in best.items()},
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
            *run_text.split_tables(self.result),
            "\n".join(self._closed_form()) if self.result.throughput_Bps else "",
            "\n".join(self._limit()),
            "\n".join(self._trials()),
        ]
        return "\n\n".join(filter(None, blocks))

    __repr__ = __str__

    def _head(self) -> Iterator[str]:
        yield from wrap(f"{self.system.name}: {self.system.title}", WIDTH)
        for change in run_text.changes(self.unchanged, self.system):
            yield from wrap(f"  with {change}", WIDTH, subsequent_indent="    ")
        for note in (*caveats.of_system(self.system), *self.notes):
            yield from wrap(f"  {note}", WIDTH, subsequent_indent="    ")
        result = self.result
        minutes = result.duration_s / 60
        carried = f"{result.bytes:,} B in {result.duration_s:,.3f} s"
        carried += f" ({minutes:.1f} min)" if minutes >= 2 else ""
        command_s = result.record.get("command_s")
        if command_s:
            answered, stalls = result.record["answered"], result.record["stalls"]
            yield f"{command_s * 1000:,.3f} ms a command: {answered:,} commands, {carried}"
            yield f"waits of one end for the other's delayed ACK: {stalls:,}"
        elif result.throughput_Bps:
            yield f"{result.throughput_Bps:,.1f} B/s: {carried}"
        else:
            yield from wrap(f"{result.outcome} with {carried}: {result.reason}", WIDTH)
        yield from wrap(run_text.in_part(self.system, self.of_B), WIDTH, subsequent_indent="  ")
        for each in lost(result.record):
            yield from wrap(f"not arrived: {each}", WIDTH, subsequent_indent="  ")
        yield from wrap(self.paper.short(), WIDTH)
        yield from wrap(self._chance(), WIDTH, subsequent_indent="  ")

    def _chance(self) -> str:
        what = "one random seed"
        what += "" if draws_losses(self.system) else ", here and for each change"
        return one_draw(self.system, self.result.record, what)

    def _exchange(self) -> Iterator[str]:
        if self.exchange is None:
            return
        yield f"one cycle ({self.exchange.how_common()})"
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
        given = self.result.parameters
        rest_B = int(given.get("receive_window", 0)) - self.cycle.carried_B
        if 0 < rest_B < int(given.get("mss", 0)):
            told = f"it counts whole segments: the window has room for {rest_B:,.0f} B more"
            yield from wrap(told, WIDTH, initial_indent="  ", subsequent_indent="  ")
        yield from wrap(self.paper.remark(), WIDTH, initial_indent="  ", subsequent_indent="  ")

    def _limit(self) -> Iterator[str]:
        """Yield the main limit, which captures do not show it, the best changes in order, and the
        effects of one byte."""
        named = self.found.named
        is_limit = named is None or named.is_relieved
        told = {
            f"{'main limit' if is_limit else 'most of the time, but no limit'}: ": self.sentence,
            "": named.limit.unseen if named else "",
            "best change tried: ": search_sentences.path(self.found),
            "sensitive to one byte: ": "; ".join(self.near),
        }
        for name, text in told.items():
            yield from wrap(f"{name}{text}", WIDTH, subsequent_indent="  ") if text else ()

    def _trials(self) -> Iterator[str]:
        helps, less = self.helps, f"{CHANGE_PCT:g} %"
        if self.tried_B:
            told = f"Each change ran on at most the first {self.tried_B:,} B."
            yield from wrap(f"{told} Rates are of the whole job.", WIDTH)
        if draws_losses(self.system):
            told = "Rates are of the first random seed. The change of the best is that of the total"
            yield from wrap(f"{told} time over {SEEDS} random seeds.", WIDTH)
        yield from self._part("what would help most", helps, MOST_CURES)
        if len(helps) < MOST_CURES:
            yield f"  no {'other ' if helps else ''}change that was tried brings {less} or more"
        still = self.does_nothing
        apart = any(not each.seeds_agree for each in still)
        tried_B = min((run_B(self.system, each.after) for each in still), default=0)
        is_short = not (self.tried_B or apart) and tried_B < run_B(self.system, self.found.before)
        nothing = "what would change nothing"
        if is_short:
            nothing = f"what has no effect in the first {tried_B / 1e3:,.0f} kB"
        nothing += f" (less than {less}"
        nothing += ", or seeds differ)" if apart else ")"
        yield from self._part(nothing, still, NOTHING)
        yield from wrap(self._not_told(), WIDTH, subsequent_indent="  ")
        yield from self._part("what would make it worse", self.makes_worse, WORSE)

    def _not_told(self) -> str:
        count = len(self.found.not_told)
        if not count:
            return ""
        return (
            f"left out: {count} changes without effect on the beginning of the job. The whole job "
            "has other limits. what-if tries a change on more of it."
        )

    def _part(self, text: str, trials: Sequence[Trial], most: int) -> Iterator[str]:
        if trials:
            of_commands = self.result.record.get("command_s")
            unit, speed = ("ms/command", "speed") if of_commands else ("B/s", "change")
            yield f"{text:<56}{unit:>13}{speed:>11}"
        for trial in trials[:most]:
            yield from _line(trial)
        if trials[most:]:
            yield f"  and {len(trials) - most} more: --format json lists them"


@of_an_answer()
def explain(system: System, unchanged: System | None = None) -> Explanation:
    """Run the system, then with one change after the other. `unchanged` is the system before its
    own changes; by default it is the system without its changed parameters."""
    unchanged = unchanged or replace(system, changes={})
    ((result, run_B),) = told_of([system])
    found = find(system, result)
    found, on_bounds = _told(system, result, found)
    idle = without_effect.without_effect(unchanged, system, bool(run_B))
    own = unchanged.parameters() | {key: result.parameters[key] for key in idle}
    return Explanation(
        unchanged=unchanged,
        system=system,
        result=result,
        exchange=_exchange(system),
        paper=on_paper(system.scenario, result, own),
        found=found,
        near=tuple(near_steps(system)),
        notes=(*(f"{key}: {why}" for key, why in idle.items()), *_not_tried(system, on_bounds)),
        of_B=run_B,
    )


def _exchange(system: System) -> Repeated | None:
    """Return the job's repeated exchange, or None without one or without a segment table."""
    if not system.leaves_segments:
        return None
    short = of_size(system, EXCHANGE_B)
    ends = judges(system.scenario).ends
    return guide(system.scenario).exchange(short.run(segments=True), ends)


def _not_tried(system: System, on_bounds: Sequence[str]) -> Iterator[str]:
    """Yield sentences on changes that are left out, because the model lacks something or a capture
    shows only one end of a number."""
    if system.not_modelled:
        what = "; ".join(each.what for each in system.not_modelled)
        yield f"not tried: changes that would rest on what the model lacks: {what}"
    if on_bounds:
        yield (
            f"left out: {', '.join(on_bounds)}. The answer would rest on a number of which the "
            "capture shows only a bound. what-if names it."
        )


def _told(system: System, before: Result, found: Found) -> tuple[Found, list[str]]:
    """Return the trials that what-if would answer, the best with their assumptions; and the flags
    of those that rest on a bound."""
    kept, flags = [], []
    best = found.path[0].flag if found.path else ""
    for each in found.trials:
        changed, after = each.change.system, each.after
        if each.effect >= CHANGE_PCT and of_rates(system, changed, found.before.rate, after.rate):
            flags.append(each.flag)
            continue
        said = caveats.in_words(system, changed, each.words)
        each = replace(each, change=replace(each.change, said=said))
        if each.flag == best:
            each = replace(each, rests_on=turned_by(each, found.trials))
        if abs(each.effect) >= CHANGE_PCT:
            caveat = caveats.by_number(system, changed, before, after.result)
            each = replace(each, caveat=caveat)
        kept.append(each)
    if best in flags:  # then there is no path, and the limit rests on the other trials
        found = replace(found, path=(), named=named_of(system, before.limits_s, kept))
    return replace(found, trials=tuple(kept)), flags


def _line(trial: Trial) -> Iterator[str]:
    """Yield the change and its flag on one line if they fit, else on two."""
    flag = trial.flag if len(trial.flag) <= LONGEST_FLAG else f"{trial.flag.split()[0]} ..."
    one = f"  {trial.words} ({flag})"
    lines = [one]
    if len(one) >= COLUMN:
        lines = wrap(trial.words, COLUMN - 1, initial_indent="  ", subsequent_indent="  ")
        lines += wrap(f"({flag})", WIDTH, initial_indent="    ", subsequent_indent="     ")
    if trial.throughput_Bps is None and trial.gain_pct is None:
        yield from lines
        text = f"{trial.outcome}: {trial.reason}"
        yield from wrap(text, WIDTH, initial_indent="    ", subsequent_indent="    ")
        return
    shown = trial.command_s * 1000 if trial.command_s else trial.throughput_Bps
    rate = f"{shown:,.1f}" if shown else f"still {trial.outcome}"
    became = gain(trial.gain_pct) if trial.throughput_Bps else ""
    yield f"{lines[0]:<{COLUMN - 1}}{rate:>13}{became:>11}".rstrip()
    yield from lines[1:]
    for told in (*trial.alone, trial.spread, trial.rests_on, trial.caveat):
        yield from wrap(told, WIDTH, initial_indent="    ", subsequent_indent="    ")
