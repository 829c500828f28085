# SPDX-License-Identifier: GPL-2.0-only
"""Messages for mistakes on the command line, with what to give, and for errors of the study, with
what to report."""

import os
import re
import traceback
from difflib import get_close_matches
from pathlib import Path

import click

from study.base.flags import ENDS
from study.commands.usage import HelpfulOption, SystemCommand
from study.kit.systems import systems
from study.system.hosts import hosts

AS_IN_PYTHON = re.compile(r"Got unexpected extra arguments? \(([\w-]+)=([^\s)]+)")
NUMBERS = (click.types.IntParamType, click.types.FloatParamType)

DISTRIBUTION = "slow-transfer-study"


def sentence(error: click.ClickException) -> str:
    if isinstance(error, click.NoSuchOption):
        return _unknown_option(error)
    if isinstance(error, click.MissingParameter) and isinstance(error.ctx.command, SystemCommand):
        return f"{error.ctx.command.name} needs a system; there are: {', '.join(systems)}"
    if isinstance(error, click.BadOptionUsage) and "requires an argument" in error.message:
        option = next((each for each in _options(error) if error.option_name in each.opts), None)
        return f"{error.option_name} needs a value; give {_give(option)}"
    if isinstance(error, click.BadParameter) and isinstance(error.param, click.Option):
        return f"{error.param.opts[0]}: {error.message.rstrip('.')}; give {_give(error.param)}"
    text = error.format_message().rstrip(".")
    if found := AS_IN_PYTHON.match(text):
        name, value = found[1].replace("_", "-"), found[2]
        return f"{found[1]}={value}: a parameter is given as a flag, as in --{name} {value}"
    return f"{text}; see --help" if isinstance(error, click.UsageError) else text


def unforeseen(error: Exception) -> str:
    """Return the message for an unexpected exception. With STUDY_DEBUG=1 also print the trace."""
    if os.environ.get("STUDY_DEBUG") == "1":
        traceback.print_exception(error)
    name = type(error).__name__
    last = traceback.extract_tb(error.__traceback__)[-1:]
    where = "".join(f" at {Path(each.filename).name}:{each.lineno}" for each in last)
    said = " ".join(str(error).split())[:200]
    return (
        f"error in the study itself: {name}{f' ({said})' if said else ''}{where}; report this line"
        " and the command; STUDY_DEBUG=1 prints the trace"
    )


def _options(error: click.UsageError) -> list[click.Parameter]:
    return error.ctx.command.get_params(error.ctx) if error.ctx else []


def _give(option: click.Parameter | None) -> str:
    if isinstance(option, HelpfulOption):
        return option.give
    if option is not None and isinstance(option.type, click.Choice):
        return " or ".join(option.type.choices)
    if option is not None and option.name in ENDS:
        return f"one of: {', '.join(hosts)}"
    if option is not None and isinstance(option.type, NUMBERS):
        whole = "" if isinstance(option.type, click.types.FloatParamType) else "whole "
        return f"a {whole}number, as --help says"
    return "the name of a file"


def _unknown_option(error: click.NoSuchOption) -> str:
    """Return the message for an unknown option, with similar options of the command and the
    system's scenario."""
    name, hint, who = error.option_name, "see --help", "there is no option"
    if error.ctx and isinstance(error.ctx.command, SystemCommand):
        system, command = error.ctx.obj, error.ctx.command_path
        if system is None:
            return f"there is no option {name}; parameters need a system: {command} ... SYSTEM"
        who, hint = f"a {system.scenario} has no option", f"see {command} {system.name} --help"
    names = [each for option in _options(error) for each in option.opts]
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    return f"{who} {name}; " + (f"did you mean {' or '.join(near)}?" if near else hint)


def extra_of(error: ModuleNotFoundError) -> str:
    """Return how to install a missing library if an extra of the wheel has it, or an empty text."""
    from importlib import metadata

    for line in metadata.requires(DISTRIBUTION) or ():
        library, _, extra = line.partition("; extra == ")
        if extra and library.lower() == str(error.name).lower():
            install = f"pip install '{DISTRIBUTION}[{extra.strip(chr(39))}]'"
            return f"this command needs {library}, which is an extra: {install}"
    return ""
