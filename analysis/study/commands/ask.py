# SPDX-License-Identifier: GPL-2.0-only
"""Commands about a system: `study systems`, `run`, `what-if`, `explain` and `describe`."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from study.base.errors import StudyError
from study.base.project import check_writable, write_whole
from study.commands.before_and_after import BeforeAndAfterCommand
from study.commands.usage import (
    FORMAT,
    IN_FULL,
    SYSTEM,
    SystemCommand,
    answer,
    file_option,
    of_a_system,
    timeout_option,
)
from study.programs.declaration import declaration
from study.system.system import Result, System

OF_A_RUN = "{desc}: {n:.0f} of at most {total:.0f} CPU s"  # Ctrl-C ends it as well


@click.command(name="systems")
def systems_command() -> None:
    """List the systems, measured and simulated, and the host profiles."""
    from study.answers.overview import overview

    text, unusable = overview()
    click.echo(text)
    if unusable:
        raise StudyError(f"cannot use {', '.join(unusable)}; see above")


@click.command(
    cls=SystemCommand, common=("--host", "--format", "--pcap", "--segments", "--measured")
)
@SYSTEM
@of_a_system
@FORMAT
@file_option("--pcap", "Write the packets, for Wireshark or tcpdump.")
@file_option("--wan-pcap", "Write the packets on the frame-relay line.")
@file_option("--segments", "Write the segment table: Parquet if FILE ends in .parquet, else CSV.")
@file_option("--waits", "Write as CSV which end waited for what, and when (the parts of limits_s).")
@IN_FULL
@timeout_option("--timeout", "CPU time of the run; one that takes more is ended, with status 2.")
@click.option(
    "--measured",
    is_flag=True,
    help="Run also the jobs that were measured under other settings, and other seeds.",
)
@click.option(
    "--describe",
    is_flag=True,
    help="Print the program's declaration of the parameters as JSON and run nothing.",
)
def run(
    unchanged: System,
    chosen: System,
    style: str,
    pcap: Path | None,
    wan_pcap: Path | None,
    segments: Path | None,
    waits: Path | None,
    in_full: bool,
    timeout: float,
    measured: bool,
    describe: bool,
) -> None:
    """Simulate a system once, as measured or with parameters changed.

    Prints the rate of SYSTEM (a name that `study systems` lists, or a .toml file of your own), what
    limited it, and what was measured. An option for a parameter replaces the system's value.
    `study what-if` shows both side by side."""
    files = {"--pcap": pcap, "--wan-pcap": wan_pcap, "--segments": segments}
    files["--waits"] = waits
    if describe:
        if chosen != unchanged or any(files.values()) or in_full:
            raise StudyError("--describe runs nothing; give it without parameters and files")
        click.echo(declaration(unchanged.scenario).text, nl=False)
        return
    if measured and (style == "json" or chosen != unchanged):
        raise StudyError("--measured is of a system as its file has it, printed as text")
    _check_files(files)
    if segments is not None:
        chosen.check_leaves_segments()
    on_no_model = chosen.rests_on_no_model(unchanged)
    keep = segments is not None or (style == "text" and chosen == unchanged)
    given = {"pcap": pcap, "wan_pcap": wan_pcap, "fast_forward": not in_full}
    with _ended_after(timeout, chosen.name):
        result = chosen.run(segments=keep, waits=waits is not None, **given)
    if waits is not None and result.waits_csv is None:
        raise StudyError(f"--waits: a run of {chosen.scenario} does not tell who waits when")
    if style == "json":
        note = {"rests_on_no_model": on_no_model} if on_no_model else {}
        text = json.dumps({"system": chosen.name} | result.record | note)
    else:
        from study.answers import run_text

        if chosen == unchanged:
            text = run_text.own_job(chosen, result)
        else:
            from study.answers.without_effect import sentences

            told = [*filter(None, [on_no_model]), *sentences(unchanged, chosen)]
            text = run_text.as_changed(unchanged, chosen, result, told)
    if segments is not None:
        write_whole({segments: _table(result, segments)})
    if waits is not None and result.waits_csv is not None:
        write_whole({waits: result.waits_csv.encode()})
    click.echo(text)
    if style == "text" and chosen == unchanged:
        from study.answers.beside import measured as beside

        for block in beside(chosen, result, measured):
            click.echo(f"\n{block}")


@contextmanager
def _ended_after(timeout_s: float, doing: str) -> Iterator[None]:
    """Show the time of the run inside the context, and end it after `timeout_s` CPU seconds."""
    from study.programs.run import watched
    from study.runs.progress import PATIENCE_S, bar

    look = {"unit": " CPU s", "delay": PATIENCE_S, "bar_format": OF_A_RUN}
    with bar(doing, timeout_s, 0, None, **look) as shown:
        last_s = 0.0

        def watch(now_s: float) -> None:
            nonlocal last_s
            shown.update(now_s - last_s)
            last_s = now_s
            if now_s > timeout_s:
                raise StudyError(f"it took more than {timeout_s:g} CPU seconds, the --timeout")

        with watched(watch):
            yield


def _check_files(files: dict[str, Path | None]) -> None:
    """Raise StudyError before the run if a file could not be written after it."""
    named: dict[Path, str] = {}
    for flag, path in files.items():
        if path is None:
            continue
        check_writable(path)
        first = named.setdefault(path.resolve(), flag)
        if first != flag:
            raise StudyError(f"{first} and {flag} both name {path}; give each a file of its own")


def _table(result: Result, file: Path) -> bytes:
    """Return the segment table as the program wrote it, or as Parquet by the file's name."""
    if file.suffix != ".parquet":
        return result.segments_csv.encode()
    return result.segments.to_parquet(index=False)


@answer("what-if", BeforeAndAfterCommand)
def what_if_command(unchanged: System, chosen: System):
    """Simulate a system before and after a change, side by side.

    Prints the rate, the time and what limited it, for SYSTEM as it is and with the given
    parameters. Parameters before `--then` are of SYSTEM itself, as in `study what-if bulk --window
    65535 --rtt 80ms --then --window 1MB`."""
    if chosen == unchanged:
        raise StudyError("nothing is changed; give a parameter, as in --receive-window 5840")
    from study.answers.what_if import what_if

    return what_if(unchanged, chosen)


@answer("explain")
def explain_command(unchanged: System, chosen: System):
    """Say why a job is slow and what would change it.

    Prints on one screen the rate of SYSTEM, the cycle that it repeats, what its time went to,
    and the closed form with its numbers. Then it simulates changes, one at a time, and prints which
    help most, which change nothing, and which make it worse. With parameters given, it explains the
    changed system."""
    from study.answers.explain import explain

    return explain(chosen, unchanged)


@answer("describe")
def describe_command(unchanged: System, chosen: System):
    """Show a system's parameters: value, basis, default and range.

    Prints a line for each parameter of SYSTEM, and its meaning below: the value, its basis
    (measured, derived, fitted, assumed, or the program's default), and the allowed values."""
    from study.answers.description import describe

    return describe(chosen)


COMMANDS = (systems_command, run, what_if_command, explain_command, describe_command)
