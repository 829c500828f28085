# SPDX-License-Identifier: GPL-2.0-only
"""Mistakes on the command line in our words: what is wrong and what to give."""

from difflib import get_close_matches

import click

from analysis.hosts import hosts
from analysis.system import systems


class ParameterOption(click.Option):
    """An option for a scenario's parameter; `give` says which values it takes."""

    def __init__(self, *names: object, give: str, **settings: object) -> None:
        super().__init__(*names, **settings)
        self.give = give


def sentence(error: click.ClickException) -> str:
    """The sentence for an error of click's."""
    if isinstance(error, click.NoSuchOption):
        return _unknown_option(error)
    if isinstance(error, click.MissingParameter):
        return f"{error.ctx.command.name} needs a system; there are: {', '.join(systems)}"
    if isinstance(error, click.BadOptionUsage) and "requires an argument" in error.message:
        return f"{error.option_name} needs a value; give {_give(_option(error))}"
    if isinstance(error, click.BadParameter) and isinstance(error.param, click.Option):
        return f"{error.param.opts[0]}: {error.message.rstrip('.')}; give {_give(error.param)}"
    text = error.format_message().rstrip(".")
    return f"{text}; see --help" if isinstance(error, click.UsageError) else text


def _option(error: click.BadOptionUsage) -> click.Parameter | None:
    options = error.ctx.command.get_params(error.ctx) if error.ctx else []
    return next((option for option in options if error.option_name in option.opts), None)


def _give(option: click.Parameter | None) -> str:
    if isinstance(option, ParameterOption):
        return option.give
    if option is not None and isinstance(option.type, click.Choice):
        return " or ".join(option.type.choices)
    if option is not None and option.name == "host":
        return f"one of: {', '.join(hosts)}"
    return "the name of a file"


def _unknown_option(error: click.NoSuchOption) -> str:
    options = error.ctx.command.get_params(error.ctx) if error.ctx else []
    names = [name for option in options for name in option.opts]
    near = get_close_matches(error.option_name, names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "see --help"
    return f"there is no option {error.option_name}; {hint}"
