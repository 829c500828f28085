# SPDX-License-Identifier: GPL-2.0-only
"""`./waf benchmark`: measure, print, and write results/benchmarks.csv."""

import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from study.base.errors import StudyError
from study.base.machine import cores, processor
from study.base.project import RESULTS, shown, write_whole
from study.judging.table_file import to_csv
from study.programs.declaration import declaration

from benchmarks.command import Build, build_of
from benchmarks.comparisons import SMALL_B, Scale, benchmarks
from benchmarks.measuring import Benchmark, load, rows

TABLE, BUSY = RESULTS / "benchmarks.csv", RESULTS / "benchmarks-busy.csv"
QUICK = Scale(
    many=100,
    kept=100,
    ours=4,
    stock=2,
    sem=2,
    runs=50,
    large_B=200_000,
    segments=50,
    steps=2,
    capture_B=2_000_000,
)


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, metavar="N")
@click.option(
    "--points",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Points of 64 kB in the longest sweeps: fewer where the machine is busy.",
)
@click.option(
    "--also",
    "programs",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PROGRAM",
    help="Another build's print-job, as of the other ns-3: the sweeps are run with it, too.",
)
@click.option(
    "--busy",
    is_flag=True,
    help=f"Keep every core busy with something else meanwhile; then into {BUSY.name}.",
)
@click.option("--only", metavar="WORD", help="Measure only what has this in its name.")
@click.option("--quick", is_flag=True, help="Next to nothing of everything, to try the machinery.")
@click.option("-o", "--output", type=Path, metavar="FILE", help=f"Not into {TABLE.name}.")
def main(
    rounds: int,
    points: int,
    programs: Sequence[Path],
    busy: bool,
    only: str | None,
    quick: bool,
    output: Path | None,
) -> None:
    """Measure everything, one after the other, in each of N rounds; a row has the median of the
    rounds so far."""
    before, output = load(), output or (BUSY if busy else TABLE)
    try:
        also = [build_of(program) for program in programs]
        wanted = chosen(benchmarks(QUICK if quick else Scale(many=points), also), only or "")
        for build in (Build(), *also):
            build.sweep(SMALL_B, 1)  # so that what is read or compiled once is done
        with others(cores() if busy else 0):
            for measured in rows(wanted, rounds, click.echo):
                about = {"machine": machine(), "load": f"{before} to {load()}"}
                table = [row | about for row in measured]
                write_whole({output: as_csv(table)})
    except StudyError as error:
        click.echo(f"benchmark: {error}", err=True)
        sys.exit(2)
    for row in table:
        click.echo(
            f"{row['name']:45} {row['value']:>8} {row['unit']:3} {row['target']:>8} {row['met']}"
        )
    click.echo(f"see {shown(output)}")


def chosen(wanted: list[Benchmark], word: str) -> list[Benchmark]:
    """Return the benchmarks with the word in a figure's name, or raise StudyError."""
    found = [each for each in wanted if any(word in figure.name for figure in each.figures)]
    if not found:
        raise StudyError(f"--only {word}: no benchmark has that in its name")
    return found


@contextmanager
def others(count: int) -> Iterator[None]:
    """Run `count` programs inside the context that only keep processors busy."""
    spin = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(spin) for _ in range(count)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


def as_csv(table: list[dict[str, str]]) -> bytes:
    return to_csv(list(table[0]), table).encode()


def machine() -> str:
    """Return a description of the machine and versions, without its name."""
    memory_GB = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    parts = [processor(), f"{cores()} cores", f"{memory_GB:.0f} GB", platform.system()]
    parts += [f"Python {platform.python_version()}", f"ns-3 {declaration('print-job').ns3}"]
    return ", ".join(parts)


if __name__ == "__main__":
    main()
