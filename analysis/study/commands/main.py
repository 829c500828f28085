# SPDX-License-Identifier: GPL-2.0-only
"""The command `study`. Parses, calls, prints; a user's mistake is one line on standard error and
status 2."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from study.base.errors import StudyError
from study.base.project import check_folder, check_writable, shown, write_whole
from study.catalogue import systems
from study.commands.classroom import classroom_command
from study.commands.sweeps import store_command, sweep_command
from study.commands.usage import IN_FULL, SystemCommand, given_parameters, sentence
from study.programs.declaration import declaration
from study.system.system import Result, System

if TYPE_CHECKING:
    from study.drawing import Span

INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    try:
        status = study.main(arguments, prog_name="study", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except StudyError as error:
        return _fail(str(error))
    except click.ClickException as error:
        return _fail(sentence(error))
    except (click.Abort, KeyboardInterrupt) as error:
        print(str(error.__cause__ or error) or "interrupted", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:  # click itself ends quietly when the reader of a pipe has left
        where = error.filename or "input or output"
        return _fail(f"{where}: {(error.strerror or str(error)).lower()}")


def _fail(message: str) -> int:
    print(f"study: {' '.join(message.split())}", file=sys.stderr)
    return 2


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.pass_context
def study(ctx: click.Context) -> None:
    """How fast will this transfer go, what holds it back, and what would change that?"""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _of_a_system(command: click.Command) -> click.Command:
    """The argument and the options of every command that runs a system."""
    style = click.option(
        "--format",
        "style",
        type=click.Choice(["text", "json"]),
        default="text",
        help="How to print the result.",
    )
    host = click.option(
        "--host",
        metavar="NAME",
        help="Put another host profile (see `study systems`) in its place.",
    )
    return click.argument("system")(style(host(command)))


def _chosen(system: str, host: str | None, given: dict[str, str | None]) -> tuple[System, System]:
    """The system as its file has it, and as the options want it."""
    unchanged = systems[system]
    behind = unchanged if host is None else unchanged.with_host(host)
    return unchanged, behind.with_(**given_parameters(given))


@study.command(
    cls=SystemCommand, short_help="Simulate a system once, as measured or with parameters changed."
)
@_of_a_system
@click.option(
    "--pcap", metavar="FILE", type=Path, help="Write the packets, for Wireshark or tcpdump."
)
@click.option(
    "--wan-pcap", metavar="FILE", type=Path, help="Write the packets on the frame-relay line."
)
@click.option(
    "--segments",
    metavar="FILE",
    type=Path,
    help="Write the segment table: Parquet if FILE ends in .parquet, otherwise CSV.",
)
@IN_FULL
@click.option(
    "--describe",
    is_flag=True,
    help="Print the declaration of the parameters as JSON and run nothing.",
)
def run(
    system: str,
    style: str,
    host: str | None,
    pcap: Path | None,
    wan_pcap: Path | None,
    segments: Path | None,
    in_full: bool,
    describe: bool,
    **given: str | None,
) -> int:
    """Simulate SYSTEM (a name from scenarios/systems, or a .toml file of your own) and print how
    fast it went, what limited it, and what was measured. An option for a parameter replaces the
    system's value; `study what-if` shows the two side by side."""
    unchanged, chosen = _chosen(system, host, given)
    files = {"--pcap": pcap, "--wan-pcap": wan_pcap, "--segments": segments}
    if describe:
        if chosen != unchanged or host is not None or any(files.values()) or in_full:
            raise StudyError("--describe runs nothing; give it without parameters and files")
        click.echo(declaration(unchanged.scenario).text, nl=False)
        return 0
    _check_files(files)
    if segments is not None:
        chosen.check_leaves_segments()
    keep = segments is not None or (style == "text" and chosen == unchanged)
    result = chosen.run(segments=keep, pcap=pcap, wan_pcap=wan_pcap, fast_forward=not in_full)
    if style == "json":
        text = json.dumps({"system": chosen.name} | result.record)
    else:
        from study.answers import outcome

        text = (
            outcome.as_measured(chosen, result)
            if chosen == unchanged
            else outcome.as_changed(unchanged, chosen, result)
        )
    if segments is not None:
        write_whole({segments: _table(result, segments)})
    click.echo(text)
    return 0


def _table(result: Result, file: Path) -> bytes:
    """The segment table as the program wrote it, or as the file's name asks for."""
    if file.suffix != ".parquet":
        return result.segments_csv.encode()
    from study.runs.table import as_bytes

    return as_bytes(result.segments, file.suffix)


@study.command(
    name="what-if", cls=SystemCommand, short_help="Simulate a job before and after a change."
)
@_of_a_system
def what_if_command(system: str, style: str, host: str | None, **given: str | None) -> None:
    """Simulate SYSTEM as it is and with the given parameters, and show the two side by side: the
    rate, the time, and what limited it."""
    unchanged, chosen = _chosen(system, host, given)
    if chosen == unchanged:
        raise StudyError("nothing is changed; give a parameter, as in --receive-window 5840")
    from study.answers.what_if import what_if

    answer = what_if(unchanged, chosen)
    click.echo(json.dumps(answer.record()) if style == "json" else str(answer))


@study.command(
    name="explain", cls=SystemCommand, short_help="Say why a job is slow and what would change it."
)
@_of_a_system
def explain_command(system: str, style: str, host: str | None, **given: str | None) -> None:
    """Explain SYSTEM on one screen: its rate, the exchange that it repeats, what its time went to,
    the closed form with its numbers, and what became of it with one thing changed at a time: what
    would help most, what would change nothing, what would make it worse. All of it is simulated;
    with parameters given, around them."""
    unchanged, chosen = _chosen(system, host, given)
    from study.answers.explain import explain

    answer = explain(chosen, unchanged)
    click.echo(json.dumps(answer.record()) if style == "json" else str(answer))


@study.command(
    name="sensitivity",
    cls=SystemCommand,
    short_help="Rank the parameters that a job's rate rests on.",
)
@_of_a_system
def sensitivity_command(system: str, style: str, host: str | None, **given: str | None) -> None:
    """Move every number of SYSTEM within 20 % of its value and print which of them change its rate
    most: 1 is in proportion, 0 is nothing."""
    _, chosen = _chosen(system, host, given)
    from study.runs.sensitivity import sensitivity

    found = sensitivity(chosen)
    click.echo(json.dumps(found.record()) if style == "json" else str(found))


def _check_files(files: dict[str, Path | None]) -> None:
    """Before the run: what could not be written after it."""
    named: dict[Path, str] = {}
    for flag, path in files.items():
        if path is None:
            continue
        check_writable(path)
        first = named.setdefault(path.resolve(), flag)
        if first != flag:
            raise StudyError(f"{first} and {flag} both name {path}; give each a file of its own")


@study.command(cls=SystemCommand, short_help="Draw a figure of the study, or one of any system.")
@click.argument("name", required=False)
@click.argument("system", required=False)
@click.option("--host", metavar="NAME", help="Put another host profile in the system's place.")
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
    "-o", "--output", "folder", metavar="FOLDER", type=Path, help="Write there, not build/figures."
)
@click.option("--provenance", is_flag=True, help="Print the runs behind it and write nothing.")
def figure(
    name: str | None,
    system: str | None,
    host: str | None,
    begin: str | None,
    end: str | None,
    size: str,
    folder: Path | None,
    provenance: bool,
    **given: str | None,
) -> None:
    """Draw NAME, a figure of the study or `all` of them, as SVG, PDF and PNG, with its table as CSV
    and the runs behind it as JSON. With a SYSTEM, draw that kind of figure of it, with any
    parameters. Without a NAME, list what there is."""
    from study.commands import figures as files

    if name is None:
        click.echo(files.listing())
        return
    changes = given_parameters(given)
    if system is None and (changes or any(item is not None for item in (host, begin, end))):
        raise StudyError(f"a parameter, --host, --from and --to need a system: {name} SYSTEM ...")
    if system is None:
        requests = files.of_study(name, size)
    else:
        chosen = systems[system] if host is None else systems[system].with_host(host)
        requests = files.of_system(name, chosen.with_(**changes), _span(begin, end), size)
    if provenance:
        files.tell(requests, size, click.echo)
    else:
        files.write(requests, size, folder or files.FOLDER, click.echo)


def _span(begin: str | None, end: str | None) -> "Span":
    from study.base.units import seconds
    from study.drawing import Span

    return Span(seconds(begin or "0s"), None if end is None else seconds(end))


@study.command(name="reproduce")
@click.option("--force", is_flag=True, help="Make everything again, also what is up to date.")
def reproduce_command(force: bool) -> int:
    """Bring results/ and the tables in README.md up to date, doing only what changed. Ends with
    status 1 when a result is not what was accepted (see `study accept`)."""
    from study.publishing.reproduce import reproduce

    return 0 if reproduce(click.echo, force) else 1


@study.command(name="accept")
def accept_command() -> None:
    """Make the results of the last `reproduce` the reference that every later one is compared
    with."""
    from study.publishing.reproduce import accept

    accept(click.echo)


@study.command(name="report")
@click.option(
    "-o", "--output", "folder", metavar="FOLDER", type=Path, help="Write there, not build/report."
)
def report_command(folder: Path | None) -> None:
    """Make one document of the whole study, report.html and report.pdf, of what `reproduce` writes,
    which is brought up to date first."""
    from study import report
    from study.publishing.reproduce import reproduce

    folder = folder or report.FOLDER
    report.check_installed()
    check_folder(folder)
    reproduce(click.echo)
    for path in report.make(folder):
        click.echo(shown(path))


@study.command(name="notebooks")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--html", is_flag=True, help="Run them and write pages instead; open nothing.")
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="FOLDER",
    type=Path,
    help="Not into build/notebooks.",
)
def notebooks_command(names: tuple[str, ...], html: bool, folder: Path | None) -> int:
    """Open JupyterLab on the notebooks, or on the one named. With --html run them, or those named,
    in clean kernels, and write each as one page, which needs no kernel and no network."""
    from study.notebooks import pages

    if not html:
        if folder is not None:
            raise StudyError("-o is of pages: add --html")
        return pages.open_lab(list(names), click.echo)
    folder = folder or pages.PAGES
    check_folder(folder)
    pages.publish(list(names), folder, click.echo)
    return 0


@study.command(name="systems")
def systems_command() -> int:
    """List the systems with a measured and the simulated figure, and the host profiles."""
    from study.answers.overview import overview

    text, unusable = overview()
    click.echo(text)
    return _fail(f"cannot use {', '.join(unusable)}; see above") if unusable else 0


study.add_command(sweep_command)
study.add_command(store_command)
study.add_command(classroom_command)

if __name__ == "__main__":
    sys.exit(main())
