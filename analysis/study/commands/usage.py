# SPDX-License-Identifier: GPL-2.0-only
"""The options that a scenario's parameters become, and mistakes on the command line in our words:
what is wrong and what to give."""

from collections.abc import Mapping
from difflib import get_close_matches

import click

from study.base.project import scenarios
from study.catalogue import systems
from study.programs.declaration import Parameter, declaration
from study.system.hosts import hosts

IN_FULL = click.option(
    "--no-fast-forward",
    "in_full",
    is_flag=True,
    help="Simulate every cycle, also those that are proven to repeat.",
)
PREFIX = "parameter_"  # keeps a parameter named "format" apart from the option --format


class HelpfulOption(click.Option):
    """An option that knows which values it takes: `give` goes into the error for a bad one."""

    def __init__(self, *names: object, give: str, **settings: object) -> None:
        super().__init__(*names, **settings)
        self.give = give


class SystemCommand(click.Command):
    """Takes a system, and an option for every parameter that our scenarios declare."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        arguments = [item for item in own if isinstance(item, click.Argument)]
        return [*arguments, *_parameter_options(), *own[len(arguments) :]]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click forgets it where an option lacks its value
            raise


def _parameter_options() -> list[click.Parameter]:
    """One for each name; scenarios that share one may mean different things by it."""
    by_flag: dict[str, dict[str, Parameter]] = {}
    for scenario in scenarios():
        for parameter in declaration(scenario).parameters.values():
            by_flag.setdefault(parameter.flag, {})[scenario] = parameter
    return [_parameter_option(meanings) for meanings in by_flag.values()]


def _parameter_option(meanings: Mapping[str, Parameter]) -> click.Parameter:
    by_help: dict[str, list[str]] = {}
    for scenario, parameter in meanings.items():
        by_help.setdefault(_help(parameter), []).append(scenario)
    gives = list(dict.fromkeys(parameter.allowed() for parameter in meanings.values()))
    first = next(iter(meanings.values()))
    helps = [f"{', '.join(names)}: {text}" for text, names in by_help.items()]
    return HelpfulOption(
        [f"--{first.flag}", f"{PREFIX}{first.key}"],
        give=" or, for another scenario, ".join(gives),
        metavar=first.type.upper(),
        help="; ".join(helps) if len(by_help) > 1 else next(iter(by_help)),
    )


def _help(parameter: Parameter) -> str:
    default = f"default {parameter.with_unit(parameter.default)}" if parameter.default else ""
    facts = [fact for fact in (default, parameter.allowed()) if fact]
    return f"{parameter.help} [{'; '.join(facts)}]"


def given_parameters(options: Mapping[str, str | None]) -> dict[str, str]:
    """The parameters among the options of a SystemCommand that were given, by key."""
    return {key.removeprefix(PREFIX): value for key, value in options.items() if value is not None}


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
    if isinstance(option, HelpfulOption):
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
