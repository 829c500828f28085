# SPDX-License-Identifier: GPL-2.0-only
"""The command `study`. Parses, calls, prints; a user's mistake is one line on standard error and
status 2."""

import json
import sys
from pathlib import Path

import click

from analysis.declaration import declaration
from analysis.errors import StudyError
from analysis.project import check_writable, write_whole
from analysis.sweep_commands import store_command, sweep_command
from analysis.system import systems
from analysis.usage import SystemCommand, given_parameters, sentence

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


@study.command(
    cls=SystemCommand, short_help="Simulate a system once, as measured or with parameters changed."
)
@click.argument("system")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How to print the result.",
)
@click.option(
    "--host", metavar="NAME", help="Put another host profile (see `study systems`) in its place."
)
@click.option(
    "--pcap", metavar="FILE", type=Path, help="Write the packets, for Wireshark or tcpdump."
)
@click.option(
    "--wan-pcap", metavar="FILE", type=Path, help="Write the packets on the frame-relay line."
)
@click.option("--segments", metavar="FILE", type=Path, help="Write the segment table as CSV.")
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
    describe: bool,
    **given: str | None,
) -> int:
    """Simulate SYSTEM (a name from scenarios/systems, or a .toml file of your own) and print how
    fast it went, what limited it, and what was measured. An option for a parameter replaces the
    system's value; then the two are compared."""
    unchanged = systems[system]
    changes = given_parameters(given)
    if describe:
        if changes or any(item is not None for item in (host, pcap, wan_pcap, segments)):
            raise StudyError("--describe runs nothing; give it without parameters and files")
        click.echo(declaration(unchanged.scenario).text, nl=False)
        return 0
    chosen = (unchanged if host is None else unchanged.with_host(host)).with_(**changes)
    _check_files({"--pcap": pcap, "--wan-pcap": wan_pcap, "--segments": segments})
    if style == "json":
        result = chosen.run(segments=segments is not None, pcap=pcap, wan_pcap=wan_pcap)
        text = json.dumps({"system": chosen.name} | result.record)
    else:
        from analysis import report

        keep = chosen == unchanged or segments is not None
        result = chosen.run(segments=keep, pcap=pcap, wan_pcap=wan_pcap)
        text = (
            report.as_measured(chosen, result)
            if chosen == unchanged
            else report.what_if(unchanged, unchanged.run(), chosen, result)
        )
    if segments is not None:
        write_whole({segments: result.segments_csv.encode()})
    click.echo(text)
    return 0


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


@study.command(name="reproduce")
@click.option("--force", is_flag=True, help="Make everything again, also what is up to date.")
def reproduce_command(force: bool) -> None:
    """Bring results/ and the table in README.md up to date, doing only what changed."""
    from analysis.reproduce import reproduce

    reproduce(click.echo, force)


@study.command(name="systems")
def systems_command() -> int:
    """List the systems with a measured and the simulated figure, and the host profiles."""
    from analysis.overview import overview

    text, unusable = overview()
    click.echo(text)
    return _fail(f"cannot use {', '.join(unusable)}; see above") if unusable else 0


study.add_command(sweep_command)
study.add_command(store_command)

if __name__ == "__main__":
    sys.exit(main())
