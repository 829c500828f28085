# SPDX-License-Identifier: GPL-2.0-only
"""What `study systems` shows: each system's headline figure, measured and simulated, one line each,
then the host profiles. A file that cannot be used says so in its own line."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from study.base.errors import StudyError
from study.kit.systems import systems
from study.system.hosts import has_host, hosts
from study.system.measured import Measured
from study.system.system import System

RATES = ("B/s", "kB/s")


@dataclass(frozen=True)
class Row:
    """One line: cells to line up, then a text of any length."""

    name: str
    cells: tuple[str, ...] = ()
    text: str = ""
    usable: bool = True


def overview() -> tuple[str, list[str]]:
    """The text, and the names of the files that cannot be used."""
    with ThreadPoolExecutor() as pool:  # each only waits for its program
        of_systems = list(pool.map(lambda name: _row(name, _system_row), systems))
    of_hosts = [_row(name, _host_row) for name in hosts]
    head = Row("system", ("measured", "simulated", "residual"), "")
    blocks = [_lines([head, *of_systems]), _lines([Row("host profile"), *of_hosts])]
    unusable = [row.name for row in [*of_systems, *of_hosts] if not row.usable]
    return "\n\n".join(blocks), unusable


def headline(system: System) -> Measured | None:
    """The first measured rate of the file; without one, the first measured figure."""
    rates = [row for row in system.measured if row.unit in RATES]
    return next(iter([*rates, *system.measured]), None)


def _row(name: str, make: Callable[[str], Row]) -> Row:
    try:
        return make(name)
    except StudyError as error:
        return Row(name, text=str(error), usable=False)


def _system_row(name: str) -> Row:
    from study.judging.comparison import compare
    from study.judging.reproduction import number, percent

    system = systems[name]
    result, measured = system.run(segments=True), headline(system)
    if result.throughput_Bps is None:
        return Row(name, ("", result.outcome, ""), system.title)
    rate = f"{result.throughput_Bps:.1f} B/s"
    if measured is None:
        return Row(name, ("none", rate, ""), system.title)
    compared = compare(system, result, [measured])
    if not compared:  # no rule reads it
        return Row(name, (f"{measured.text} {measured.unit}", rate, ""), system.title)
    (comparison,) = compared
    simulated = number(comparison.simulated, measured.unit)
    residual = percent(comparison.residual_pct, "+.2f")
    cells = (
        f"{measured.text} {measured.unit}",
        f"{simulated} {measured.unit}" if simulated else "not sent",
        f"{residual} %" if residual else "",
    )
    return Row(name, cells, system.title)


def _host_row(name: str) -> Row:
    from study.base.project import scenarios

    host = hosts[name]
    for scenario in filter(has_host, scenarios()):
        host.settings(scenario)
    return Row(name, text=host.title)


def _lines(rows: list[Row]) -> str:
    """The names and cells lined up; an error takes the place of the cells."""
    wide = max(len(row.name) for row in rows)
    columns = list(zip(*(row.cells for row in rows if row.cells), strict=True))
    widths = [max(map(len, column)) for column in columns]
    lines = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row.cells, widths, strict=False)]
        lines.append("  ".join([row.name.ljust(wide), *cells, row.text]).rstrip())
    return "\n".join(lines)
