# SPDX-License-Identifier: GPL-2.0-only
"""The command `study`. Parses, calls, prints; a user's mistake is one line on standard error and
status 2."""

import json
import sys
from difflib import get_close_matches
from pathlib import Path

import click

from analysis.declaration import Parameter, declaration
from analysis.errors import StudyError
from analysis.project import check_writable, scenarios, write_whole
from analysis.system import System, systems

INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    try:
        status = study.main(arguments, prog_name="study", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except StudyError as error:
        return _fail(str(error))
    except click.ClickException as error:
        return _fail(_usage(error))
    except (click.Abort, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:  # click itself ends quietly when the reader of a pipe has left
        where = error.filename or "input or output"
        return _fail(f"{where}: {(error.strerror or str(error)).lower()}")


def _fail(message: str) -> int:
    print(f"study: {' '.join(message.split())}", file=sys.stderr)
    return 2


def _usage(error: click.ClickException) -> str:
    """Click's message; for an unknown option with the near ones."""
    if isinstance(error, click.NoSuchOption):
        options = error.ctx.command.get_params(error.ctx) if error.ctx else []
        names = [name for option in options for name in option.opts]
        near = get_close_matches(error.option_name, names, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else "see --help"
        return f"there is no option {error.option_name}; {hint}"
    return error.format_message()


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.pass_context
def study(ctx: click.Context) -> None:
    """How fast will this transfer go, what holds it back, and what would change that?"""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


class RunCommand(click.Command):
    """Takes an option for every parameter that the scenarios of our systems declare."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        return [own[0], *_parameter_options(), *own[1:]]


def _parameter_options() -> list[click.Parameter]:
    declared = [declaration(name).parameters for name in scenarios()]
    parameters = {item.flag: item for items in declared for item in items.values()}
    return [
        click.Option(
            [f"--{parameter.flag}", f"parameter_{parameter.key}"],
            metavar=parameter.type.upper(),
            help=_help(parameter),
        )
        for parameter in parameters.values()
    ]


def _help(parameter: Parameter) -> str:
    unit = " B" if parameter.unit == "B" else ""  # the others' texts carry theirs or have none
    default = f"default {parameter.default}{unit}" if parameter.default else ""
    facts = [fact for fact in (default, parameter.allowed()) if fact]
    return f"{parameter.help} [{'; '.join(facts)}]"


@study.command(
    cls=RunCommand, short_help="Simulate a system once, as measured or with parameters changed."
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
    "--pcap", metavar="FILE", type=Path, help="Write the packets, for Wireshark or tcpdump."
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
    pcap: Path | None,
    segments: Path | None,
    describe: bool,
    **given: str | None,
) -> int:
    """Simulate SYSTEM (a name from scenarios/systems, or a .toml file of your own) and print how
    fast it went, what limited it, and what was measured. An option for a parameter replaces the
    system's value."""
    chosen = systems[system]
    if describe:
        click.echo(declaration(chosen.scenario).text, nl=False)
        return 0
    changes = {
        key.removeprefix("parameter_"): value for key, value in given.items() if value is not None
    }
    _run(chosen.with_(**changes), style, pcap, segments)
    return 0


def _run(system: System, style: str, pcap: Path | None, segments: Path | None) -> None:
    for path in (pcap, segments):
        if path is not None:
            check_writable(path)
    result = system.run(segments=style == "text" or segments is not None, pcap=pcap)
    if segments is not None:
        write_whole({segments: result.segments_csv.encode()})
    if style == "json":
        click.echo(json.dumps({"system": system.name} | result.record))
        return
    from analysis.report import report

    click.echo(report(system, result))


@study.command(name="reproduce")
@click.option("--force", is_flag=True, help="Make everything again, also what is up to date.")
def reproduce_command(force: bool) -> None:
    """Bring results/ and the table in README.md up to date, doing only what changed."""
    from analysis.reproduce import reproduce

    reproduce(click.echo, force)


@study.command(name="list")
def list_command() -> None:
    """Name the systems."""
    for name, system in systems.items():
        click.echo(f"{name:<20}{system.title}")


if __name__ == "__main__":
    sys.exit(main())
