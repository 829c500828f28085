# SPDX-License-Identifier: GPL-2.0-only
"""`./waf robustness`: try what may not break the study, print, and write results/robustness.csv."""

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
from study.judging.table_file import to_csv

from robustness import files, machine, requests
from robustness.trial import Outcome, Trial

TABLE = RESULTS / "robustness.csv"
FRAMES, SEGMENTS = "robustness-frames", "robustness-segments"
COUNTED = ("tried", "survived", "refused", "beside")
COLUMNS = ("trial", "holds", *COUNTED, "seed")


def program(folder: Path, name: str, *link: str) -> Callable[[int, int, Path], Outcome]:
    """Return what tries a program of robustness/. It ends at the first failure."""

    def run(count: int, seed: int, _: Path) -> Outcome:
        given = [str(count), str(seed), *link]
        environment = os.environ | {"ASAN_OPTIONS": "detect_leaks=0"}  # ns-3 frees nothing
        done = subprocess.run(
            [folder / name, *given], env=environment, capture_output=True, text=True
        )
        outcome = Outcome(tried=count, survived=0 if done.returncode else count)
        if done.returncode:
            outcome.wrong.append(f"{' '.join([name, *given])}: {done.stderr.strip()[-300:]}")
        if done.stdout:
            record = json.loads(done.stdout)
            outcome.refused = record.get("frames", 0) - record.get("passed", 0)
            outcome.beside = (
                f"{record['whole']:,} of {record['jobs']:,} jobs whole"
                if link
                else f"{record['connections']:,} connections"
            )
        return outcome

    return run


def trials(folder: Path) -> list[Trial]:
    """Return all trials, with the programs of a folder."""
    answered = "a reading, or one line that says why not"
    whole = "the device goes on, and every job beside them arrives whole"
    return [
        Trial("frames on an Ethernet", whole, 50_000, program(folder, FRAMES, "ethernet")),
        Trial("frames on a path", whole, 50_000, program(folder, FRAMES, "path")),
        Trial(
            "segments of a connection",
            "it goes on, a copy goes on alike, and it delivers what has come",
            100_000,
            program(folder, SEGMENTS),
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
    table = []
    for trial, done in rows:
        counted = {key: getattr(done, key) for key in COUNTED}
        table.append({"trial": trial.name, "holds": trial.holds, **counted, "seed": seed})
    return to_csv(COLUMNS, table)


if __name__ == "__main__":
    main()
