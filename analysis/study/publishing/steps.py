# SPDX-License-Identifier: GPL-2.0-only
"""Steps of `study reproduce`: outputs, inputs and function of each."""

import csv
import hashlib
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from study import kernel
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
from study.notebooks import pages
from study.publishing.imports import Imports, imported_names

TABLE = RESULTS / "reproduction.csv"
FORMULAS = RESULTS / "closed-forms.csv"
CHANGES = RESULTS / "changes.csv"
LIMITS = FIGURES / "limits.csv"
TABLE_STEP, FORMULAS_STEP, README_STEP = "table of results", "closed forms", "README"
CHANGES_STEP, KERNEL_STEP = "what would change it", "kernel"
# Slow steps, which start early; steps in one row share their runs in one process.
TASKS = (
    (CHANGES_STEP,),
    (FORMULAS_STEP, "figure formula-errors"),
    (TABLE_STEP, "figure residuals", "figure throughput-vs-loss"),
    (KERNEL_STEP, "figure kernel"),
    ("figure sensitivity",),
)


def digest(path: Path) -> str:
    """Return a file's SHA-256 digest, or "missing"."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "missing"


@dataclass(frozen=True)
class Step:
    """One output or group of outputs, with its inputs and the function that makes it."""

    name: str
    find_inputs: Callable[[], tuple[Path, ...]]
    outputs: tuple[Path, ...]
    make: Callable[[], None]
    # Digest of the step's own part of an output; only the README has other parts.
    digest_output: Callable[[Path], str] = digest

    @cached_property
    def inputs(self) -> tuple[Path, ...]:
        """Return the files that the outputs are made of. A worker that only makes the step does not
        need them, and finding them takes as long as drawing a figure."""
        return self.find_inputs()

    def state(self) -> dict:
        """Return the digests of inputs and outputs by path in the project, so that a moved project
        is still up to date."""
        inputs = {str(path.relative_to(ROOT)): digest(path) for path in self.inputs}
        outputs = {str(path.relative_to(ROOT)): self.digest_output(path) for path in self.outputs}
        return {"inputs": inputs, "outputs": outputs}


def steps() -> list[Step]:
    """Return all steps: the table, each figure, the closed forms' errors, README's blocks and
    more."""
    imports = Imports()

    def csv_step(name: str, module: str, file: Path) -> Step:
        inputs = partial(_inputs, imports, [module])
        return Step(name, inputs, (file,), partial(_make_csv, module, file))

    def blocks() -> tuple[Path, ...]:
        return TABLE, LIMITS, *_inputs(imports, ["study.publishing.readme"])

    return [
        csv_step(TABLE_STEP, "study.judging.reproduction", TABLE),
        *(_figure(imports, name) for name in FIGURE_MODULES),
        csv_step(FORMULAS_STEP, "study.judging.closed_forms", FORMULAS),
        csv_step(CHANGES_STEP, "study.answers.changes", CHANGES),
        csv_step(KERNEL_STEP, "study.kernel.kernel_comparison", COMPARISON),
        *_notebooks(imports),
        Step(README_STEP, blocks, (README,), _make_readme, _digest_blocks),
    ]


def step(name: str) -> Step:
    """Return the step of that name. A figure's does not need other figures' programs."""
    kind, _, figure = name.partition(" ")
    if kind == "figure" and figure in FIGURE_MODULES:
        return _figure(Imports(), figure)
    if kind == "notebook":
        return _notebook(Imports(), figure)
    return next(each for each in steps() if each.name == name)


def _notebooks(imports: Imports) -> list[Step]:
    """Return a step for each notebook; none if Jupyter is not installed."""
    if any(find_spec(name) is None for name in pages.NEEDED):
        return []
    return [_notebook(imports, name) for name in pages.names()]


def _notebook(imports: Imports, name: str) -> Step:
    text, lesson = pages.FOLDER / f"{name}.md", pages.FOLDER / "lesson"

    def inputs() -> tuple[Path, ...]:
        modules = ["study.catalogue", "study.notebooks.pages", *imported_names(read_text(text))]
        return text, lesson / "exercises.toml", *_inputs(imports, modules)

    return Step(
        name=f"notebook {name}",
        find_inputs=inputs,
        outputs=(text.with_suffix(".ipynb"),),
        make=partial(pages.save, name),
    )


def _figure(imports: Imports, name: str) -> Step:
    modules = [FIGURE_MODULES[name], "study.drawing.files"]
    return Step(
        name=f"figure {name}",
        find_inputs=lambda: _inputs(imports, modules, systems_of(name)),
        outputs=tuple(FIGURES / f"{name}.{suffix}" for suffix in ("svg", "pdf", "png", "csv")),
        make=partial(_make_figure, name),
    )


def _inputs(imports: Imports, modules: list[str], about: Sequence[str] = ()) -> tuple[Path, ...]:
    """Return the inputs of these modules: their files and imports, the files that these read, the
    programs, the systems in `about` (or all), and the versions of the software."""
    sources = imports.files(modules)
    named = [SYSTEMS / f"{name}.toml" for name in about]
    needed = {tomllib.loads(path.read_text())["scenario"] for path in named if path.exists()}
    systems = named or SYSTEMS.glob("*.toml")
    programs = [BUILD / scenario for scenario in needed or scenarios()]
    read = [*HOSTS.glob("*.toml"), *(ROOT / "tests").glob("*/timelines/*.txt")]
    if Path(kernel.__file__) in sources:
        read += [MEASURED, PACKETS, POINTS, CASES, DIAGNOSIS, *KEPT.glob("*")]
    lock = ROOT / "requirements.lock"
    return tuple(sorted([*sources, *programs, *systems, *read, lock]))


def _make_csv(module: str, file: Path) -> None:
    table = import_module(module)
    write_whole({file: table.to_csv(table.rows()).encode()})


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
    """Return the digest of README's generated blocks alone. Other text does not count."""
    from study.publishing import readme

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return "missing"
    return hashlib.sha256(readme.blocks(text).encode()).hexdigest()
