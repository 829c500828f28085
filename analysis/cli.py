# SPDX-License-Identifier: GPL-2.0-only
"""The command `study`. Parses, calls, prints; a user's mistake is one line on standard error and
status 2."""

import json
import sys
from pathlib import Path

import click

from analysis.declaration import Parameter, declaration
from analysis.errors import StudyError
from analysis.project import check_writable, scenarios, write_whole
from analysis.system import System, systems
from analysis.usage import ParameterOption, sentence

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
    except (click.Abort, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
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


class RunCommand(click.Command):
    """Takes an option for every parameter that the scenarios of our systems declare."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        return [own[0], *_parameter_options(), *own[1:]]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click forgets it where an option lacks its value
            raise


def _parameter_options() -> list[click.Parameter]:
    declared = [declaration(name).parameters for name in scenarios()]
    parameters = {item.flag: item for items in declared for item in items.values()}
    return [
        ParameterOption(
            [f"--{parameter.flag}", f"parameter_{parameter.key}"],
            give=parameter.allowed(),
            metavar=parameter.type.upper(),
            help=_help(parameter),
        )
        for parameter in parameters.values()
    ]


def _help(parameter: Parameter) -> str:
    default = f"default {parameter.with_unit(parameter.default)}" if parameter.default else ""
    facts = [fact for fact in (default, parameter.allowed()) if fact]
    return f"{parameter.help} [{'; '.join(facts)}]"


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
    changes = {
        key.removeprefix("parameter_"): value for key, value in given.items() if value is not None
    }
    return unchanged, (unchanged if host is None else unchanged.with_host(host)).with_(**changes)


@study.command(
    cls=RunCommand, short_help="Simulate a system once, as measured or with parameters changed."
)
@_of_a_system
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
    host: str | None,
    pcap: Path | None,
    segments: Path | None,
    describe: bool,
    **given: str | None,
) -> int:
    """Simulate SYSTEM (a name from scenarios/systems, or a .toml file of your own) and print how
    fast it went, what limited it, and what was measured. An option for a parameter replaces the
    system's value; `study what-if` shows the two side by side."""
    unchanged, chosen = _chosen(system, host, given)
    if describe:
        if chosen != unchanged or any(item is not None for item in (host, pcap, segments)):
            raise StudyError("--describe runs nothing; give it without parameters and files")
        click.echo(declaration(unchanged.scenario).text, nl=False)
        return 0
    _check_files(pcap, segments)
    result = chosen.run(
        segments=segments is not None or (style == "text" and chosen == unchanged), pcap=pcap
    )
    if style == "json":
        text = json.dumps({"system": chosen.name} | result.record)
    else:
        from analysis import report

        text = (
            report.as_measured(chosen, result)
            if chosen == unchanged
            else report.as_changed(unchanged, chosen, result)
        )
    if segments is not None:
        write_whole({segments: result.segments_csv.encode()})
    click.echo(text)
    return 0


@study.command(
    name="what-if", cls=RunCommand, short_help="Simulate a job before and after a change."
)
@_of_a_system
def what_if_command(system: str, style: str, host: str | None, **given: str | None) -> None:
    """Simulate SYSTEM as it is and with the given parameters, and show the two side by side: the
    rate, the time, and what limited it."""
    unchanged, chosen = _chosen(system, host, given)
    if chosen == unchanged:
        raise StudyError("nothing is changed; give a parameter, as in --receive-window 5840")
    from analysis.what_if import what_if

    answer = what_if(unchanged, chosen)
    click.echo(json.dumps(answer.record()) if style == "json" else str(answer))


@study.command(
    name="explain", cls=RunCommand, short_help="Say why a job is slow and what would change it."
)
@_of_a_system
def explain_command(system: str, style: str, host: str | None, **given: str | None) -> None:
    """Explain SYSTEM on one screen: its rate, the exchange that it repeats, what its time went to,
    the closed form with its numbers, and what became of it with one thing changed at a time: what
    would help most, what would change nothing, what would make it worse. All of it is simulated;
    with parameters given, around them."""
    unchanged, chosen = _chosen(system, host, given)
    from analysis.explanations import explain

    answer = explain(chosen, unchanged)
    click.echo(json.dumps(answer.record()) if style == "json" else str(answer))


def _check_files(pcap: Path | None, segments: Path | None) -> None:
    """Before the run: what could not be written after it."""
    for path in (pcap, segments):
        if path is not None:
            check_writable(path)
    if pcap is not None and segments is not None and pcap.resolve() == segments.resolve():
        raise StudyError(f"--pcap and --segments both name {pcap}; give each a file of its own")


@study.command(name="reproduce")
@click.option("--force", is_flag=True, help="Make everything again, also what is up to date.")
def reproduce_command(force: bool) -> int:
    """Bring results/ and the tables in README.md up to date, doing only what changed. Ends with
    status 1 when a result is not what was accepted (see `study accept`)."""
    from analysis.reproduce import reproduce

    return 0 if reproduce(click.echo, force) else 1


@study.command(name="accept")
def accept_command() -> None:
    """Make the results of the last `reproduce` the reference that every later one is compared
    with."""
    from analysis.reproduce import accept

    accept(click.echo)


@study.command(name="systems")
def systems_command() -> int:
    """List the systems with a measured and the simulated figure, and the host profiles."""
    from analysis.overview import overview

    text, unusable = overview()
    click.echo(text)
    return _fail(f"cannot use {', '.join(unusable)}; see above") if unusable else 0


if __name__ == "__main__":
    sys.exit(main())
