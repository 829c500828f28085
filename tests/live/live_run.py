# SPDX-License-Identifier: GPL-2.0-only
"""One live run of a test: a command, or a mode of live_sender.py, prints to a system's device."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from study.base.errors import StudyError
from study.kit.systems import systems
from study.live.live_run import live
from study.live.outcome import Outcome
from study.live.room import ALLOW
from study.system.system import System

SENDER = Path(__file__).with_name("live_sender.py")


def heard(system: System, command: Sequence[str], pcap: Path | None = None) -> Outcome:
    """What a command did to the system's device; skipped where namespaces are not allowed."""
    try:
        return live(system, command, pcap=pcap, say=lambda line: None)
    except StudyError as error:
        if ALLOW in str(error):
            pytest.skip(str(error))
        raise


def run(system: str, *mode: object, pcap: Path | None = None, **changes: object) -> Outcome:
    """What the mode of the sender did to the system's device, and nothing went amiss."""
    command = [sys.executable, str(SENDER), *map(str, mode)]
    found = heard(systems[system].with_(**changes), command, pcap)
    assert (found.seen.status, found.seen.was_cut, found.seen.missed) == (0, "", 0)
    return found
