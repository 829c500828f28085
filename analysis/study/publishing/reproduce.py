# SPDX-License-Identifier: GPL-2.0-only
"""Update of results/ and of README's blocks: only changed steps run, independent ones at the
same time.

build/reproduce.json has the digest of every step's inputs and outputs. Checking them takes
milliseconds, so only a process that runs a step imports pandas and matplotlib.
"""

import gc
import json
import multiprocessing
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextvars import copy_context

from study.base import machine
from study.base.errors import StudyError
from study.base.project import BUILD, FIGURES, README, read_text, shown, write_whole
from study.publishing.steps import (
    FORMULAS,
    README_STEP,
    TABLE,
    TABLE_STEP,
    TASKS,
    Step,
    step,
    steps,
)

MANIFEST = BUILD / "reproduce.json"
FIRST = "throughput-vs-window"  # the first result that a user sees

Say = Callable[[str], None]


def reproduce(say: Say, force: bool = False) -> bool:
    """Run the steps whose inputs or outputs differ from the manifest, and report each through
    `say`. Return False if a result no longer agrees with the reference."""
    look = f"see {shown(TABLE)}, {shown(FORMULAS)}, {shown(FIGURES)}/ and {shown(README)}"
    made = _Making(steps(), say, force)
    if made.stale:
        made.all()
        say(f"{made.summary()}: {look}")
    else:
        say(f"everything is up to date: {look}")
    return _is_as_accepted(say)


def reproduce_first(say: Say) -> None:
    """Make one figure, which needs one program, while the others are being compiled."""
    made = _Making([step(f"figure {FIRST}")], say, force=False)
    if made.stale:
        made.all()
        say(f"the first figure: {shown(FIGURES / FIRST)}.png")


def accept(say: Say) -> None:
    """Make the last `reproduce`'s results the reference. Raise StudyError if they are outdated."""
    from study.judging import reference, reproduction

    if not is_as_made(TABLE_STEP):
        raise StudyError(f"{shown(TABLE)} is not what the study gives now: run ./waf reproduce")
    table = reproduction.from_csv(read_text(TABLE))
    accepted = reference.read()
    moves = reference.moves(accepted, table) if accepted is not None else []
    reference.write(table)
    for move in moves:
        say(str(move))
    say(f"accepted {len(table)} figures, {len(moves)} changes: commit them with the reason")


def _is_as_accepted(say: Say) -> bool:
    """Report figures that differ from the reference, largest first, and return whether none
    does."""
    from study.judging import reference, reproduction

    accepted = reference.read()
    if accepted is None:
        say(f"there is no {shown(reference.REFERENCE)} to compare with: study accept makes it")
        return True
    moves = reference.moves(accepted, reproduction.from_csv(read_text(TABLE)))
    if moves:
        say(f"not as accepted in {shown(reference.REFERENCE)}:")
        for move in moves:
            say(str(move))
        say("if that is meant: .venv/bin/study accept, and commit it with the reason")
    return not moves


def is_as_made(name: str) -> bool:
    """Return whether a step's inputs and outputs are those of the last time that it was made."""
    return _is_as_noted(step(name), _read_manifest())


def _is_as_noted(each: Step, manifest: Mapping[str, Mapping]) -> bool:
    return manifest.get(each.name, {}).get("state") == each.state()


class _Making:
    """Runs the stale steps in as many processes as this one may use cores."""

    def __init__(self, wanted: Sequence[Step], say: Say, force: bool) -> None:
        self._say, self._force, self._began = say, force, time.monotonic()
        self._known = _read_manifest()
        self._by_name = {each.name: each for each in wanted}
        stale = [each.name for each in wanted if self._is_stale(each)]
        # The README is checked after the tables that it shows are made.
        self.stale = [name for name in stale if name != README_STEP] or stale
        self._done: list[str] = []

    def all(self) -> None:
        """Make the stale steps; the README last, since it shows the tables. Finished steps are kept
        after a failure or an interrupt."""
        self._say(f"to make: {len(self.stale)} steps{self._estimate(self.stale)}")
        cores = machine.cores()
        tasks = self._tasks([name for name in self.stale if name != README_STEP])
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(cores, len(tasks) or 1), spawn) as pool:
            futures = [pool.submit(_make, names, self._force) for names in tasks]
            try:
                for future in as_completed(futures):
                    self._note(future.result())
            except BaseException:
                for future in futures:
                    future.cancel()  # running steps are awaited, or end with this process at Ctrl-C
                raise
        readme = self._by_name.get(README_STEP)
        if readme and self._is_stale(readme):
            self.stale = list(dict.fromkeys([*self.stale, README_STEP]))
            self._note(_make([README_STEP], self._force))

    def summary(self) -> str:
        """Return the steps made, in their order."""
        names = [name for name in self._by_name if name in self._done]
        return f"made {', '.join(names)} in {time.monotonic() - self._began:.1f} s"

    def _is_stale(self, each: Step) -> bool:
        return self._force or not _is_as_noted(each, self._known)

    def _tasks(self, names: Sequence[str]) -> list[list[str]]:
        """Return groups of steps that share runs, longest first, but after the first figure."""
        together = [[name for name in group if name in names] for group in TASKS]
        grouped = {name for group in together for name in group}
        tasks = [group for group in together if group]
        tasks += [[name] for name in names if name not in grouped]
        return sorted(tasks, key=lambda each: (each != [f"figure {FIRST}"], -self._last_s(each)))

    def _last_s(self, names: Sequence[str]) -> float:
        """Return the steps' last duration in seconds; the average for a step without one."""
        known = {name: each["seconds"] for name, each in self._known.items() if "seconds" in each}
        usual = sum(known.values()) / len(known) if known else 0.0
        return sum(known.get(name, usual) for name in names)

    def _estimate(self, names: Sequence[str]) -> str:
        seconds = self._last_s(names) / machine.cores()
        return f", about {seconds:.0f} s" if seconds else ""

    def _note(self, took: dict[str, float]) -> None:
        for name, seconds in took.items():
            self._known[name] = {"state": self._by_name[name].state(), "seconds": seconds}
            self._done.append(name)
            left = [each for each in self.stale if each not in self._done]
            rest = self._estimate(left) if left else ""
            rest = f"{rest} left" if rest else ""
            self._say(f"[{len(self._done)}/{len(self.stale)}] {name}: {seconds:.1f} s{rest}")
        write_whole({MANIFEST: json.dumps(self._known, indent=1).encode()})


def _make(names: Sequence[str], force: bool) -> dict[str, float]:
    """Make these steps in order, and return the seconds that each took."""
    return {name: make(step(name), force) for name in names}


def make(step: Step, force: bool) -> float:
    """Make one step and return the seconds that it took. `force` repeats its runs as well."""
    from study.runs.batch import run_again
    from study.runs.progress import quiet

    # Objects of earlier steps are left out of garbage collection, a tenth of a figure's time.
    gc.collect()
    gc.freeze()
    began, context = time.monotonic(), copy_context()
    context.run(run_again.set, force)
    context.run(quiet.set, True)
    context.run(step.make)
    return round(time.monotonic() - began, 3)


def _read_manifest() -> dict:
    """Return the manifest, empty if it is missing or damaged, so that everything is made again."""
    try:
        known = json.loads(MANIFEST.read_text())
        return {name: each for name, each in known.items() if isinstance(each, dict)}
    except (OSError, ValueError, AttributeError):
        return {}
