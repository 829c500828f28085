# SPDX-License-Identifier: GPL-2.0-only
"""The steps of `study reproduce`: what is made, from what, and how."""

import csv
import hashlib
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

from study.base.project import (
    BUILD,
    FIGURES,
    HOSTS,
    README,
    RESULTS,
    ROOT,
    SYSTEMS,
    read_text,
    scenarios,
    write_whole,
)
from study.figures import FIGURES as FIGURE_MODULES
from study.figures import systems_of
from study.kernel import CASES, COMPARISON, DIAGNOSIS, KEPT, PACKETS, POINTS
from study.kernel import TABLE as MEASURED

TABLE = RESULTS / "reproduction.csv"
FORMULAS = RESULTS / "closed-forms.csv"
CHANGES = RESULTS / "changes.csv"
LIMITS = FIGURES / "limits.csv"
PACKAGE = ROOT / "analysis" / "study"
# The rooms that every result depends on; a figure depends on drawing/ and its own module, too.
BELOW = ("base", "programs", "system", "kit", "runs", "scenarios", "judging")
TABLE_STEP, FORMULAS_STEP, README_STEP = "table of results", "closed forms", "README"
CHANGES_STEP, KERNEL_STEP = "what would change it", "kernel"
OF_CAPTURES = ("captured", "diagnosis")  # figures that need no program
# Steps that share their runs, so that one process makes them.
TOGETHER = (
    (TABLE_STEP, "figure residuals"),
    (FORMULAS_STEP, "figure formula-errors"),
    (KERNEL_STEP, "figure kernel"),
)


def digest(path: Path) -> str:
    """Of a whole file."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "missing"


@dataclass(frozen=True)
class Step:
    """One output or group of outputs, what it is made from, and how."""

    name: str
    inputs: tuple[Path, ...]
    outputs: tuple[Path, ...]
    make: Callable[[], None]
    # What of an output is this step's own; only the README has parts that are not.
    digest_output: Callable[[Path], str] = digest

    def state(self) -> dict:
        """Inputs and outputs as they are, by their place in the project: a project that was moved
        is still up to date."""
        inputs = {str(path.relative_to(ROOT)): digest(path) for path in self.inputs}
        outputs = {str(path.relative_to(ROOT)): self.digest_output(path) for path in self.outputs}
        return {"inputs": inputs, "outputs": outputs}


def steps() -> list[Step]:
    """The table of figures, each figure, the closed forms' errors, and the README's blocks."""
    every = _inputs(scenarios(), SYSTEMS.glob("*.toml"))
    table = Step(TABLE_STEP, every, (TABLE,), partial(_make_csv, "judging.reproduction", TABLE))
    make_formulas = partial(_make_csv, "judging.formula_errors", FORMULAS)
    formulas = Step(FORMULAS_STEP, every, (FORMULAS,), make_formulas)
    answers = sorted((PACKAGE / "answers").rglob("*.py"))
    make_changes = partial(_make_csv, "answers.changes", CHANGES)
    changes = Step(CHANGES_STEP, (*every, *answers), (CHANGES,), make_changes)
    blocks = (TABLE, LIMITS, PACKAGE / "publishing" / "readme.py", *answers, *every)
    readme = Step(README_STEP, blocks, (README,), _make_readme, _digest_blocks)
    return [table, *map(_figure, FIGURE_MODULES), formulas, changes, _kernel(), readme]


def _kernel() -> Step:
    """The simulated column beside the kernel's; what was measured is an input like any other."""
    inputs = (*_inputs(["request-reply"], ()), *_of_kernel())
    return Step(KERNEL_STEP, inputs, (COMPARISON,), _make_kernel)


def _of_kernel() -> tuple[Path, ...]:
    sources = sorted((PACKAGE / "kernel").glob("*.py"))
    return (MEASURED, PACKETS, POINTS, *sources)


def _of_captures() -> tuple[Path, ...]:
    """The captures that are kept, and what judges them."""
    rooms = ("kernel", "captures", "diagnosis")
    sources = [path for room in rooms for path in sorted((PACKAGE / room).rglob("*.py"))]
    return (*sorted(KEPT.glob("*")), CASES, *sources)


def step(name: str) -> Step:
    """The one of that name; for a figure it needs no other figure's programs."""
    kind, _, figure = name.partition(" ")
    if kind == "figure" and figure in FIGURE_MODULES:
        return _figure(figure)
    return next(each for each in steps() if each.name == name)


def _figure(name: str) -> Step:
    about = [SYSTEMS / f"{system}.toml" for system in systems_of(name)]
    needed = {tomllib.loads(path.read_text())["scenario"] for path in about if path.exists()}
    inputs = _inputs(sorted(needed) or scenarios(), about or SYSTEMS.glob("*.toml"))
    drawing = sorted((PACKAGE / "drawing").rglob("*.py"))
    if name == "kernel":
        inputs = (*inputs, *_of_kernel())
    if name in OF_CAPTURES:
        inputs = (DIAGNOSIS, *_of_captures())
    module = PACKAGE.parent.joinpath(*FIGURE_MODULES[name].split(".")).with_suffix(".py")
    return Step(
        name=f"figure {name}",
        inputs=(*inputs, *drawing, module),
        outputs=tuple(FIGURES / f"{name}.{suffix}" for suffix in ("svg", "pdf", "png", "csv")),
        make=partial(_make_figure, name),
    )


def _inputs(needed: Iterable[str], systems: Iterable[Path]) -> tuple[Path, ...]:
    """Programs, systems, hosts, exchanges, the code of the rooms, and the versions it runs on."""
    sources = [PACKAGE / "catalogue.py"]
    for room in BELOW:
        sources += (PACKAGE / room).rglob("*.py")
    programs = [BUILD / scenario for scenario in needed]
    exchanges = (ROOT / "tests").glob("*/timelines/*.txt")
    lock = ROOT / "requirements.lock"
    return tuple(sorted([*programs, *systems, *HOSTS.glob("*.toml"), *exchanges, *sources, lock]))


def _make_csv(module: str, file: Path) -> None:
    table = import_module(f"study.{module}")
    write_whole({file: table.to_csv(table.rows()).encode()})


def _make_kernel() -> None:
    from study.kernel import comparison

    write_whole({COMPARISON: comparison.to_csv(comparison.rows()).encode()})


def _make_readme() -> None:
    from study.judging import reproduction
    from study.publishing import readme

    table = reproduction.from_csv(read_text(TABLE))
    limits = list(csv.DictReader(read_text(LIMITS).splitlines()))
    write_whole({README: readme.with_blocks(read_text(README), table, limits).encode()})


def _make_figure(name: str) -> None:
    from study.drawing.files import save_all
    from study.figures import draw

    save_all(draw(name), FIGURES / name)


def _digest_blocks(path: Path) -> str:
    """The README's generated blocks alone: prose written around them makes nothing out of date."""
    from study.publishing import readme

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return "missing"
    return hashlib.sha256(readme.blocks(text).encode()).hexdigest()
