# SPDX-License-Identifier: GPL-2.0-only
"""`./waf benchmark`: measure, print, and write results/benchmarks.csv."""

import csv
import io
import os
import platform
import sys
from pathlib import Path

import click
from study.base.errors import StudyError
from study.base.machine import cores, processor
from study.base.project import RESULTS, shown, write_whole
from study.programs.declaration import declaration

from benchmarks.comparisons import SMALL_B, Scale, benchmarks, sweep
from benchmarks.measuring import load, rows

TABLE = RESULTS / "benchmarks.csv"
QUICK = Scale(
    many=100, kept=100, small=4, ours=4, stock=2, sem=2, runs=50, large_B=200_000, steps=2
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
@click.option("--quick", is_flag=True, help="Next to nothing of everything, to try the machinery.")
@click.option("-o", "--output", type=Path, default=TABLE, metavar="FILE", help="Write there.")
def main(rounds: int, points: int, quick: bool, output: Path) -> None:
    """Measure everything, one after the other, in each of N rounds; a row has the median of the
    rounds so far."""
    before = load()
    try:
        sweep(SMALL_B, 1)  # what is loaded once is loaded now
        for measured in rows(
            benchmarks(QUICK if quick else Scale(many=points)), rounds, click.echo
        ):
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


def as_csv(table: list[dict[str, str]]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(table[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue().encode()


def machine() -> str:
    """What the numbers depend on, without a name."""
    memory_GB = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    parts = [processor(), f"{cores()} cores", f"{memory_GB:.0f} GB", platform.system()]
    parts += [f"Python {platform.python_version()}", f"ns-3 {declaration('print-job').ns3}"]
    return ", ".join(parts)


if __name__ == "__main__":
    main()
