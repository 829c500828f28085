# SPDX-License-Identifier: GPL-2.0-only
"""Facts that a figure takes from a system's file: values of parameters, axis labels and measured
points. A figure types none of them."""

from collections.abc import Iterable

from study.base.errors import unknown
from study.base.units import MEASURED
from study.programs import labels, values
from study.programs.declaration import declaration
from study.system.measured import Measured
from study.system.system import System


def value(system: System, key: str, unit: str = "") -> float:
    """Return a parameter's number, in a unit of an axis if it is a time or a rate."""
    parameter = declaration(system.scenario).parameter(key)
    number = values.smallest(parameter, values.read(parameter, _text(system, key)).text)
    return number / labels.per(parameter, unit) if unit else number


def said(system: System, key: str) -> str:
    """Return a parameter's value in a sentence: "256 kbit/s"."""
    return labels.said(declaration(system.scenario).parameter(key), _text(system, key))


def axis_label(system: System, key: str, unit: str = "") -> str:
    """Return a parameter as an axis has it, from the declaration: "ACK latency (ms)"."""
    return labels.axis_label(declaration(system.scenario).parameter(key), unit)


def measured(system: System, kind: str) -> Measured:
    """Return the first figure of that kind that the system's source gives."""
    for row in system.measured:
        if row.kind == kind:
            return row
    raise unknown("kind of measured figure", kind, [row.kind for row in system.measured])


def kBps(row: Measured) -> float:
    """Return a measured rate as the axes of rates have it."""
    return row.value * MEASURED[row.unit] / 1000


def listed(values: Iterable[object], digits: str = "") -> str:
    """In a sentence: "3, 17 and 60"."""
    *first, last = [format(value, digits) for value in values]
    return f"{', '.join(first)} and {last}" if first else last


def _text(system: System, key: str) -> str:
    """As changed, or as in the system's file or its host's, or else the program's default."""
    own = {name: setting.text for name, setting in system.settings.items()} | system.changes
    return own.get(key, declaration(system.scenario).parameter(key).default)
