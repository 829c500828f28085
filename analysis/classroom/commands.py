# SPDX-License-Identifier: GPL-2.0-only
"""`study classroom`."""

from pathlib import Path

import click

from analysis.project import shown


@click.command(name="classroom", short_help="Make what a class needs: a page, sheets, captures.")
@click.argument("kind", type=click.Choice(["page", "sheet", "answers", "captures"]), default="page")
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    type=Path,
    help="Write there, not into build/classroom/ (for the captures, a folder).",
)
def classroom_command(kind: str, target: Path | None) -> None:
    """Make the classroom PAGE (one HTML file that needs no network and no server), the SHEET of
    exercises to print, its ANSWERS, or the CAPTURES that the exercises read in Wireshark."""
    from analysis import classroom

    chosen = target or classroom.FOLDER / classroom.KINDS[kind]
    classroom.check(kind, chosen)
    for path in classroom.make(kind, chosen, lambda line: click.echo(line, err=True)):
        size_kB = path.stat().st_size / 1000
        click.echo(f"{shown(path)}: {size_kB:,.0f} kB")
