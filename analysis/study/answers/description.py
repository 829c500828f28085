# SPDX-License-Identifier: GPL-2.0-only
"""Parameters of a system as `study describe` and --help show them: grouped by part, each with its
value, basis, default, range and meaning."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from textwrap import shorten, wrap

from study.base.units import for_readers
from study.base.wrapping import WIDTH
from study.programs.declaration import Parameter, declaration
from study.programs.values import for_a_reader
from study.system.system import System

EXAMPLES = {
    "queue-size": "100p|64000B",
    "packet-list": "5,17",
    "turn-list": "c50000:120,s30000:2000",
}  # shown where other types have choices
LONGEST = 12  # a longer number is shown with four digits


@dataclass(frozen=True)
class Row:
    """One parameter of a system. `basis` is the file's, "given" or "default"."""

    parameter: Parameter
    text: str  # the value, canonical
    basis: str
    source: str

    @property
    def help(self) -> str:
        """The parameter's meaning, with the flags of other parameters."""
        return declaration(self.parameter.scenario).help_of(self.parameter)

    def facts(self) -> dict[str, str]:
        """Return the table's columns; choices have no range."""
        parameter = self.parameter
        limits = for_readers(f"{parameter.min}..{parameter.max}") if parameter.min else ""
        value, default = (_short(parameter, text) for text in (self.text, parameter.default))
        return {"value": value, "basis": self.basis, "default": default, "range": limits}

    def line(self, width: int, short: bool = False) -> str:
        """Return the parameter's line for --help, without its basis and with as much of its meaning
        as fits. `short` selects its short flag."""
        parameter, facts = self.parameter, self.facts()
        value, default = (facts[name].partition(" ")[0] for name in ("value", "default"))
        choices = parameter.choices or ("true", "false")
        others = "|".join(choice for choice in choices if choice not in (value, default))
        others = EXAMPLES.get(parameter.type, others)
        right = f"[{'; '.join(filter(None, (default, facts['range'] or others)))}]"
        right = right if value == default else f"{value} {right}"
        flag = parameter.short if short and parameter.short else parameter.flag
        left = parameter.with_unit(f"--{flag}")
        room = max(width - len(left) - len(right) - 4, 1)
        about = shorten(for_readers(self.help), room, placeholder="…", break_on_hyphens=False)
        return f"{left}  {about:<{room}}  {right}"


@dataclass(frozen=True, repr=False)
class Description:
    """All parameters of a system by group. Its text is the table."""

    system: System
    groups: dict[str, list[Row]]

    def record(self) -> dict:
        """Return the description for a script, with values and ranges as a program reads them."""
        return {
            "system": self.system.name,
            **{name: getattr(self.system, name) for name in ("title", "host", "scenario")},
            "parameters": [
                asdict(row.parameter)
                | {"value": row.text, "basis": row.basis, "source": row.source}
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
    """Return a system's parameters, with their values and origins."""
    groups: dict[str, list[Row]] = {}
    parameters = declaration(system.scenario).parameters
    for key, text in system.parameters().items():
        setting = system.settings.get(key)
        basis, source = (setting.basis, setting.source) if setting else ("default", "")
        if key in system.changes:
            basis, source = "given", ""
        row = Row(parameters[key], text, basis, source)
        groups.setdefault(row.parameter.group, []).append(row)
    return Description(system, groups)


def _table(group: str, rows: list[Row]) -> Iterator[str]:
    """Yield a line of values for each parameter, then its meaning and its choices."""
    from tabulate import DataRow, TableFormat, tabulate

    close = DataRow("", " ", "")  # one space between columns, to save width
    plain = TableFormat(None, None, None, None, close, close, 0, None)
    table = [{group: f"--{row.parameter.flag}"} | row.facts() for row in rows]
    for line in table:
        if line["value"] == line["default"]:
            line["default"] = ""  # the basis says so
    head, *lines = tabulate(table, "keys", tablefmt=plain, disable_numparse=True).splitlines()
    yield head.rstrip()
    for row, line in zip(rows, lines, strict=True):
        yield line.rstrip()
        words = row.parameter.choices or row.parameter.type in EXAMPLES
        choices = f" ({row.parameter.allowed()})" if words else ""
        about = for_readers(row.help) + choices
        margins = {"initial_indent": " " * 6, "subsequent_indent": " " * 6}
        yield from wrap(about, WIDTH, **margins, break_on_hyphens=False)  # keep flags whole


def _short(parameter: Parameter, text: str) -> str:
    shown = for_a_reader(parameter, text)
    return f"{float(text):.4g}" if parameter.type == "real" and len(shown) > LONGEST else shown
