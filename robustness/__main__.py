# SPDX-License-Identifier: GPL-2.0-only
"""`./waf robustness`: try what may not break the study, print, and write results/robustness.csv."""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click
from study.base.project import BUILD, RESULTS, shown, write_whole

from robustness import files, machine, requests
from robustness.trial import Outcome, Trial

TABLE = RESULTS / "robustness.csv"
COLUMNS = ("trial", "holds", "tried", "survived", "refused", "beside", "seed")


def program(*arguments: str, folder: Path) -> tuple[Outcome, dict]:
    """Run a program of robustness/ with that number of inputs; it ends at the first failure."""
    environment = {
        **os.environ,
        "ASAN_OPTIONS": "detect_leaks=0",
    }  # ns-3 frees nothing before the end
    name, *rest = arguments
    done = subprocess.run([folder / name, *rest], env=environment, capture_output=True, text=True)
    outcome, count = Outcome(), int(rest[0])
    try:
        record = json.loads(done.stdout)
    except ValueError:
        record = {}
    outcome.tried = outcome.survived = count
    if done.returncode or not record:
        outcome.survived = 0
        outcome.wrong.append(f"{' '.join(arguments)}: {done.stderr.strip()[-300:]}")
    return outcome, record


def frames(link: str, folder: Path) -> Callable[[int, int, Path], Outcome]:
    def run(count: int, seed: int, _: Path) -> Outcome:
        outcome, record = program("robustness-frames", str(count), str(seed), link, folder=folder)
        if record:
            outcome.refused = record["frames"] - record["passed"]
            outcome.beside = f"{record['whole']:,} of {record['jobs']:,} jobs whole"
        return outcome

    return run


def segments(folder: Path) -> Callable[[int, int, Path], Outcome]:
    def run(count: int, seed: int, _: Path) -> Outcome:
        outcome, record = program("robustness-segments", str(count), str(seed), folder=folder)
        outcome.beside = f"{record['connections']:,} connections" if record else ""
        return outcome

    return run


def trials(folder: Path) -> list[Trial]:
    """Return all trials, with the programs of a folder."""
    answered = "a reading, or one line that says why not"
    whole = "the device goes on, and every job beside them arrives whole"
    return [
        Trial("frames on an Ethernet", whole, 50_000, frames("ethernet", folder)),
        Trial("frames on a path", whole, 50_000, frames("path", folder)),
        Trial(
            "segments of a connection",
            "it goes on, a copy goes on alike, and it delivers what has come",
            100_000,
            segments(folder),
        ),
        Trial("captures", answered, 200, files.tried_captures),
        Trial("system files", answered, 200, files.tried_systems),
        Trial("archives", "the difference is named, or one line", 20, files.tried_archives),
        Trial("requests to the explorer", "an answer below 500", 60, requests.tried_requests),
        Trial("result stores", "the true table, or one line", 20, machine.tried_stores),
        Trial(
            "kills and interrupts of a sweep",
            "one line, no half table, and the next call goes on",
            8,
            machine.tried_kills,
        ),
        Trial("full disks", "one line, and no half file", 6, machine.tried_disks),
    ]


@click.command()
@click.option(
    "--times",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="As many times as much of everything; 50 is an hour or two.",
)
@click.option("--seed", type=int, default=1, show_default=True, metavar="N")
@click.option("--only", metavar="WORD", help="Only trials with this in the name; writes no table.")
@click.option(
    "--programs",
    type=click.Path(path_type=Path),
    default=BUILD,
    metavar="FOLDER",
    help="Of the frames and segments, such as build/sanitize, of ./waf sanitize.",
)
def main(times: int, seed: int, only: str | None, programs: Path) -> None:
    """Damage what the study reads, in ways chosen by a seed, and count what it survives.

    Ends with status 1 where something was not survived, which a line names with its seed."""
    with tempfile.TemporaryDirectory(prefix="study-") as folder:
        os.environ["STUDY_STORE"] = str(Path(folder, "results"))
        chosen = [each for each in trials(programs) if not only or only in each.name]
        rows, wrong = [], []
        for trial in chosen:
            begun = time.monotonic()
            own = Path(folder, str(len(rows)))
            own.mkdir()
            outcome = trial.run(times * trial.count, seed, own)
            rows.append((trial, outcome))
            wrong += outcome.wrong
            took_s = time.monotonic() - begun
            told = f"{outcome.survived:,} of {outcome.tried:,} survived in {took_s:.0f} s"
            click.echo(f"{trial.name}: {told}")
    for line in wrong:
        click.echo(line, err=True)
    if not only:
        write_whole({TABLE: as_csv(rows, seed).encode()})
        click.echo(f"see {shown(TABLE)}")
    sys.exit(1 if wrong else 0)


def as_csv(rows: list[tuple[Trial, Outcome]], seed: int) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for trial, done in rows:
        writer.writerow(
            [trial.name, trial.holds, done.tried, done.survived, done.refused, done.beside, seed]
        )
    return out.getvalue()


if __name__ == "__main__":
    main()
