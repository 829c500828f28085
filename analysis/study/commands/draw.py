# SPDX-License-Identifier: GPL-2.0-only
"""`study figure`: lists the figures, draws one of the study, all of them, or a kind of any system,
and writes the files or tells the runs behind it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from study.base.errors import StudyError, unknown
from study.base.project import BUILD, check_folder, shown, write_whole
from study.base.units import seconds
from study.commands.usage import SystemCommand, into, of_a_system
from study.programs.noted import recorded
from study.system.system import System

if TYPE_CHECKING:
    from study.drawing import Span
    from study.drawing.captured import Captured
    from study.drawing.style import Drawing

    Wanted = dict[str, Callable[[], Drawing]]  # by the name of their files

FOLDER = BUILD / "figures"


@click.command(cls=SystemCommand)
@click.argument("name", required=False)
@click.argument("system", required=False, expose_value=False)
@of_a_system
@click.option("--from", "begin", metavar="TIME", help="Of a system: from this time of the job on.")
@click.option("--to", "end", metavar="TIME", help="Of a system: up to this time of the job.")
@click.option(
    "--width",
    "size",
    type=click.Choice(["column", "page", "slide"]),
    default="page",
    help="For a column, a page (the default) or a slide (16:9, with larger letters).",
)
@click.option(
    "--capture", metavar="CAPTURE", help="Of a system: a capture of the same job, beside it."
)
@into("build/figures")
@click.option("--provenance", is_flag=True, help="Print the runs behind it and write nothing.")
def figure(
    unchanged: System | None,
    chosen: System | None,
    name: str | None,
    begin: str | None,
    end: str | None,
    size: str,
    capture: str | None,
    folder: Path | None,
    provenance: bool,
) -> None:
    """Draw a figure of the study, or one of any system.

    NAME is a figure of the study or `all` of them; it is drawn as SVG, PDF and PNG, with its table
    as CSV and the runs behind it as JSON. With a SYSTEM, NAME is a kind of figure, which is drawn
    of it, with any parameters. Without a NAME, list what there is."""
    if name is None:
        click.echo(_listing())
        return
    if chosen is None and (begin or end):
        raise StudyError(f"--from and --to need a system: {name} SYSTEM ...")
    if chosen is None and capture:
        raise StudyError(f"--capture needs a system: {name} SYSTEM --capture {capture}")
    from study.drawing import Span
    from study.drawing.style import rendered
    from study.publishing.sidecar import sidecar, text

    span = Span(seconds(begin or "0s"), None if end is None else seconds(end))
    captured = None if capture is None else _captured(capture, chosen)
    wanted = _wanted(name, chosen, span, size, captured)
    folder = folder or FOLDER
    if not provenance:
        check_folder(folder)
    for title, draw in wanted.items():
        with recorded() as runs:
            drawn = draw()
        behind = sidecar(title, size, drawn.caption, runs)
        if provenance:
            click.echo(text(behind))
            continue
        stem = folder / (title if size == "page" else f"{title}-{size}")
        files = rendered(drawn, stem, size)
        files[Path(f"{stem}.json")] = (json.dumps(behind, indent=1) + "\n").encode()
        write_whole(files)
        click.echo(f"{shown(stem)}.{{{','.join(path.suffix[1:] for path in files)}}}")


def _listing() -> str:
    """Every figure and kind with one line."""
    from study.drawing import KINDS
    from study.figures import FIGURES

    wide = max(map(len, [*FIGURES, *KINDS]))
    return "\n".join(
        [
            "Figures of the study: study figure NAME, or all",
            *(f"  {name:{wide}}  {FIGURES.about(name)}" for name in FIGURES),
            "",
            "Of any system: study figure NAME SYSTEM [--PARAMETER VALUE ...]",
            *(f"  {name:{wide}}  {KINDS.about(name)}" for name in KINDS),
        ]
    )


def _captured(path: str, system: System) -> "Captured":
    """The connection with most bytes, its ends called as the system's scenario calls its own."""
    from study.diagnosis.diagnosis import diagnose
    from study.diagnosis.segments import as_segments
    from study.drawing.captured import Captured
    from study.kit.scenario import judges

    system.check_leaves_segments()
    seen = diagnose(path).seen
    ends = judges(system.scenario).ends
    if system.scenario == "request-reply" and not seen.bulk_from_client:
        ends = ends[::-1]
    return Captured(Path(path).name, as_segments(seen, ends))


def _wanted(
    name: str,
    system: System | None,
    span: "Span",
    size: str,
    captured: "Captured | None" = None,
) -> "Wanted":
    """A figure of the study, or all; or a kind of figure, of a system with its changes."""
    from study.drawing import KINDS, draw
    from study.figures import FIGURES
    from study.figures import draw as draw_own

    if system is not None and name in KINDS:
        return {f"{name}-{system.name}": lambda: draw(name, system, span, size, captured)}
    if system is not None and name in FIGURES:
        raise StudyError(f"{name} is a figure of the study; give it without a system")
    if system is not None:
        raise unknown("kind of figure", name, KINDS)
    if name in [*FIGURES, "all"]:
        names = list(FIGURES) if name == "all" else [name]
        return {each: lambda each=each: draw_own(each, size) for each in names}
    if name in KINDS:
        raise StudyError(f"{name} needs a system, as in: study figure {name} hawking-hps1u")
    raise unknown("figure", name, {*FIGURES, "all", *KINDS})


COMMANDS = (figure,)
