# SPDX-License-Identifier: GPL-2.0-only
"""`study classroom`."""

from pathlib import Path

import click

from study.base.errors import StudyError
from study.base.project import shown


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
@click.option(
    "--lesson",
    "minutes",
    metavar="MINUTES",
    type=int,
    help="On the sheet and the answers only the exercises of that lesson: 45 or 90.",
)
def classroom_command(kind: str, target: Path | None, minutes: int | None) -> None:
    """Make the classroom PAGE (one HTML file that needs no network and no server), the SHEET of
    exercises to print, its ANSWERS, or the CAPTURES that the exercises read in Wireshark."""
    from study import classroom

    _check_lesson(kind, minutes)
    chosen = target or classroom.FOLDER / classroom.KINDS[kind]
    classroom.check(kind, chosen)
    for path in classroom.make(kind, chosen, minutes, lambda line: click.echo(line, err=True)):
        size_kB = path.stat().st_size / 1000
        click.echo(f"{shown(path)}: {size_kB:,.0f} kB")


def _check_lesson(kind: str, minutes: int | None) -> None:
    from study.classroom.lesson import lessons

    if minutes is None:
        return
    if kind not in ("sheet", "answers"):
        raise StudyError("--lesson chooses among exercises: it goes with sheet and answers")
    if minutes not in lessons():
        known = " and ".join(str(each) for each in lessons())
        raise StudyError(f"there is no lesson of {minutes} minutes: there are {known}")
