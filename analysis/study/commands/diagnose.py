# SPDX-License-Identifier: GPL-2.0-only
"""Commands about a capture: `study diagnose` and `study compare`."""

import json
from dataclasses import replace
from pathlib import Path
from textwrap import fill

import click

from study.base.errors import StudyError
from study.base.project import check_writable, write_whole
from study.commands.usage import FORMAT, SECONDS, file_option, system_called

CONNECTION = click.option(
    "--connection",
    "number",
    type=int,
    metavar="N",
    help="Take this connection of the list  [default: the one that lost most time].",
)
AT = click.option(
    "--at",
    type=click.Choice(["sender", "receiver"]),
    help="Where it was captured  [default: found from the capture].",
)


@click.command()
@click.argument("capture")
@CONNECTION
@AT
@file_option("-o", "--output", "file", "Write the system to this file.", metavar="NAME.toml")
@FORMAT
@click.option("--full", is_flag=True, help="Print all facts, candidates and parameters.")
@click.option(
    "--time-limit",
    "seconds",
    type=SECONDS,
    default=20.0,
    show_default=True,
    metavar="SECONDS",
    help="CPU time of all simulation; the nearest system so far is then used.",
)
@file_option("--anonymise", "Write a capture of the headers, with other addresses.")
def diagnose(
    capture: str,
    number: int | None,
    at: str | None,
    file: Path | None,
    style: str,
    full: bool,
    seconds: float,
    anonymise: Path | None,
) -> None:
    """Say why a captured transfer is slow, and make a system of it.

    CAPTURE is pcap, pcapng or the text of tcpdump, also gzipped, or - for standard input. Prints
    what the packets show, then simulates a few systems that could have sent them. The one whose
    simulation is nearest says what limits the transfer and what a change would bring. With -o it
    writes that system, which `study run`, `explain` and `what-if` take."""
    from study.diagnosis.diagnosis import diagnose as diagnosed
    from study.diagnosis.printed import answer_text, facts_text
    from study.diagnosis.system_file import check_own

    for path in filter(None, (file, anonymise)):
        check_writable(path)
    if file is not None and file.suffix != ".toml":
        raise StudyError(f"-o: {file} has to end in .toml, by which a system's file is known")
    if file is not None:
        check_own(file)
    if anonymise is not None:
        if capture == "-":
            raise StudyError("--anonymise reads the capture twice; give it as a file")
        from study.captures.anonymous import anonymise as anonymised

        made = anonymised(capture, anonymise)
        told = f"{made.packets:,} packets, {made.left_out:,} left out"
        click.echo(f"{anonymise}: {told}", err=True)
    found = replace(diagnosed(capture, number, at, seconds=seconds), file=file, full=full)
    if style == "text":  # at once, before the simulations
        click.echo(f"{facts_text(found)}\n")
    runs = found.answer is not None
    if file is not None and runs:
        write_whole({file: found.toml().encode()})
    click.echo(json.dumps(found.record()) if style == "json" else answer_text(found))
    if file is not None and not runs:
        raise StudyError(f"-o: {file} is not written: {found.why_not_simulated}")


@click.command()
@click.argument("system")
@click.argument("capture")
@CONNECTION
@AT
@FORMAT
def compare(system: str, capture: str, number: int | None, at: str | None, style: str) -> None:
    """Put a system's simulation beside a capture.

    Prints, for SYSTEM (a name, or a .toml file as `study diagnose -o` writes it) and CAPTURE, both
    rates, the distance between their curves of bytes, what the simulated time went to, and the
    first packet at which the two curves differ by more than 5 % of all bytes."""
    from study.base.wrapping import WIDTH
    from study.diagnosis.compare import compare as compared
    from study.diagnosis.diagnosis import diagnose as diagnosed

    chosen = system_called(system)
    found = diagnosed(capture, number, at)
    beside = compared(chosen, found.seen)
    if style == "json":
        another = {"may_be_another": beside.may_be_another} if beside.may_be_another else {}
        click.echo(json.dumps(beside.record() | another))
        return
    click.echo(f"{chosen.name}: {chosen.title}\n{found.capture}: {found.connections[found.place]}")
    click.echo(f"\n{beside}")
    if beside.may_be_another:
        click.echo(f"\n{fill(beside.may_be_another, WIDTH, subsequent_indent='  ')}")


COMMANDS = (diagnose, compare)
