# SPDX-License-Identifier: GPL-2.0-only
"""Trials of what a machine does to a run: kills and interrupts, a full disk, a damaged store."""

import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from robustness.trial import Outcome, called, damaged

POINTS = 40
SWEEP = ["sweep", "hawking-hps1u", "--vary", "job-size=20000"]
SWEEP += ["--vary", f"receive-window=1024:{1024 + 10 * (POINTS - 1)}:10"]
STUDY = [sys.executable, "-m", "study.commands.main"]
LONGEST_S = 1.5  # latest time of a kill: the sweep takes less
HANG_S = 300


def tried_stores(count: int, seed: int, folder: Path) -> Outcome:
    """Read damaged stores: each gives the true table, or a one-line error."""
    outcome, draw = Outcome(), random.Random(seed)
    true, store = _true_table(folder)
    whole = (store / "results.sqlite").read_bytes()
    table = folder / "table.csv"
    for number in range(count):
        data = bytearray(damaged(whole, draw))
        if number % 2:  # SQLite detects other damage by the file's size
            data = bytearray(whole)
            for _ in range(draw.choice([1, 3, 30])):
                data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        shutil.rmtree(store)
        store.mkdir()
        (store / "results.sqlite").write_bytes(data)
        table.unlink(missing_ok=True)
        status, _, err = called([*SWEEP, "--store", str(store), "-o", str(table)])
        wrong = ""
        if status == 0 and table.read_bytes() != true:
            wrong = "another table"
        elif status not in (0, 2) or err.count("\n") > 1:
            wrong = f"status {status}: {err[-300:]}"
        elif status == 2 and table.exists():
            wrong = "a table beside a refusal"
        outcome.add(f"store {seed}/{number}", wrong, status == 2)
    return outcome


def _true_table(folder: Path) -> tuple[bytes, Path]:
    """Return the table of an undisturbed sweep, and its store."""
    store, table = folder / "store", folder / "true.csv"
    status, _, err = called([*SWEEP, "--store", str(store), "-o", str(table)])
    if status:
        raise RuntimeError(err)
    return table.read_bytes(), store


def tried_kills(count: int, seed: int, folder: Path) -> Outcome:
    """End sweeps at random instants: one line, no partial table, and the next table is right."""
    outcome, draw = Outcome(), random.Random(seed)
    true, _ = _true_table(folder)
    table = folder / "table.csv"
    for number in range(count):
        store = folder / f"killed-{number}"
        call = [*SWEEP, "--store", str(store), "-o", str(table)]
        table.unlink(missing_ok=True)
        how = draw.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
        status, said = _ended(call, how, draw.uniform(0, LONGEST_S))
        wrong = ""
        if status not in (0, -signal.SIGKILL, 143, 130, -how) or said.count("\n") > 1:
            wrong = f"status {status} after {how.name}: {said[-300:]}"
        elif table.exists() and table.read_bytes() != true:
            wrong = "half a table"
        elif called(call)[0] != 0 or table.read_bytes() != true:
            wrong = "the next call does not go on"
        outcome.add(f"kill {seed}/{number}", wrong)
    return outcome


def _ended(call: Sequence[str], how: signal.Signals, after_s: float) -> tuple[int, str]:
    """End a call by a signal, and return its status and its error output."""
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen([*STUDY, *call], **pipes) as process:
        try:
            process.wait(after_s)
        except subprocess.TimeoutExpired:
            process.send_signal(how)
        _, said = process.communicate(timeout=HANG_S)
    return process.returncode, said.decode(errors="replace")


def tried_disks(count: int, seed: int, folder: Path) -> Outcome:
    """Limit the size of files, like a full disk: one line, and no partial file."""
    outcome, draw = Outcome(), random.Random(seed)
    commands = {
        "segments": ["run", "hawking-hps1u", "--job-size", "200000", "--segments", "{}"],
        "pcap": ["run", "hawking-hps1u", "--job-size", "200000", "--pcap", "{}"],
        "table": [*SWEEP, "--store", str(folder / "none"), "-o", "{}"],
    }
    for number in range(count):
        kind = draw.choice(list(commands))
        path, most_B = folder / f"{number}.{kind}.csv", draw.choice([0, 10, 500, 5000])
        call = [each.format(path) for each in commands[kind]]

        def bound(most_B: int = most_B) -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # so that a write fails instead
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_B, most_B))

        done = subprocess.run([*STUDY, *call], capture_output=True, preexec_fn=bound, text=True)
        wrong = ""
        if done.returncode != 2 or done.stderr.count("\n") != 1:
            wrong = f"{kind} of {most_B} B, status {done.returncode}: {done.stderr[-300:]}"
        elif path.exists():
            wrong = f"{kind} of {most_B} B: half a file"
        outcome.add(f"disk {seed}/{number}", wrong, refused=True)
    return outcome
