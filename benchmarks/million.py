# SPDX-License-Identifier: GPL-2.0-only
"""A million points, the real thing: what one costs from the first tenth of a sweep to the last,
what memory the client takes, and how long the same call takes when the store has all of them.

    .venv/bin/python -m benchmarks.million [--side 1000] [FOLDER]

The points are a grid of receive windows and ACK latencies, as many of each as --side says, of jobs
of one segment. A million take some gigabytes in FOLDER (else a temporary folder) and some minutes.
It is no part of `./waf benchmark`; it prints a table as CSV.
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from study.runs.store_file import FILE

from benchmarks.command import PLAIN

LOOK_S = 2.0
IN_MEMORY = """
import sys
from study import systems, to_xarray

system, side, store = sys.argv[1], int(sys.argv[2]), sys.argv[3]
table = systems[system].with_(job_size=1460).sweep(
    receive_window=f"1461:{1460 + side}:1", ack_latency=f"1us:{side}us:1us",
    store=store, max_points=side**2, progress=False,
)
cube = to_xarray(table)
assert dict(cube.sizes) == {"receive_window_B": side, "ack_latency_s": side}, cube.sizes
assert bool((cube.bytes == 1460).all())
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--side", type=int, default=1000)
    parser.add_argument("folder", type=Path, nargs="?")
    given = parser.parse_args()
    print("what,points,wall_s,cpu_s,cpu_per_point_us,client_peak_MB")
    with tempfile.TemporaryDirectory(prefix="study-million-") as folder:
        chosen = given.folder or Path(folder)
        chosen.mkdir(parents=True, exist_ok=True)
        measure(given.side, chosen)


def measure(side: int, folder: Path) -> None:
    command = [sys.executable, "-m", "study.commands.main", "sweep", str(PLAIN)]
    command += ["--job-size=1460", f"--vary=receive-window=1461:{1460 + side}:1"]
    command += [f"--vary=ack-latency=1us:{side}us:1us", f"--max-points={side**2}"]
    command += [f"--store={folder}", "-o"]
    first, again = folder / "first.parquet", folder / "again.parquet"
    _timed("new store", side**2, [*command, str(first)], folder / FILE)
    _timed("full store", side**2, [*command, str(again)])
    if first.read_bytes() != again.read_bytes():
        sys.exit("the two tables differ")
    python = [sys.executable, "-c", IN_MEMORY, str(PLAIN), str(side), str(folder)]
    _timed("full store, DataFrame and xarray", side**2, python)


def _timed(what: str, points: int, command: Sequence[str], store: Path | None = None) -> None:
    """Run a command and print its cost; with a store also for each tenth of the points."""
    began, before, seen = time.monotonic(), os.times(), [(0, 0.0)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peak_kB = 0
    while process.poll() is None:
        peak_kB = max(peak_kB, _peak_kB(process.pid))
        if store is not None and store.exists():
            seen.append((_kept(store), _cpu_s(process.pid)))
            time.sleep(LOOK_S)
        else:
            time.sleep(0.02)
    if process.returncode:
        sys.exit(f"{what}: it ended with status {process.returncode}")
    wall_s = time.monotonic() - began
    spent = os.times()
    cpu_s = spent.children_user - before.children_user
    cpu_s += spent.children_system - before.children_system
    for tenth in range(10) if store is not None else ():
        inside = [each for each in seen if tenth <= each[0] * 10 / points < tenth + 1]
        if len(inside) > 1 and inside[-1][0] > inside[0][0]:
            (low, low_s), (high, high_s) = inside[0], inside[-1]
            each_us = (high_s - low_s) / (high - low) * 1e6
            print(f"tenth {tenth + 1},{high - low},,{high_s - low_s:.2f},{each_us:.1f},")
    print(
        f"{what},{points},{wall_s:.1f},{cpu_s:.1f},{cpu_s / points * 1e6:.1f},{peak_kB / 1e3:.0f}"
    )
    sys.stdout.flush()


def _kept(store: Path) -> int:
    """Return the number of results in the store; none is ever replaced here."""
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as db:
            return db.execute("SELECT max(rowid) FROM results").fetchone()[0] or 0
    except sqlite3.Error:  # it is being made
        return 0


def _peak_kB(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return 0


def _cpu_s(pid: int) -> float:
    """Return the processor time in seconds of the client and all its programs, ended and
    running."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, _, rest = stat.read_text().rpartition(")")
        except OSError:
            continue
        fields = rest.split()
        if int(number.split()[0]) == pid:
            total += sum(map(int, fields[11:15]))
        elif int(fields[1]) == pid:
            total += sum(map(int, fields[11:13]))
    return total / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
