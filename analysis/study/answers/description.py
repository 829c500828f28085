# SPDX-License-Identifier: GPL-2.0-only
"""A system's parameters as `study describe` and --help show them: by the part that they belong to,
each with its value, what that rests on, its default, its range and what it is."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from textwrap import shorten, wrap

from study.base.units import for_readers
from study.programs.declaration import Parameter, declaration
from study.programs.values import for_a_reader
from study.system.system import System

WIDTH = 80
WHOLE = {"break_on_hyphens": False}
LONGEST = 12  # of a number: one that is longer is shown with four digits


@dataclass(frozen=True)
class Row:
    """A parameter of a system; the basis is the file's, "given" or "default"."""

    parameter: Parameter
    value: str
    basis: str
    source: str

    @property
    def default(self) -> str:
        """As a reader has it."""
        return _short(for_a_reader(self.parameter, self.parameter.default))

    @property
    def range(self) -> str:
        """1..65535; nothing for choices."""
        parameter = self.parameter
        return for_readers(f"{parameter.min}..{parameter.max}") if parameter.min else ""

    def line(self, width: int) -> str:
        """All of it, for --help; what it is, as far as there is room."""
        parameter = self.parameter
        choices = parameter.choices or ("true", "false")
        others = "|".join(each for each in choices if each not in (self.value, self.default))
        own = f"{self.value.partition(' ')[0]} " if self.value != self.default else ""
        limits = "; ".join(filter(None, (self.default.partition(" ")[0], self.range or others)))
        left, right = parameter.with_unit(f"--{parameter.flag}"), f"{own}[{limits}]"
        room = width - len(left) - len(right) - 4
        about = shorten(for_readers(parameter.help), max(room, 1), placeholder="…", **WHOLE)
        return f"{left}  {about:<{room}}  {right}"


@dataclass(frozen=True, repr=False)
class Description:
    """All parameters, by group. Prints as its text."""

    system: System
    groups: dict[str, list[Row]]

    def record(self) -> dict:
        """For a script: values and ranges as a program takes them."""
        values = self.system.parameters()
        return {
            "system": self.system.name,
            "title": self.system.title,
            "host": self.system.host,
            "scenario": self.system.scenario,
            "parameters": [
                asdict(row.parameter)
                | {"value": values[row.parameter.key], "basis": row.basis, "source": row.source}
                for rows in self.groups.values()
                for row in rows
            ],
        }

    def __str__(self) -> str:
        about = f"a {self.system.scenario}: {declaration(self.system.scenario).help}"
        head = [*wrap(f"{self.system.name}: {self.system.title}", WIDTH), *wrap(about, WIDTH)]
        blocks = [head, *(_table(group, rows) for group, rows in self.groups.items())]
        return "\n\n".join("\n".join(block) for block in blocks)

    __repr__ = __str__


def describe(system: System) -> Description:
    """What there is to set, and what it is set to."""
    groups: dict[str, list[Row]] = {}
    values = system.parameters()
    for key, parameter in declaration(system.scenario).parameters.items():
        setting = system.settings.get(key)
        basis, source = (setting.basis, setting.source) if setting else ("default", "")
        if key in system.changes:
            basis, source = "given", ""
        row = Row(parameter, _short(for_a_reader(parameter, values[key])), basis, source)
        groups.setdefault(parameter.group, []).append(row)
    return Description(system, groups)


def _table(group: str, rows: list[Row]) -> Iterator[str]:
    """A line of facts each, and below it what it is; choices are there, as they need room."""
    from tabulate import tabulate

    facts = [
        (
            f"  --{row.parameter.flag}",
            row.value,
            row.basis,
            row.default,
            row.range,
        )
        for row in rows
    ]
    headers = (group, "value", "basis", "default", "range")
    head, *lines = tabulate(facts, headers, tablefmt="plain", disable_numparse=True).splitlines()
    yield head.rstrip()
    for row, line in zip(rows, lines, strict=True):
        yield line.rstrip()
        choices = f" ({row.parameter.allowed()})" if row.parameter.choices else ""
        about = for_readers(row.parameter.help) + choices
        yield from wrap(about, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)


def _short(text: str) -> str:
    try:
        return text if len(text) <= LONGEST else f"{float(text):.4g}"
    except ValueError:
        return text
