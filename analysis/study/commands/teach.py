# SPDX-License-Identifier: GPL-2.0-only
"""Commands for a class: `study notebooks` and `study classroom`."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from study.base.errors import StudyError, unknown
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
@click.argument(
    "words", nargs=-1, metavar="[page|player|worksheet|answers|captures] [SYSTEM.toml]..."
)
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
    help="On the worksheet and the answers only the exercises of that lesson: 45, 60 or 90.",
)
@click.option(
    "--locale",
    default="en",
    metavar="LANGUAGE",
    help="Language of the worksheet and the answers: en or de. The page speaks both.",
)
@click.option("--serve", is_flag=True, help="Then show the page at an address of this machine.")
@click.option("--network", is_flag=True, help="With --serve: for others on the local network, too.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="PORT",
    help="With --serve: that port and not any free one.",
)
def classroom_command(
    words: tuple[str, ...],
    target: Path | None,
    minutes: int | None,
    locale: str,
    serve: bool,
    network: bool,
    port: int,
) -> None:
    """Make what a class needs: a page, worksheets, captures.

    PAGE is the class page: one HTML file that needs no network and no server. If `./waf browser`
    has built the module, the page contains ns-3 and takes SYSTEM.toml files. WORKSHEET has the
    exercises to print, ANSWERS their answers. PLAYER plays the sources' traces. CAPTURES are files
    for Wireshark."""
    from study import classroom

    kind, own = _kind(words)
    if kind != "page" and (own or serve):
        raise StudyError(f"a {kind} is the same for every system, and is not served: leave it out")
    if (network or port) and not serve:
        raise StudyError("--network and --port say how to show the page: add --serve")
    _check_lesson(kind, minutes, locale)
    chosen = target or classroom.FOLDER / classroom.file_of(kind, locale)
    classroom.check(kind, chosen)
    say = partial(click.echo, err=True)
    for path in classroom.make(kind, chosen, minutes, say, own, locale):
        size_kB = path.stat().st_size / 1000
        click.echo(f"{shown(path)}: {size_kB:,.0f} kB")
    if serve:
        from study.classroom.class_server import show

        show(chosen, network, port, click.echo)


def _kind(words: Sequence[str]) -> tuple[str, list[str]]:
    """Return what is to be made, and the user's own systems."""
    from study.classroom import KINDS

    kind, own = (words[0], words[1:]) if words and words[0] in KINDS else ("page", words)
    if strange := [word for word in own if not word.endswith(".toml")]:
        known = ", ".join(KINDS)
        raise StudyError(f"{strange[0]!r} is none of {known}, and no system's file (NAME.toml)")
    return kind, list(own)


def _check_lesson(kind: str, minutes: int | None, locale: str) -> None:
    from study.classroom.lesson import languages, lessons

    if locale not in languages():
        raise unknown("locale", locale, languages())
    if kind not in ("worksheet", "answers"):
        if minutes is not None:
            raise StudyError("--lesson chooses among exercises: it goes with worksheet and answers")
        if locale != "en":
            raise StudyError("--locale goes with worksheet and answers: the page speaks both")
    if minutes is None:
        return
    if minutes not in lessons():
        *others, last = map(str, lessons())
        known = f"{', '.join(others)} and {last}"
        raise StudyError(f"there is no lesson of {minutes} minutes: there are {known}")


COMMANDS = (notebooks_command, classroom_command)
