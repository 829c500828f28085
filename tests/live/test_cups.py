# SPDX-License-Identifier: GPL-2.0-only
"""CUPS as a client: by its backends socket and lpd, from lp and lpr, every job arrives whole."""

import hashlib
import os
import shutil
from collections import Counter
from pathlib import Path

import pytest
from live_run import heard
from live_sender import octets
from study.kit.systems import systems

SCRIPT = Path(__file__).with_name("cups.sh")
SIZE = 100_000
NEEDED = ("cupsd", "lp", "lpr", "lpadmin", "unshare")
# Its root has no other users to become; CUPS then runs as one that is none.
ORDINARY = ("unshare", "--user", "--map-user=1000", "--map-group=1000")


def test_every_job_of_cups_arrives_whole(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:/usr/sbin")
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        pytest.skip(f"CUPS is not installed: no {', '.join(missing)}")
    file = tmp_path / "job"
    file.write_bytes(octets(1, SIZE))
    command = [*ORDINARY, "sh", str(SCRIPT), str(tmp_path / "cups"), str(file)]
    found = heard(systems["hp-jetdirect-610n"], command)
    assert found.seen.status == 0
    assert all(job.is_whole for job in found.jobs)
    assert Counter(job.heard.port for job in found.jobs) == {9100: 2, 515: 2}
    assert {job.sha256 for job in found.jobs} == {hashlib.sha256(octets(1, SIZE)).hexdigest()}
