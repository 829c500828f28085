# SPDX-License-Identifier: GPL-2.0-only
"""`study sweep` and `study store`."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

from study.base.errors import StudyError
from study.base.project import scenarios, shown, write_whole
from study.catalogue import systems
from study.commands.usage import IN_FULL, HelpfulOption, SystemCommand, given_parameters
from study.programs.declaration import declaration

SOME_FAILED = 1
LISTS = "NAME=VALUES, as in receive-window=1024,2048 or receive-window=1024:65535:x2"
STORE = click.option(
    "--store",
    metavar="FOLDER",
    type=Path,
    help="Keep results there [default: STUDY_STORE, or .store beside the code].",
)


@click.command(
    name="sweep",
    cls=SystemCommand,
    short_help="Simulate a system at many points, and write a table.",
)
@click.argument("system")
@click.option(
    "--vary",
    multiple=True,
    cls=HelpfulOption,
    give=LISTS,
    metavar="NAME=VALUES",
    help="Values of a parameter: 1ms,10ms or ranges LOW:HIGH:x2 (each twice the last),"
    " LOW:HIGH:+STEP, LOW:HIGH:10lin, LOW:HIGH:10log (ten values). Every combination is run.",
)
@click.option(
    "--zip",
    "zipped_lists",
    multiple=True,
    cls=HelpfulOption,
    give=LISTS,
    metavar="NAME=VALUES",
    help="The same, but the lists of all --zip move together.",
)
@click.option(
    "--points",
    type=Path,
    metavar="FILE",
    help="Points from a .csv or .parquet table, a column a parameter.",
)
@click.option(
    "--latin-hypercube",
    type=click.IntRange(1),
    cls=HelpfulOption,
    give="a number of points, 1 or more",
    metavar="N",
    help="N points spread evenly over the ranges of --vary, then LOW:HIGH or LOW:HIGH:log.",
)
@click.option(
    "--seeds",
    type=click.IntRange(1),
    cls=HelpfulOption,
    give="how many, 1 or more",
    metavar="N",
    help="Run each point with the seeds 1 to N.",
)
@click.option(
    "-o",
    "--output",
    type=Path,
    metavar="FILE",
    help="Write a .csv or .parquet file [default: CSV to standard output].",
)
@click.option(
    "--host", metavar="NAME", help="Put another host profile (see `study systems`) in its place."
)
@click.option("--scheduler", metavar="ADDRESS", help="Run on the Dask cluster of this scheduler.")
@STORE
@click.option("--fresh", is_flag=True, help="Run again also what the store has.")
@IN_FULL
@click.option(
    "--max-points",
    type=click.IntRange(1),
    cls=HelpfulOption,
    give="a number of points, 1 or more",
    default=100_000,
    show_default=True,
    metavar="N",
    help="Refuse more points than that.",
)
def sweep_command(
    system: str,
    vary: Sequence[str],
    zipped_lists: Sequence[str],
    points: Path | None,
    latin_hypercube: int | None,
    seeds: int | None,
    output: Path | None,
    host: str | None,
    scheduler: str | None,
    store: Path | None,
    fresh: bool,
    in_full: bool,
    max_points: int,
    **given: str | None,
) -> int:
    """Simulate SYSTEM at every point and write a table, one row a point. An option for a parameter
    sets it at all points. Results are kept: a call that was stopped goes on where it was. The exit
    status is 1 when points failed, which are rows too; a stalled job is a result. One in a hundred
    of the fast-forwarded points is run in full as well; if the two differ, the sweep fails."""
    from study.runs.sweep import prepare
    from study.runs.table import as_bytes, check_output

    if output is not None:
        check_output(output)
    chosen = systems[system] if host is None else systems[system].with_host(host)
    chosen = chosen.with_(**given_parameters(given))
    visited = _points(chosen.scenario, vary, zipped_lists, points, latin_hypercube)
    prepared = prepare(chosen, visited, seeds=seeds, max_points=max_points)
    for note in prepared.notes:
        click.echo(f"study: {note}", err=True)
    made, tally = prepared.run(store, scheduler, fresh=fresh, fast_forward=not in_full)
    if output is None:
        click.echo(as_bytes(made, ".csv").decode(), nl=False)
    else:
        write_whole({output: as_bytes(made, output.suffix)})
        click.echo(f"{shown(output)}: {tally}")
    if output is None and sys.stderr.isatty():
        click.echo(tally, err=True)
    if tally.failed:
        first = made.reason[made.outcome == "failed"].iloc[0]
        click.echo(f"study: failed: {tally.failed:,}; the first one: {first}", err=True)
    return SOME_FAILED if tally.failed else 0


def _points(
    scenario: str,
    vary: Sequence[str],
    zipped_lists: Sequence[str],
    file: Path | None,
    latin_hypercube: int | None,
):
    from study.runs import points

    lists, together = _lists(scenario, "--vary", vary), _lists(scenario, "--zip", zipped_lists)
    chosen = points.grid()
    if file is not None:
        chosen = chosen * points.table(_read_table(file))
    if together:
        chosen = chosen * points.zipped(**together)
    if latin_hypercube is not None:
        return chosen * points.latin_hypercube(latin_hypercube, **lists)
    return chosen * points.grid(**lists)


def _lists(scenario: str, option: str, texts: Sequence[str]) -> dict[str, str]:
    lists = {}
    for text in texts:
        name, equals, listed = text.partition("=")
        if not equals or not listed:
            raise StudyError(f"{option} {text}: give {LISTS}")
        key = declaration(scenario).parameter(name.strip().lstrip("-").replace("-", "_")).key
        if key in lists:
            raise StudyError(f"{option} {name} is given twice; put its values into one list")
        lists[key] = listed
    return lists


def _read_table(file: Path):
    import pandas as pd

    read = {".csv": pd.read_csv, ".parquet": pd.read_parquet}.get(file.suffix)
    if read is None:
        raise StudyError(f"--points {file}: a table of points has to end in .csv or .parquet")
    try:
        return read(file)
    except (ValueError, OSError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise StudyError(f"--points {file} cannot be read: {reason}") from error


@click.command(name="store", short_help="Show what results are kept, and remove old ones.")
@STORE
@click.option("--prune", is_flag=True, help="Remove results of programs that are not built now.")
@click.option("--clear", is_flag=True, help="Remove all results.")
def store_command(store: Path | None, prune: bool, clear: bool) -> None:
    """Show the result store: whose results it holds and how large it is. Results of a program that
    was built anew since are never used; --prune removes them."""
    from study.programs.identity import identity
    from study.runs.store import Store, file_in

    if not file_in(store).exists():
        click.echo(f"{shown(file_in(store))}: no results yet")
        return
    current = {identity(scenario).digest for scenario in scenarios()}
    with Store(store) as opened:
        if prune or clear:
            removed = opened.prune(() if clear else current)
            click.echo(f"removed {removed:,} results")
        lines = [
            f"  {row.scenario:<16}{row.results:>9,} results  newest {_when(row.newest)}"
            f"  ns-3 {row.ns3}  program {row.digest[:12]}"
            f"{'' if row.digest in current else ' (not built now)'}"
            for row in opened.kept()
        ]
        size_MB = opened.size_B() / 1e6
        click.echo("\n".join([f"{shown(opened.path)}: {size_MB:.1f} MB", *lines]))


def _when(seconds: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
