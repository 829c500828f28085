# SPDX-License-Identifier: GPL-2.0-only
"""What `study figure` does: lists the figures, draws one of the study, all of them, or a kind of
any system, and writes the files or tells the runs behind it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from study import drawing, figures
from study.base.errors import StudyError, unknown
from study.base.project import BUILD, check_folder, shown, write_whole
from study.drawing import Span
from study.drawing.style import Drawing, rendered
from study.programs.noted import recorded
from study.publishing.sidecar import sidecar, text
from study.system.system import System

FOLDER = BUILD / "figures"


@dataclass(frozen=True)
class Request:
    """One figure to be drawn: its file's name, and how."""

    name: str
    draw: Callable[[], Drawing]


def listing() -> str:
    """Every figure and kind with one line."""
    wide = max(map(len, [*figures.FIGURES, *drawing.KINDS]))
    study = [f"  {name:{wide}}  {figures.FIGURES.about(name)}" for name in figures.FIGURES]
    kinds = [f"  {name:{wide}}  {drawing.KINDS.about(name)}" for name in drawing.KINDS]
    return "\n".join(
        [
            "Figures of the study: study figure NAME, or all",
            *study,
            "",
            "Of any system: study figure NAME SYSTEM [--PARAMETER VALUE ...]",
            *kinds,
        ]
    )


def of_study(name: str, size: str) -> list[Request]:
    """A figure of the study, or all."""
    known = [*figures.FIGURES, "all"]
    if name in drawing.KINDS and name not in known:
        raise StudyError(f"{name} needs a system, as in: study figure {name} hawking-hps1u")
    if name not in known:
        raise unknown("figure", name, {*known, *drawing.KINDS})
    names = list(figures.FIGURES) if name == "all" else [name]
    return [Request(name, lambda name=name: figures.draw(name, size)) for name in names]


def of_system(kind: str, system: System, span: Span, size: str) -> list[Request]:
    """A kind of figure, of a system with its changes."""
    if kind not in drawing.KINDS:
        if kind in figures.FIGURES:
            raise StudyError(f"{kind} is a figure of the study; give it without a system")
        raise unknown("kind of figure", kind, drawing.KINDS)
    return [
        Request(f"{kind}-{system.name}", lambda: drawing.draw(kind, system, span, size)),
    ]


def write(requests: list[Request], size: str, folder: Path, say: Callable[[str], None]) -> None:
    """Draw each and write SVG, PDF, PNG, the table and the runs behind it."""
    check_folder(folder)
    for request in requests:
        with recorded() as runs:
            drawn = request.draw()
        suffix = "" if size == "page" else f"-{size}"
        stem = folder / f"{request.name}{suffix}"
        entries = sidecar(request.name, size, drawn.caption, runs)
        files = rendered(drawn, stem, size)
        files[Path(f"{stem}.json")] = (json.dumps(entries, indent=1) + "\n").encode()
        write_whole(files)
        say(f"{shown(stem)}.{{{','.join(path.suffix[1:] for path in files)}}}")


def tell(requests: list[Request], size: str, say: Callable[[str], None]) -> None:
    """Draw each and print the runs behind it; nothing is written."""
    for request in requests:
        with recorded() as runs:
            drawn = request.draw()
        say(text(sidecar(request.name, size, drawn.caption, runs)))
