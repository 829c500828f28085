# SPDX-License-Identifier: GPL-2.0-only
"""A line a system. `study systems` shows its headline figure, measured and as results/ has it
simulated, and the host profiles; a file that cannot be used says so in its own line. README and
report show the same figure, with what limits the job most."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from study.base.errors import StudyError
from study.base.project import scenarios
from study.base.units import for_readers
from study.kit.systems import systems
from study.system.hosts import has_host, hosts
from study.system.measured import Measured
from study.system.system import System

RATES = ("B/s", "kB/s")
COLUMNS = ("system", "measured", "simulated", "residual", "")
Cells = Sequence[str] | StudyError  # columns after the name, or why there are none


def overview() -> tuple[str, list[str]]:
    """Return the text, and the names of files that cannot be used."""
    of_systems = {name: _or_why(_of_system, name) for name in systems}
    of_hosts = {name: _or_why(_of_host, name) for name in hosts}
    generic = {name: _or_why(_title, name) for name in systems.beside}
    every = [*of_systems.items(), *generic.items(), *of_hosts.items()]
    unusable = [name for name, cells in every if isinstance(cells, StudyError)]
    blocks = [_lines(COLUMNS, of_systems), *_where_from()]
    blocks += [_lines(("generic", "nothing measured, every value assumed"), generic)]
    return "\n\n".join([*blocks, _lines(("host profile", ""), of_hosts)]), unusable


def _where_from() -> list[str]:
    from study.judging import reproduction

    if not reproduction.TABLE.is_file():
        return ["simulated: nothing yet; ./waf reproduce runs all of them"]
    return [f"simulated: {reproduction.made_with()}; ./waf reproduce runs all of them again"]


def headline(system: System) -> Measured | None:
    """Return the file's first measured rate, or its first measured figure, or None without one.
    Quoted figures do not count."""
    measured = [row for row in system.measured if row.is_at_hand]
    rates = [row for row in measured if row.unit in RATES]
    return next(iter([*rates, *measured]), None)


@dataclass(frozen=True)
class Glance:
    """A system with its headline figure's row of results/reproduction.csv, None without one, and
    its largest limit."""

    name: str
    row: dict[str, str] | None
    limit: str
    share_pct: float


def glances(rows: Sequence[dict[str, str]], limits: Sequence[dict[str, str]]) -> list[Glance]:
    """Return all systems, from the rows of results/reproduction.csv and
    results/figures/limits.csv."""
    found = []
    for name, system in systems.items():
        own = [row for row in limits if row["system"] == name]
        most = max(own, key=lambda row: float(row["share_pct"]))
        measured = headline(system)
        key = (name, measured.quantity) if measured else None
        row = next((row for row in rows if (row["system"], row["quantity"]) == key), None)
        found.append(Glance(name, row, most["limit"], float(most["share_pct"])))
    return found


def _or_why(cells: Callable[[str], Cells], name: str) -> Cells:
    try:
        return cells(name)
    except StudyError as error:
        return error


def _of_system(name: str) -> Cells:
    from study.judging import reproduction

    system = systems[name]
    measured = headline(system)
    if measured is None:
        return "none", "", "", system.title
    row = reproduction.committed(system).get(measured.quantity)
    if row is None:
        return f"{measured.text} {for_readers(measured.unit)}", "not run", "", system.title
    cells = reproduction.cells(row)
    return cells["measured"], cells["simulated"], cells["residual"], system.title


def _title(name: str) -> Cells:
    return (systems[name].title.partition(";")[0].removeprefix("Generic: "),)


def _of_host(name: str) -> Cells:
    host = hosts[name]
    for scenario in filter(has_host, scenarios()):
        host.settings(scenario)
    return (f"{host.title} (unjudged: {host.unjudged})" if host.unjudged else host.title,)


def _lines(headers: Sequence[str], rows: dict[str, Cells]) -> str:
    """Return a table with names and titles left-aligned and figures right-aligned."""
    between = len(headers) - 2
    table = [headers]
    for name, cells in rows.items():
        told = [*[""] * between, str(cells)] if isinstance(cells, StudyError) else cells
        table.append((name, *told))
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(_line(row, widths) for row in table)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    pairs = list(zip(row, widths, strict=True))
    figures = [text.rjust(width) for text, width in pairs[1:-1]]
    return "  ".join([row[0].ljust(widths[0]), *figures, row[-1]]).rstrip()
