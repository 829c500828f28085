# SPDX-License-Identifier: GPL-2.0-only
"""What an ns-3 of one's own is worth: the same points through builds of print-job, in turns.

    .venv/bin/python -m benchmarks.builds WHEEL/print-job OWN/print-job

The first is what the others are compared with; each program tells its own ns-3. All must give the
same records. The processor's time of one process for many points is counted, its start included.
"""

import statistics
import subprocess
import sys
from functools import partial
from pathlib import Path

import click
from study.base.errors import StudyError
from study.base.machine import processor
from study.base.project import RESULTS, shown, write_whole

from benchmarks.__main__ import as_csv
from benchmarks.command import Build
from benchmarks.comparisons import LARGE_B, MIDDLE_B, SMALL_B, plain, windows
from benchmarks.measuring import in_turns, load

TABLE = RESULTS / "ns3-builds.csv"
# Name of a case, its bytes, whether it is fast-forwarded, and the number of points.
CASES = (
    ("64 kB", SMALL_B, True, 400),
    ("1 MB in full", MIDDLE_B, False, 60),
    ("22 MB with fast-forward", LARGE_B, True, 40),
)


@click.command()
@click.argument("programs", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--rounds", type=click.IntRange(1), default=7, show_default=True, metavar="N")
@click.option("--share", type=click.FloatRange(0, 1), default=1.0, help="Of the points, to try it.")
@click.option("-o", "--output", type=Path, default=TABLE, metavar="FILE", help="Write there.")
def main(programs: tuple[Path, ...], rounds: int, share: float, output: Path) -> None:
    """Compare builds of print-job, in N rounds of all of them."""
    before = load()
    try:
        builds = [Build(program.absolute()) for program in programs]
        table = [row for case in CASES for row in compared(builds, rounds, share, *case)]
        about = {"machine": processor(), "load": f"{before} to {load()}"}
        write_whole({output: as_csv([row | about for row in table])})
    except StudyError as error:
        click.echo(f"benchmark: {error}", err=True)
        sys.exit(2)
    for row in table:
        click.echo(f"{row['points']:25} {row['ns3']:50} {row['cpu_ms']:>8} ms  x {row['ratio']}")
    click.echo(f"see {shown(output)}")


def compared(
    builds: list[Build], rounds: int, share: float, name: str, size_B: int, fast: bool, count: int
) -> list[dict[str, str]]:
    """Return a row for each build."""
    count = max(1, round(count * share))
    flags = plain(size_B).flags()
    more = f"--fast-forward={str(fast).lower()}"
    lines = [" ".join([*flags, f"--receive-window={window}", more]) for window in windows(count)]
    text = "".join(line + "\n" for line in lines).encode()
    said: set[bytes] = set()
    works = [partial(_run, build.program, text, said) for build in builds]
    costs = [in_turns(works, turn) for turn in range(rounds)]
    if len(said) != 1:
        raise StudyError(f"{name}: the programs give different records")
    times_ms = [[used.cpu_s / count * 1e3 for used in each] for each in zip(*costs, strict=True)]
    medians = [statistics.median(each) for each in times_ms]
    return [
        {
            "points": name,
            "ns3": build.ns3 if build.is_own else f"{build.ns3}, the wheel's or an installed one",
            "cpu_ms": f"{median:.4g}",
            "min": f"{min(each):.4g}",
            "max": f"{max(each):.4g}",
            "ratio": f"{medians[0] / median:.2f}",
            "rounds": str(rounds),
        }
        for build, each, median in zip(builds, times_ms, medians, strict=True)
    ]


def _run(program: Path, text: bytes, said: set[bytes]) -> None:
    done = subprocess.run([program, "--batch"], input=text, capture_output=True)
    if done.returncode or b'"outcome":"finished"' not in done.stdout:
        raise StudyError(f"{shown(program)} did not finish: {done.stderr.decode()[:200]}")
    said.add(done.stdout)


if __name__ == "__main__":
    main()
