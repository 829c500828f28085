# SPDX-License-Identifier: GPL-2.0-only
"""What a class works with: `study notebooks` and `study classroom`."""

from pathlib import Path

import click

from study.base.errors import StudyError
from study.base.project import check_folder, shown
from study.commands.usage import file_option, into


@click.command(name="notebooks")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--html", is_flag=True, help="Run them and write pages instead; open nothing.")
@into("build/notebooks")
def notebooks_command(names: tuple[str, ...], html: bool, folder: Path | None) -> int:
    """Open the notebooks in JupyterLab, or make pages of them.

    All of them or the one named. With --html run them, or those named, in clean kernels, and write
    each as one page, which needs no kernel and no network."""
    from study.notebooks import pages

    if not html:
        if folder is not None:
            raise StudyError("-o is of pages: add --html")
        return pages.open_lab(list(names), click.echo)
    folder = folder or pages.PAGES
    check_folder(folder)
    pages.publish(list(names), folder, click.echo)
    return 0


@click.command(name="classroom")
@click.argument("kind", type=click.Choice(["page", "sheet", "answers", "captures"]), default="page")
@file_option(
    "-o",
    "--output",
    "target",
    "Write there, not into build/classroom/ (for the captures, a folder).",
)
@click.option(
    "--lesson",
    "minutes",
    metavar="MINUTES",
    type=int,
    help="On the sheet and the answers only the exercises of that lesson: 45, 60 or 90.",
)
def classroom_command(kind: str, target: Path | None, minutes: int | None) -> None:
    """Make what a class needs: a page, sheets, captures.

    The classroom PAGE (one HTML file that needs no network and no server), the SHEET of exercises
    to print, its ANSWERS, or the CAPTURES that the exercises read in Wireshark."""
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
        *others, last = map(str, lessons())
        known = f"{', '.join(others)} and {last}"
        raise StudyError(f"there is no lesson of {minutes} minutes: there are {known}")


COMMANDS = (notebooks_command, classroom_command)
