# SPDX-License-Identifier: GPL-2.0-only
"""`study figure`: lists the figures, draws one of the study, all of them, or a kind of any system,
and writes the files or tells the runs behind it; `study plot`: draws a sweep's table."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from study.base.errors import StudyError, unknown
from study.base.project import BUILD, check_folder, shown, write_whole
from study.base.units import seconds
from study.commands.look import Look, dressed
from study.commands.sweeps import lists_of, lists_option, read_table
from study.commands.usage import PATH, SystemOrCaptureCommand, into, of_a_system
from study.programs.noted import recorded
from study.system.system import System

if TYPE_CHECKING:
    from study.drawing import Span
    from study.drawing.beside_capture import Captured
    from study.drawing.style import Drawing
    from study.system.notes import Source

    Wanted = dict[str, Callable[[], Drawing]]  # by the files' names

FOLDER = BUILD / "figures"


@click.command(
    cls=SystemOrCaptureCommand, common=("--vary", "--by", "--size", "--from", "--output")
)
@click.argument("name", required=False)
@click.argument("system", required=False, expose_value=False)
@of_a_system
@click.option("--from", "begin", metavar="TIME", help="Of a system: from this time of the job on.")
@click.option("--to", "end", metavar="TIME", help="Of a system: up to this time of the job.")
@dressed
@lists_option(
    "--vary",
    about="Of a system, for a curve or (twice) a map: values of the parameter across, as in a"
    " sweep.",
)
@lists_option("--by", about="Of a system, for a curve: a curve for each of these values.")
@click.option(
    "--y",
    default="",
    metavar="NAME",
    help="Of a system, for a curve or a map: another number of a run than its rate.",
)
@click.option(
    "--capture", metavar="CAPTURE", help="Of a system: a capture of the same job, beside it."
)
@into("build/figures", "; NAME.png, .svg or another format is that one file")
@click.option("--provenance", is_flag=True, help="Print the runs behind it and write nothing.")
def figure(
    unchanged: System | None,
    chosen: System | None,
    name: str | None,
    begin: str | None,
    end: str | None,
    look: Look,
    vary: tuple[str, ...],
    by: tuple[str, ...],
    y: str,
    capture: str | None,
    folder: Path | None,
    provenance: bool,
) -> None:
    """Draw a figure of the study, or one of any system.

    NAME is a figure of the study or `all` of them; it is drawn as SVG, PDF and PNG, with its table
    as CSV and the runs behind it as JSON. With a SYSTEM, NAME is a kind of figure, drawn of SYSTEM
    with any parameters. A capture (.pcap) may stand for SYSTEM: the figure then shows the system
    that `diagnose` fits. Without a NAME, list all figures."""
    if name is None:
        click.echo(_listing())
        return
    given = {"--from": begin, "--to": end, "--capture": capture, "--vary": vary, "--by": by}
    for option, value in ({**given, "--y": y} if chosen is None else {}).items():
        if value:
            shown_value = value if isinstance(value, str) else value[0]
            raise StudyError(f"{option} needs a system: {name} SYSTEM {option} {shown_value}")
    from study.drawing import Span
    from study.publishing.sidecar import sidecar, text

    span = Span(seconds(begin or "0s"), None if end is None else seconds(end))
    captured = None if capture is None else _captured(capture, chosen)
    lists: dict[str, object] = {"y": y}
    if chosen is not None:
        lists |= {"vary": lists_of(chosen.scenario, "--vary", vary)}
        lists |= {"by": lists_of(chosen.scenario, "--by", by)}
    wanted = _wanted(name, chosen, span, look, captured, lists | {"before": unchanged})
    folder = folder or FOLDER
    if not provenance and (len(wanted) > 1 or not look.is_file(folder)):
        check_folder(folder)
    for title, draw in wanted.items():
        with recorded() as runs:
            drawn = draw()
        behind = sidecar(title, look.size, drawn.caption, runs, _sources(name, chosen))
        if drawn.missing:
            click.echo(f"study: {drawn.missing}", err=True)
        if provenance:
            click.echo(text(behind))
            continue
        _write(drawn, look, folder, title, behind)


def _sources(name: str, chosen: System | None) -> list["Source"]:
    """Return the sources that a figure's systems are quoted from."""
    from study.catalogue import systems
    from study.figures import FIGURES, systems_of

    about = [chosen] if chosen is not None else []
    if chosen is None and name in FIGURES:
        about = [systems[each] for each in systems_of(name)]
    return list(dict.fromkeys(source for each in about for source in each.sources))


def _write(drawn: "Drawing", look: Look, folder: Path, title: str, behind: dict | None) -> None:
    """Write a drawing's files, with its origin in each and in a file beside them."""
    from study.drawing.files import rendered
    from study.publishing.sidecar import origin

    stem = look.stem(folder, title)
    command = shlex.join(["study", *sys.argv[1:]])
    if look.is_file(folder):
        form, made_by = (folder.suffix[1:],), origin(command, behind)
        write_whole(rendered(drawn, folder.with_suffix(""), look.size, form, made_by, look.locale))
        click.echo(shown(folder))
        return
    made_by = origin(command, behind)
    files = rendered(drawn, stem, look.size, look.formats, made_by, look.locale)
    if behind is not None:
        beside = {**behind, "made_by": command}
        files[Path(f"{stem}.json")] = (json.dumps(beside, indent=1) + "\n").encode()
    write_whole(files)
    click.echo(f"{shown(stem)}.{{{','.join(path.suffix[1:] for path in files)}}}")


@click.command()
@click.argument("table", type=PATH)
@click.option("--x", required=True, metavar="COLUMN", help="The column across.")
@click.option("--y", required=True, metavar="COLUMN", help="The column upwards.")
@click.option("--by", metavar="COLUMN", help="A curve for each value of this column.")
@click.option("--title", default="", metavar="TEXT", help="What it shows, in a sentence.")
@dressed
@into("build/figures", "; NAME.png, .svg or another format is that one file")
def plot(
    table: Path, x: str, y: str, by: str | None, title: str, look: Look, folder: Path | None
) -> None:
    """Draw a sweep's table: one column against another.

    TABLE is a .csv or .parquet file, as `study sweep -o` writes it; a column may be named without
    its unit."""
    from study.drawing.plot import plot as plot_of

    folder = folder or FOLDER
    if not look.is_file(folder):
        check_folder(folder)
    made = read_table(table)
    drawn = plot_of(made, x, y, by, title=title, size=look.size, **look.options)
    _write(drawn, look, folder, table.stem, None)


def _listing() -> str:
    """Return every figure and kind with a line of description."""
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
    """Return the connection that lost most time, with its ends named as in the system's
    scenario."""
    from study.diagnosis.capture_segments import as_drawn
    from study.diagnosis.diagnosis import diagnose
    from study.drawing.beside_capture import Captured
    from study.kit.scenario import judges

    system.check_leaves_segments()
    found = diagnose(path)
    seen = found.seen
    near = judges(system.scenario).ends[0]
    ends = judges(system.scenario).ends
    if system.scenario == "request-reply" and not seen.bulk_from_client:
        ends = ends[::-1]
    return Captured(Path(path).name, as_drawn(seen, ends, near, found.rtt_s))


def _wanted(
    name: str,
    system: System | None,
    span: "Span",
    look: Look,
    captured: "Captured | None",
    lists: dict[str, object],
) -> "Wanted":
    """Return one or all figures of the study, or a kind of figure of a system."""
    from study.drawing import KINDS, draw
    from study.figures import FIGURES
    from study.figures import draw as draw_own

    if system is not None and name in KINDS:
        return {
            f"{name}-{system.name}": lambda: draw(
                name, system, span, look.size, captured, **look.options, **lists
            )
        }
    if system is not None and name in FIGURES:
        raise StudyError(f"{name} is a figure of the study; give it without a system")
    if system is not None:
        raise unknown("kind of figure", name, KINDS)
    if name in [*FIGURES, "all"]:
        names = list(FIGURES) if name == "all" else [name]
        return {each: lambda each=each: draw_own(each, look.size, **look.options) for each in names}
    if name in KINDS:
        raise StudyError(f"{name} needs a system, as in: study figure {name} hawking-hps1u")
    raise unknown("figure", name, {*FIGURES, "all", *KINDS})


COMMANDS = (figure, plot)
