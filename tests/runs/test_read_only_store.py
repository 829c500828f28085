# SPDX-License-Identifier: GPL-2.0-only
"""A result store that cannot be written is read, as far as it has what is asked for."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from study import StudyError, System

NOBODY = 65534
WINDOWS = [1460, 2920]


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where others than root may look; pytest's own is closed to them."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


@contextmanager
def closed(folder: Path) -> Iterator[None]:
    """Read-only, also for root, who is somebody else meanwhile."""
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


@pytest.fixture
def job(hawking: System) -> System:
    return hawking.with_(job_size=20_000)


def test_a_read_only_store_that_has_every_point_is_read(job: System, folder: Path):
    """WAL mode writes beside the file even for a reader."""
    before = job.sweep(receive_window=WINDOWS, store=folder)
    files = sorted(folder.iterdir())
    with closed(folder):
        after = job.sweep(receive_window=WINDOWS, store=folder)
    assert before.equals(after)
    assert sorted(folder.iterdir()) == files


def test_what_a_read_only_store_lacks_is_told_before_it_is_run(
    job: System, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    job.sweep(receive_window=WINDOWS, store=folder)
    monkeypatch.setattr("study.runs.workers.BatchProgram", None)  # nothing runs
    with closed(folder), pytest.raises(StudyError, match=r"cannot be written, and does not"):
        job.sweep(receive_window=[*WINDOWS, 4380], store=folder)


def test_where_there_is_none_it_cannot_be_made(job: System, folder: Path):
    with closed(folder), pytest.raises(StudyError, match=r"cannot be (used|made)"):
        job.sweep(receive_window=WINDOWS, store=folder)
