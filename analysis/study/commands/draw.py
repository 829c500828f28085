# SPDX-License-Identifier: GPL-2.0-only
"""`study figure`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from study.base.errors import StudyError
from study.commands.usage import SystemCommand, into, of_a_system
from study.system.system import System

if TYPE_CHECKING:
    from study.drawing import Span


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
@into("build/figures")
@click.option("--provenance", is_flag=True, help="Print the runs behind it and write nothing.")
def figure(
    unchanged: System | None,
    chosen: System | None,
    name: str | None,
    begin: str | None,
    end: str | None,
    size: str,
    folder: Path | None,
    provenance: bool,
) -> None:
    """Draw a figure of the study, or one of any system.

    NAME is a figure of the study or `all` of them; it is drawn as SVG, PDF and PNG, with its table
    as CSV and the runs behind it as JSON. With a SYSTEM, NAME is a kind of figure, which is drawn
    of it, with any parameters. Without a NAME, list what there is."""
    from study.commands import figures as files

    if name is None:
        click.echo(files.listing())
        return
    if chosen is not None:
        requests = files.of_system(name, chosen, _span(begin, end), size)
    elif begin is None and end is None:
        requests = files.of_study(name, size)
    else:
        raise StudyError(f"--from and --to need a system: {name} SYSTEM ...")
    if provenance:
        files.tell(requests, size, click.echo)
    else:
        files.write(requests, size, folder or files.FOLDER, click.echo)


def _span(begin: str | None, end: str | None) -> "Span":
    from study.base.units import seconds
    from study.drawing import Span

    return Span(seconds(begin or "0s"), None if end is None else seconds(end))


COMMANDS = (figure,)
