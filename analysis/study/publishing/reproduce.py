# SPDX-License-Identifier: GPL-2.0-only
"""Brings results/ and the README's table up to date, doing only what changed.

build/reproduce.json remembers the digest of every step's inputs and outputs. Checking them takes
milliseconds, so pandas and matplotlib are imported only by a step that runs.
"""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from study.base.errors import StudyError
from study.base.project import (
    BUILD,
    FIGURES,
    HOSTS,
    README,
    RESULTS,
    ROOT,
    SYSTEMS,
    scenario_program,
    scenarios,
    shown,
    write_whole,
)
from study.figures import FIGURES as FIGURE_MODULES

MANIFEST = BUILD / "reproduce.json"
TABLE = RESULTS / "reproduction.csv"
FORMULAS = RESULTS / "closed-forms.csv"
# The rooms that every result depends on; a figure depends on drawing/ and its own module, too.
BELOW = ("base", "programs", "system", "kit", "runs", "scenarios", "judging")


@dataclass(frozen=True)
class Step:
    """One output or group of outputs, what it is made from, and how."""

    name: str
    inputs: tuple[Path, ...]
    outputs: tuple[Path, ...]
    make: Callable[[], None]
    # What of an output is this step's own; only the README has parts that are not.
    digest_output: Callable[[Path], str]


def reproduce(say: Callable[[str], None], force: bool = False) -> bool:
    """Run the steps whose inputs or outputs are not as the manifest says, and report each through
    `say`. False when a result is no longer what was accepted."""
    began = time.monotonic()
    known = {} if force else _read_manifest()
    done = []
    for step in steps():
        if known.get(step.name) == _state(step):
            continue
        say(f"{step.name} ...")
        start = time.monotonic()
        _make(step, force)
        known[step.name] = _state(step)
        write_whole({MANIFEST: json.dumps(known, indent=1).encode()})
        done.append(step.name)
        say(f"{step.name}: {time.monotonic() - start:.1f} s")
    look = f"see {shown(TABLE)}, {shown(FORMULAS)}, {shown(FIGURES)}/ and {shown(README)}"
    if done:
        say(f"made {', '.join(done)} in {time.monotonic() - began:.1f} s: {look}")
    else:
        say(f"everything is up to date: {look}")
    return _is_as_accepted(say)


def _is_as_accepted(say: Callable[[str], None]) -> bool:
    """Name what moved, the furthest first."""
    from study.judging import reference, reproduction

    accepted = reference.read()
    if accepted is None:
        say(f"there is no {shown(reference.REFERENCE)} to compare with: study accept makes it")
        return True
    moves = reference.moves(accepted, reproduction.from_csv(_read(TABLE)))
    if moves:
        say(f"not as accepted in {shown(reference.REFERENCE)}:")
        for move in moves:
            say(str(move))
        say("if that is meant: .venv/bin/study accept, and commit it with the reason")
    return not moves


def accept(say: Callable[[str], None]) -> None:
    """Make the results of the last `reproduce` the reference."""
    from study.judging import reference, reproduction

    step = next(step for step in steps() if step.outputs == (TABLE,))
    if _read_manifest().get(step.name) != _state(step):
        raise StudyError(f"{shown(TABLE)} is not what the study gives now: run ./waf reproduce")
    table = reproduction.from_csv(_read(TABLE))
    accepted = reference.read()
    moves = reference.moves(accepted, table) if accepted is not None else []
    reference.write(table)
    for move in moves:
        say(str(move))
    say(f"accepted {len(table)} figures, {len(moves)} changes: commit them with the reason")


def _make(step: Step, force: bool) -> None:
    from study.runs.batch import run_again

    before = run_again.set(force)
    try:
        step.make()
    finally:
        run_again.reset(before)


def steps() -> list[Step]:
    """The table of figures, each figure, the closed forms' errors, and the README's blocks."""
    package = ROOT / "analysis" / "study"
    shared = _shared_inputs(package)
    drawing = sorted((package / "drawing").rglob("*.py"))
    figures = [
        Step(
            name=f"figure {name}",
            inputs=(*shared, *drawing, ROOT / "analysis" / _file(module)),
            outputs=tuple(FIGURES / f"{name}.{suffix}" for suffix in ("svg", "pdf", "png", "csv")),
            make=lambda name=name: _make_figure(name),
            digest_output=_digest,
        )
        for name, module in FIGURE_MODULES.items()
    ]
    table = Step("table of results", shared, (TABLE,), _make_table, _digest)
    formulas = Step("closed forms", shared, (FORMULAS,), _make_formulas, _digest)
    readme = Step(
        "README",
        (TABLE, FORMULAS, package / "publishing" / "readme.py", *shared),
        (README,),
        _make_readme,
        _digest_blocks,
    )
    return [table, *figures, formulas, readme]


def _shared_inputs(package: Path) -> tuple[Path, ...]:
    """Programs, systems, hosts, exchanges, the code of the rooms, and the versions it runs on."""
    sources = [package / "catalogue.py"]
    for room in BELOW:
        sources += (package / room).rglob("*.py")
    programs = [scenario_program(scenario) for scenario in scenarios()]
    systems = [*SYSTEMS.glob("*.toml"), *HOSTS.glob("*.toml")]
    exchanges = (ROOT / "tests").glob("*/timelines/*.txt")
    return tuple(sorted([*programs, *systems, *exchanges, *sources, ROOT / "requirements.lock"]))


def _file(module: str) -> Path:
    return Path(*module.split(".")).with_suffix(".py")


def _make_table() -> None:
    from study.judging import reproduction

    write_whole({TABLE: reproduction.to_csv(reproduction.rows()).encode()})


def _make_formulas() -> None:
    from study.judging import formula_errors

    write_whole({FORMULAS: formula_errors.to_csv(formula_errors.rows()).encode()})


def _make_readme() -> None:
    from study.judging import formula_errors, reproduction
    from study.publishing import readme

    table = reproduction.from_csv(_read(TABLE))
    formulas = formula_errors.from_csv(_read(FORMULAS))
    write_whole({README: readme.with_blocks(_read(README), table, formulas).encode()})


def _make_figure(name: str) -> None:
    from study.drawing.style import save_all
    from study.figures import draw

    save_all(draw(name), FIGURES / name)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise StudyError(
            f"cannot read {shown(path)}: {(error.strerror or str(error)).lower()}"
        ) from error


def _read_manifest() -> dict:
    try:
        known = json.loads(MANIFEST.read_text())
        return known if isinstance(known, dict) else {}
    except (OSError, ValueError):  # none yet, or not whole: then everything is made again
        return {}


def _state(step: Step) -> dict:
    inputs = {shown_in_project(path): _digest(path) for path in step.inputs}
    outputs = {shown_in_project(path): step.digest_output(path) for path in step.outputs}
    return {"inputs": inputs, "outputs": outputs}


def shown_in_project(path: Path) -> str:
    """The path relative to the project, so that a moved project is still up to date."""
    return str(path.relative_to(ROOT))


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "missing"


def _digest_blocks(path: Path) -> str:
    """The README's generated blocks alone: prose written around them makes nothing out of date."""
    from study.publishing import readme

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return "missing"
    return hashlib.sha256(readme.blocks(text).encode()).hexdigest()
