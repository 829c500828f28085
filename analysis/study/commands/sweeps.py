# SPDX-License-Identifier: GPL-2.0-only
"""Many runs: `study sweep`, `sensitivity` and `store`."""

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from study.base.errors import StudyError
from study.base.project import check_no_device, check_writable, scenarios, shown, write_whole
from study.commands.usage import (
    ARGUMENTS,
    IN_FULL,
    PATH,
    SYSTEM,
    HelpfulOption,
    SystemCommand,
    answer,
    file_option,
    of_a_system,
    timeout_option,
)
from study.programs.declaration import declaration
from study.system.system import System

if TYPE_CHECKING:
    from study.runs.sweep import Sweep

SOME_FAILED = 1
LISTS = "NAME=VALUES, as in receive-window=1024,2048 or receive-window=1024:65535:x2"
STORE = file_option(
    "--store",
    "Folder of the result store [default: STUDY_STORE, or .store beside the code].",
    metavar="FOLDER",
)


def _count(name: str, what: str, **settings: object) -> Callable[..., Any]:
    """Return an option for an integer of 1 or more."""
    give = f"{what}, 1 or more"
    kind = {"type": click.IntRange(1), "cls": HelpfulOption, "give": give, "metavar": "N"}
    return click.option(name, **kind, **settings)


def lists_option(*names: str, about: str) -> Callable[..., Any]:
    """Return an option for values of parameters that can be repeated."""
    kind = {"multiple": True, "cls": HelpfulOption, "give": LISTS, "metavar": "NAME=VALUES"}
    return click.option(*names, **kind, help=about)


@click.command(
    name="sweep", cls=SystemCommand, common=("--vary", "--zip", "--seeds", "--output", "--host")
)
@SYSTEM
@of_a_system
@lists_option(
    "--vary",
    about="Values of a parameter: 1ms,10ms or ranges LOW:HIGH:x2 (each twice the last),"
    " LOW:HIGH:+STEP, LOW:HIGH:10lin, LOW:HIGH:10log (ten values). Every combination is run."
    " host=NAME,NAME varies the host profile.",
)
@lists_option(
    "--zip",
    "zipped_lists",
    about="The same, but takes the n-th values of all --zip lists together (equal lengths).",
)
@file_option("--points", "Points from a .csv or .parquet table, a column a parameter.")
@_count(
    "--latin-hypercube",
    "a number of points",
    help="N points spread evenly over the ranges of --vary, then LOW:HIGH or LOW:HIGH:log.",
)
@_count("--seeds", "how many", help="Run each point with the seeds 1 to N.")
@file_option("-o", "--output", "Write a .csv or .parquet file [default: CSV to standard output].")
@click.option("--scheduler", metavar="ADDRESS", help="Run on the Dask cluster of this scheduler.")
@click.option(
    "--shard",
    metavar="K/N",
    help="Run only one of N equal parts, as in 3/100; its table is written with -o alone.",
)
@_count(
    "--slurm-array",
    "a number of tasks",
    help="Run nothing: write the script of a Slurm array job of N tasks, a --shard each.",
)
@STORE
@click.option("--fresh", is_flag=True, help="Run again also what the store has.")
@IN_FULL
@_count(
    "--max-points",
    "a number of points",
    default=100_000,
    show_default=True,
    help="Refuse more points than that.",
)
@timeout_option(
    "--point-timeout", "CPU time of a point; one that takes more is a failed row that says so."
)
def sweep_command(
    unchanged: System,
    chosen: System,
    seeds: int | None,
    output: Path | None,
    scheduler: str | None,
    shard: str | None,
    slurm_array: int | None,
    store: Path | None,
    fresh: bool,
    in_full: bool,
    max_points: int,
    point_timeout: float | None,
    **points: Any,
) -> int:
    """Simulate a system at many points, and write a table.

    One row a point. An option for a parameter sets it at all points of SYSTEM. Results are kept: a
    call that was stopped goes on where it was. The exit status is 1 when points failed, which are
    rows too; a stalled job is a result. Some of the fast-forwarded points are run in full as well,
    a twentieth of the work; if the two differ, the sweep fails."""
    from study.runs.array_job import Shard
    from study.runs.batch import uncollected
    from study.runs.rows_file import rows_file
    from study.runs.sweep import idle_notes, prepare
    from study.runs.sweep_table import check_output

    if slurm_array is not None and (shard is not None or scheduler is not None):
        raise StudyError("--slurm-array makes tasks of a --shard each: leave the other option out")
    if output is not None and slurm_array is None:
        check_output(output)
    visited = _points(chosen.scenario, **points)
    if chosen.host != unchanged.host and _varies_host(points):
        raise StudyError(f"host is both varied and set to {chosen.host}; leave one out")
    with uncollected():
        prepared = prepare(chosen, visited, seeds=seeds, max_points=max_points)
    for note in prepared.notes:
        click.echo(f"study: {note}", err=True)
    if slurm_array is not None:
        return _write_script(prepared, slurm_array, store, output)
    if shard is not None:
        prepared = prepared.share(Shard.read(shard))
    settings = {"fresh": fresh, "fast_forward": not in_full, "point_timeout": point_timeout}
    given = output, prepared.declared, prepared.varied, len(prepared.lines())
    with uncollected(), closing(rows_file(*given)) as rows:
        tally, attributes = prepared.fill(rows, store, scheduler, **settings)
        for note in idle_notes(attributes["without_effect"]):
            click.echo(f"study: {note}", err=True)
        if output is not None or shard is None:
            rows.finish(attributes)
    if output is not None or shard is not None:
        click.echo(f"{shown(output) if output else f'shard {shard}'}: {tally}")
    elif sys.stderr.isatty():
        click.echo(tally, err=True)
    if tally.failed:
        _, reason = rows.first_failure
        click.echo(f"study: failed: {tally.failed:,}; the first one: {reason}", err=True)
    if on_no_model := chosen.rests_on_no_model(unchanged, prepared.varied):
        click.echo(f"study: {on_no_model}", err=True)
    return SOME_FAILED if tally.failed else 0


def _write_script(sweep: "Sweep", tasks: int, store: Path | None, output: Path | None) -> int:
    from study.runs.array_job import script
    from study.runs.store_file import default_folder

    arguments, points = click.get_current_context().meta[ARGUMENTS], len(sweep.lines())
    if tasks > points:
        raise StudyError(f"--slurm-array: {tasks:,} tasks are more than the {points:,} points")
    text = script(sweep.system.name, points, tasks, arguments, store or default_folder())
    if output is None:
        click.echo(text, nl=False)
    else:
        check_writable(output)
        write_whole({output: text.encode()})
        click.echo(f"{shown(output)}: {tasks:,} tasks for sbatch")
    return 0


def _points(
    scenario: str,
    vary: Sequence[str],
    zipped_lists: Sequence[str],
    points: Path | None,
    latin_hypercube: int | None,
):
    from study.runs.points import grid, table, zipped
    from study.runs.points import latin_hypercube as spread

    lists, together = lists_of(scenario, "--vary", vary), lists_of(scenario, "--zip", zipped_lists)
    chosen = grid() if points is None else table(read_table(points, "--points "))
    if together:
        chosen = chosen * zipped(**together)
    return chosen * (spread(latin_hypercube, **lists) if latin_hypercube else grid(**lists))


def _varies_host(points: dict[str, Any]) -> bool:
    return any(text.partition("=")[0].strip().lstrip("-") == "host" for text in points["vary"])


def lists_of(scenario: str, option: str, texts: Sequence[str]) -> dict[str, str]:
    """Return the lists of --vary and similar options by parameter. Raise StudyError if a parameter
    is unknown, given twice, or has no values."""
    from study.runs.profiles import with_profiles

    declared, lists = with_profiles(declaration(scenario)), {}
    for text in texts:
        name, equals, listed = text.partition("=")
        if not equals or not listed:
            raise StudyError(f"{option} {text}: give {LISTS}")
        key = declared.parameter(name.strip().lstrip("-").replace("-", "_")).key
        if key in lists:
            raise StudyError(f"{option} {name} is given twice; put its values into one list")
        lists[key] = listed
    return lists


def read_table(file: Path, option: str = ""):
    """Read a table of points, or a sweep's table. Raise StudyError if it cannot be read."""
    import pandas as pd

    read = {".csv": pd.read_csv, ".parquet": pd.read_parquet}.get(file.suffix)
    if read is None:
        raise StudyError(f"{option}{file}: a table has to end in .csv or .parquet")
    check_no_device(file)
    try:
        return read(file)
    except (ValueError, OSError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise StudyError(f"{option}{file} cannot be read: {reason}") from error


@answer("sensitivity")
def sensitivity_command(unchanged: System, chosen: System):
    """Rank the parameters that a job's rate rests on.

    Varies every number of SYSTEM by up to 20 % and ranks the numbers by their effect on the whole
    job's rate. An effect of 1 means that 1 % of the number changes the rate by 1 %. The rate of a
    long job is estimated from its beginning."""
    from study.trials.sensitivity import sensitivity

    return sensitivity(chosen)


@click.group(name="store", invoke_without_command=True)
@STORE
@click.option("--prune", is_flag=True, help="Remove results of programs that are not built now.")
@click.option("--clear", is_flag=True, help="Remove all results.")
@click.pass_context
def store_command(ctx: click.Context, store: Path | None, prune: bool, clear: bool) -> None:
    """Show what results are kept, remove old ones, and merge stores.

    Prints the size of the store, and the programs whose results it has. Results of another
    version of a program (another digest) are never used; --prune removes them."""
    from study.programs.identity import identity
    from study.runs.store import Store
    from study.runs.store_file import file_in

    if ctx.invoked_subcommand is not None:
        if store is not None or prune or clear:
            raise click.UsageError(f"give {ctx.invoked_subcommand} its options after its name")
        return
    if not file_in(store).exists():
        click.echo(f"{shown(file_in(store))}: no results yet")
        return
    current = {identity(scenario).digest for scenario in scenarios()}
    with Store(store) as opened:
        if prune or clear:
            click.echo(f"removed {opened.prune(() if clear else current):,} results")
        click.echo(f"{shown(opened.path)}: {opened.size_B() / 1e6:.1f} MB")
        for row in opened.kept():
            newest = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.newest))
            click.echo(
                f"  {row.scenario:<16}{row.results:>9,} results  newest {newest}"
                f"  ns-3 {row.ns3}  program {row.digest[:12]}"
                f"{'' if row.digest in current else ' (not built now)'}"
            )


@store_command.command(name="merge")
@click.argument("folders", metavar="FOLDER...", nargs=-1, required=True, type=PATH)
@STORE
def merge_command(folders: tuple[Path, ...], store: Path | None) -> None:
    """Take over the results of other stores.

    Merges the parts of a sweep that ran elsewhere (--shard), or saves the intact records of a
    damaged store. Each record's checksum is verified."""
    from study.runs.merge import merge
    from study.runs.store import Store

    with Store(store) as opened:
        click.echo(f"{shown(opened.path)}: {merge(opened, folders)}")


COMMANDS = (sweep_command, sensitivity_command, store_command)
