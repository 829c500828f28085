# SPDX-License-Identifier: GPL-2.0-only
"""Commands that keep results/ up to date, `study reproduce`, `accept` and `kernel`, and commands
that publish it, `report`, `export` and `verify`."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from study.base.errors import StudyError, unknown
from study.base.project import (
    BUILD,
    check_folder,
    check_in_project,
    check_writable,
    shown,
    write_whole,
)
from study.commands.usage import PATH, file_option, into, system_or_capture

if TYPE_CHECKING:
    from study.kernel.transfers import Point


@click.command(name="reproduce")
@click.option("--force", is_flag=True, help="Make everything again, also what is up to date.")
@click.option("--first", is_flag=True, help="Only a first figure, which needs print-job alone.")
def reproduce_command(force: bool, first: bool) -> int:
    """Bring results/ and README.md up to date, doing only what changed.

    Ends with status 1 when a result differs from the reference (see `study accept`)."""
    from study.publishing.reproduce import reproduce, reproduce_first

    if first:
        reproduce_first(click.echo)
        return 0
    return 0 if reproduce(click.echo, force) else 1


@click.command(name="accept")
def accept_command() -> None:
    """Make the last results the reference for every later one.

    The reference becomes the results of the last `study reproduce`. Every later
    `study reproduce` compares its results with this reference."""
    from study.publishing.reproduce import accept

    accept(click.echo)


@click.command(name="report")
@click.argument("chosen", nargs=-1, metavar="[SYSTEM]...")
@click.option(
    "--author", "authors", multiple=True, metavar="NAME", help="An author; repeat it for more."
)
@click.option("--affiliation", default="", metavar="TEXT", help="Where they are.")
@click.option(
    "--date",
    default="",
    metavar="TEXT",
    help="Date of the document, as it is to appear [default: none].",
)
@click.option("--title", default="", metavar="TEXT", help="Title of the document.")
@click.option(
    "--as",
    "forms",
    default="html,pdf",
    show_default=True,
    metavar="FORMS",
    help="Of html, pdf and latex (source, with its figures).",
)
@click.option("--locale", default="en", metavar="LANGUAGE", help="Of the report: en or de.")
@into("build/report")
def report_command(
    chosen: tuple[str, ...],
    authors: tuple[str, ...],
    affiliation: str,
    date: str,
    title: str,
    forms: str,
    locale: str,
    folder: Path | None,
) -> None:
    """Make one document of the whole study, or of systems.

    Without SYSTEM, the document covers the study: the results of `study reproduce`, which are
    brought up to date first. A SYSTEM is a name, a TOML file or a capture, and is run now."""
    from study import report
    from study.drawing.languages import check
    from study.publishing.reproduce import reproduce
    from study.report.content import ROOM, Byline

    folder = folder or report.FOLDER
    wanted = tuple(each.strip() for each in forms.split(","))
    for each in wanted:
        if each not in report.FORMS:
            raise unknown("form", each, report.FORMS)
    check(locale, ROOM)
    own = [system_or_capture(name) for name in chosen]
    check_folder(folder)
    if "pdf" in wanted:
        report.fetch_typst(partial(click.echo, err=True))
    if not own:
        reproduce(click.echo)
    byline = Byline(authors, affiliation, date, title)
    for path in report.make(folder, own, byline, wanted, locale):
        click.echo(shown(path))


@click.command(name="export")
@click.argument("names", nargs=-1, metavar="[SYSTEM | FILE]...")
@click.option("--author", "authors", multiple=True, metavar="NAME", help="To be cited; or several.")
@click.option("--affiliation", default="", metavar="TEXT", help="Where they are.")
@click.option("--date", default="", metavar="YYYY-MM-DD", help="Of release; none unless given.")
@file_option("-o", "--output", "The archive [default: build/slow-transfer-study.zip].")
def export_command(
    names: tuple[str, ...],
    authors: tuple[str, ...],
    affiliation: str,
    date: str,
    output: Path | None,
) -> None:
    """Write tables, parameters, sources and figures as one archive.

    A Frictionless data package and RO-Crate with CITATION.cff, checksums and a README, of the study
    or of some SYSTEMs of it; made of what `study reproduce` writes, which is brought up to date
    first. A FILE is an author's own: a system (.toml), a capture (.pcap), a sweep (.parquet)."""
    from study.publishing.archive import NAME, Citation, archive, check
    from study.publishing.own import is_own
    from study.publishing.reproduce import reproduce

    output = output or BUILD / f"{NAME}.zip"
    check(names, date)
    check_writable(output)
    if not names or not all(map(is_own, names)):
        reproduce(click.echo)
    write_whole({output: archive(names, Citation(authors, affiliation, date))})
    click.echo(shown(output))


@click.command(name="verify")
@click.argument("archive", type=PATH)
@click.option("--all", "everything", is_flag=True, help="Figures and other tables, too: minutes.")
def verify_command(archive: Path, everything: bool) -> int:
    """Run an archive's systems again and say what is equal.

    ARCHIVE is what `study export` wrote. Ends with status 1 where something differs: a file, a
    version, a number; with 2 where it is no archive."""
    from study.publishing.verify import verify

    return 0 if verify(archive, click.echo, everything) else 1


@click.command(name="kernel")
@click.option(
    "--only", metavar="WORD", help="Only points whose name has this word; writes no table."
)
@click.option(
    "--captures", is_flag=True, help="Transfers of known cause instead, captured and diagnosed."
)
@click.option(
    "--again", is_flag=True, help="With --captures: diagnose those of the last time once more."
)
@click.option(
    "--live", is_flag=True, help="The same points with the kernel's client and a simulated server."
)
def kernel_command(only: str | None, captures: bool, again: bool, live: bool) -> None:
    """Measure this machine's own TCP over a wire of ours.

    Sender against receiver; takes minutes, and no privileges where network namespaces are open to
    all. Writes results/kernel.csv and results/kernel-packets.csv; what the simulation says of the
    same transfers is made by `study reproduce`. With --captures it makes captures whose cause is
    known, before and after one change, and says in results/diagnosis.csv how `study diagnose` did;
    with --live it writes results/kernel-live.csv.
    """
    if again and not captures:
        raise StudyError("--again is of --captures: it takes the captures of the last time")
    if captures and live:
        raise StudyError("--captures and --live are two measurements; give one of them")
    check_in_project("`study kernel`")
    if captures:
        return _captures(only, again)
    from study.kernel import PACKETS, TABLE, measure
    from study.kernel.transfers import points

    chosen = [each for each in points() if only is None or only in each.name]
    if not chosen:
        raise StudyError(f"no point of the kernel has {only!r} in its name")
    if live:
        return _live(chosen, only is None)
    table, packets = measure.measure(chosen, click.echo)
    if only is None:
        write_whole({TABLE: table.encode(), PACKETS: packets.encode()})
        click.echo(f"see {shown(TABLE)}; what the simulation says: ./waf reproduce")


def _live(chosen: list["Point"], writes: bool) -> None:
    from study.live import kernel_points

    table = kernel_points.measured(chosen, click.echo)
    if writes:
        write_whole({kernel_points.TABLE: table.encode()})
        click.echo(f"see {shown(kernel_points.TABLE)}")


def _captures(only: str | None, again: bool) -> None:
    from study.kernel import CAPTURES, DIAGNOSIS, capture_cases, verdicts
    from study.kernel.cases import cases

    chosen = [each for each in cases() if only is None or only in each.name]
    if not chosen:
        raise StudyError(f"no case of the kernel has {only!r} in its name")
    if not again:
        capture_cases.measured(chosen, click.echo, keeps=only is None)
    table = verdicts.judged(chosen, click.echo)
    if only is None:
        write_whole({DIAGNOSIS: verdicts.table_csv(table).encode()})
        click.echo(f"see {shown(DIAGNOSIS)}; the captures are in {shown(CAPTURES)}")


PUBLISH = (report_command, export_command, verify_command)
MAINTAIN = (reproduce_command, accept_command, kernel_command)
