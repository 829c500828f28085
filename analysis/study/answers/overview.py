# SPDX-License-Identifier: GPL-2.0-only
"""A line a system. `study systems` shows its headline figure, measured and as results/ has it
simulated, and the host profiles; a file that cannot be used says so in its own line. README and
report show the same figure, with what limits the job most."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from study.base.errors import StudyError
from study.base.project import scenarios
from study.base.units import for_readers
from study.kit.systems import systems
from study.programs.declaration import declaration
from study.system.hosts import has_host, hosts
from study.system.measured import Measured
from study.system.system import System

RATES = ("B/s", "kB/s")
COLUMNS = ("system", "measured", "simulated", "residual", "")
Cells = Sequence[str] | StudyError  # behind the name; or why there are none


def overview() -> tuple[str, list[str]]:
    """The text, and the names of the files that cannot be used."""
    with ThreadPoolExecutor() as pool:  # each only waits for its program
        cells = pool.map(partial(_or_why, _of_system), systems)
    of_systems = dict(zip(systems, cells, strict=True))
    of_hosts = {name: _or_why(_of_host, name) for name in hosts}
    every = [*of_systems.items(), *of_hosts.items()]
    unusable = [name for name, cells in every if isinstance(cells, StudyError)]
    blocks = [_lines(COLUMNS, of_systems), _lines(("host profile", ""), of_hosts)]
    return "\n\n".join([*blocks, *_where_from()]), unusable


def _where_from() -> list[str]:
    from study.judging import reproduction

    if not reproduction.TABLE.is_file():
        return ["simulated: nothing yet; ./waf reproduce runs all of them"]
    return [f"simulated: {reproduction.made_with()}; ./waf reproduce runs all of them again"]


def headline(system: System) -> Measured | None:
    """The first measured rate of the file; without one, the first measured figure. What is only
    quoted is neither."""
    measured = [row for row in system.measured if row.is_at_hand]
    rates = [row for row in measured if row.unit in RATES]
    return next(iter([*rates, *measured]), None)


@dataclass(frozen=True)
class Glance:
    """A system by its headline figure, as results/reproduction.csv has it, if it has any, and by
    the largest part of its job's time."""

    name: str
    row: dict[str, str] | None
    limit: str
    share_pct: float


def glances(rows: Sequence[dict[str, str]], limits: Sequence[dict[str, str]]) -> list[Glance]:
    """Every system, from the rows of results/reproduction.csv and results/figures/limits.csv."""
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
    _check(system)
    measured = headline(system)
    if measured is None:
        return "none", "", "", system.title
    row = reproduction.committed(system).get(measured.quantity)
    if row is None:
        return f"{measured.text} {for_readers(measured.unit)}", "not run", "", system.title
    cells = reproduction.cells(row)
    return cells["measured"], cells["simulated"], cells["residual"], system.title


def _check(system: System) -> None:
    """Raise what its program refuses, which is asked to end at once."""
    limit = declaration(system.scenario).parameters.get("time_limit")
    if limit is not None and limit.min:
        system.with_(time_limit=limit.min).run()


def _of_host(name: str) -> Cells:
    host = hosts[name]
    for scenario in filter(has_host, scenarios()):
        host.settings(scenario)
    return (f"{host.title} (unjudged: {host.unjudged})" if host.unjudged else host.title,)


def _lines(headers: Sequence[str], rows: dict[str, Cells]) -> str:
    from tabulate import tabulate

    empty = [""] * (len(headers) - 2)
    table = [
        (name, *([*empty, str(cells)] if isinstance(cells, StudyError) else cells))
        for name, cells in rows.items()
    ]
    align = ("left", *["right"] * len(empty), "left")
    text = tabulate(table, headers, tablefmt="plain", colalign=align, disable_numparse=True)
    return "\n".join(line.rstrip() for line in text.splitlines())
