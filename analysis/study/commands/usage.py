# SPDX-License-Identifier: GPL-2.0-only
"""Shared parts of the commands on a system: an option for each parameter of its scenario, the help
of these options, and the argument SYSTEM."""

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import wraps
from math import isnan
from pathlib import Path
from typing import Any

import click

from study.base.called import called
from study.base.errors import StudyError
from study.base.flags import ENDS
from study.base.project import CAPTURE
from study.kit.systems import systems
from study.programs.declaration import declaration
from study.programs.values import is_number
from study.system.system import System

IN_FULL = click.option(
    "--no-fast-forward",
    "in_full",
    is_flag=True,
    help="Simulate every cycle, also those that are proven to repeat.",
)


class Seconds(click.FloatRange):
    """A time above 0 that is a number; nan is below and above nothing."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        seconds = super().convert(value, param, ctx)
        if isnan(seconds):
            self.fail(f"{value} is no number of seconds", param, ctx)
        return seconds


SECONDS = Seconds(min=0, min_open=True)
FORMAT = click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How to print the result.",
)
SYSTEM = click.argument("system", expose_value=False)
ARGUMENTS = "study.arguments"  # of a call, as given
ALL = "study.all"  # whether the help shows everything
TIMEOUT_S = 600.0  # CPU seconds; the slowest of the systems takes a few
RANGE = re.compile(r":.+:")
THEN = "--then"  # between a system's options and those of its change
PREFIX = "parameter_"  # separates a parameter named "format" from the option --format


class PathGiven(click.ParamType):
    """A path, or an empty one, which pathlib would take for the current folder, is refused."""

    name = "path"

    def convert(
        self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        if value == "":
            self.fail("an empty path", param, ctx)
        return Path(value)


PATH = PathGiven()


class HelpfulOption(click.Option):
    """An option that knows its allowed values: `give` is shown in the error for a bad one."""

    def __init__(self, *names: object, give: str, **settings: object) -> None:
        super().__init__(*names, **settings)
        self.give = give


def _only_one(ctx: click.Context, option: click.Parameter, given: Sequence[str]) -> str | None:
    """Return the value of an option, None without one. Two values are refused, also under its two
    names (--rate, --path-rate): which of them holds is not said."""
    values = list(dict.fromkeys(given))
    if len(values) > 1:
        raise click.BadParameter(f"given twice, as {' and as '.join(values)}", ctx, option)
    return values[0] if values else None


class SystemCommand(click.Command):
    """A command on a system, which becomes `ctx.obj`, with an option for every parameter of the
    system's scenario; so the options depend on the system. Its help is one screen, with the options
    in `common` and the parameters with a short flag; `--help all` shows all."""

    def __init__(self, *names: object, common: Sequence[str] = (), **settings: object) -> None:
        super().__init__(*names, **settings)
        self.common = common

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        params = list(super().get_params(ctx))
        declared = declaration(ctx.obj.scenario).parameters if ctx.obj is not None else {}
        own = {name for each in params for name in each.opts}  # a figure has its own --size
        for each in declared.values():
            flags = [f"--{flag}" for flag in dict.fromkeys((each.flag, each.short)) if flag]
            flags = [flag for flag in flags if flag not in own]
            names = [*flags, f"{PREFIX}{each.key}"]
            settings = {"give": each.allowed(), "hidden": True, "multiple": True}
            params.append(HelpfulOption(names, callback=_only_one, **settings))
        return params

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[ARGUMENTS] = list(args)
        args = self._without_all(ctx, args)
        named = self._system_in(args)
        if named is not None and ctx.obj is None:
            with suppress(StudyError) if ctx.resilient_parsing else nullcontext():
                ctx.obj = self.loaded(named)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click omits it if an option lacks its value
            raise

    def _without_all(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Return the arguments without the "all" of `--help all`, which click does not know."""
        own = args[: args.index("--")] if "--" in args else args  # the rest is another program's
        place = next((n for n, arg in enumerate(own) if arg in ("--help", "-h")), len(args)) + 1
        ctx.meta[ALL] = args[place : place + 1] == ["all"]
        return args[:place] + args[place + 1 :] if ctx.meta[ALL] else args

    def loaded(self, named: str) -> System:
        """Return the system with this name."""
        return system_called(named)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the parameters by group, one line each, before the command's own options."""
        every = ctx.meta[ALL]
        if ctx.obj is not None:
            self._format_parameters(ctx.obj, formatter, every)
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        shown = [each for each in options if every or {*each.opts} & {*self.common, "--help"}]
        with formatter.section("Options"):
            formatter.write_dl(filter(None, (each.get_help_record(ctx) for each in shown)))
        if not every or ctx.obj is None:
            named = ctx.obj.typed if ctx.obj is not None else "SYSTEM"
            before = [name.upper() for name in self._arguments[: self._arguments.index("system")]]
            formatter.write_paragraph()
            formatter.write_text(
                f"All options and all parameters: `study {' '.join([self.name, *before, named])}"
                " --help all`;"
                f" `study describe {named}` explains the parameters."
            )

    def _format_parameters(
        self, system: System, formatter: click.HelpFormatter, every: bool
    ) -> None:
        from study.answers.description import describe

        groups = describe(system).groups
        if not every:
            short = [row for rows in groups.values() for row in rows if row.parameter.short]
            groups = {"the first of them": short}
        formatter.write_paragraph()
        formatter.write_text(
            f"Parameters of {system.name}, a {system.scenario}: [default; range or other"
            " choices], before it the system's own value where that is another."
        )
        for group, rows in groups.items():
            with formatter.section(group):
                for row in rows:
                    formatter.write(f"  {row.line(formatter.width - 2, short=not every)}\n")

    def _system_in(self, args: Sequence[str]) -> str | None:
        """Return the system among the arguments, at any position, or None without one. An option
        that is not the command's is a parameter, and takes a value."""
        options = [each for each in self.params if isinstance(each, click.Option)]
        flags = {name for each in options if each.is_flag for name in each.opts} | {"--help", "-h"}
        found, rest = [], iter(args)
        for arg in rest:
            if not arg.startswith("-"):
                found.append(arg)
            elif arg == "--":
                found += rest
            elif re.fullmatch(r"-\w|--[^=]+", arg) and arg not in flags:
                next(rest, None)
        return next(iter(found[self._arguments.index("system") :]), None)

    @property
    def _arguments(self) -> list[str]:
        return [each.name for each in self.params if isinstance(each, click.Argument)]


class SystemOrCaptureCommand(SystemCommand):
    """A command that also takes a capture in place of a system: then the system fitted to it."""

    def loaded(self, named: str) -> System:
        return system_or_capture(named)


def system_called(named: str) -> System:
    """Return a system by name or file. Raise StudyError if there is none, or it is a capture."""
    if CAPTURE.search(named):
        raise StudyError(
            f"{named} is a capture and no system: {called()} diagnose {shlex.quote(named)} takes "
            "it, and with -o NAME.toml makes a system of it"
        )
    return systems[named]


def system_or_capture(named: str) -> System:
    """Return a system by name or file, or the one that `study diagnose` fits to a capture."""
    if not CAPTURE.search(named):
        return systems[named]
    from study.diagnosis.diagnosis import diagnose

    return diagnose(named).system()


def of_a_system(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for host profiles and parameters; the function is called with the system as
    in its file and with the options applied."""

    @click.option(
        "--host",
        metavar="NAME",
        help="Use another host profile (see `study systems`).",
    )
    @click.option("--client", metavar="NAME", hidden=True, help="As --host, where it is a client.")
    @click.option(
        "--server", metavar="NAME", help="Use another profile for the server, if it is a host."
    )
    @click.option("--device", metavar="NAME", help="Use another profile for the print server.")
    @click.pass_obj
    @wraps(function)
    def call(unchanged: Any, **options: Any) -> Any:
        chosen, others = changed_by(unchanged, options)
        return function(unchanged, chosen, **others)

    return call


def changed_by(unchanged: Any, options: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return the system with the host profiles and parameters among a command's options, and the
    other options."""
    given = {
        key.removeprefix(PREFIX): text
        for key, text in options.items()
        if key.startswith(PREFIX) and text is not None
    }
    ends = {end: options[end] for end in ENDS if options[end] is not None}
    others = {
        key: each for key, each in options.items() if not key.startswith(PREFIX) and key not in ENDS
    }
    if unchanged is None:
        if ends:
            raise StudyError(f"--{next(iter(ends))} needs a system")
        return None, others
    if {"host", "client"} <= ends.keys():
        raise StudyError("--host and --client are the same end: leave one out")
    behind = unchanged
    for end, name in ends.items():
        behind = behind.with_host(name) if end == "host" else behind.with_profile(end, name)
    _check_single(unchanged, given)
    return behind.with_(**given), others


def _check_single(system: System, given: Mapping[str, str]) -> None:
    """Refuse a range, which a sweep takes."""
    declared = declaration(system.scenario)
    for key, text in given.items():
        parameter = declared.parameter(key)
        if is_number(parameter) and RANGE.search(text):
            vary = shlex.quote(f"{key}={text}")
            raise parameter.refused(
                f"one value, and not {text}; for several values: {called()} sweep {system.typed}"
                f" --vary {vary}"
            )


def file_option(*names_and_help: str, metavar: str = "FILE") -> Callable[..., Any]:
    *names, about = names_and_help
    return click.option(*names, metavar=metavar, type=PATH, help=about)


def into(folder: str, more: str = "") -> Callable[..., Any]:
    """Return the option -o for another folder."""
    about = f"Write there, not into {folder}{more}."
    return file_option("-o", "--output", "folder", about, metavar="FOLDER")


def timeout_option(name: str, about: str) -> Callable[..., Any]:
    """Return an option for CPU seconds."""
    return click.option(
        name,
        type=SECONDS,
        cls=HelpfulOption,
        give="CPU seconds above 0",
        metavar="SECONDS",
        default=TIMEOUT_S,
        show_default=True,
        help=about,
    )


def answer(
    name: str, cls: type[SystemCommand] = SystemCommand
) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that makes a command of a function of a system: it prints the function's
    answer as text, or its record as JSON."""

    def command(function: Callable[..., Any]) -> click.Command:
        @wraps(function)
        def call(unchanged: System, chosen: System, style: str) -> None:
            found = function(unchanged, chosen)
            click.echo(json.dumps(found.record()) if style == "json" else str(found))

        command = click.command(name, cls=cls, common=(THEN, "--host", "--server", "--format"))
        return command(SYSTEM(of_a_system(FORMAT(call))))

    return command
