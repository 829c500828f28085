# SPDX-License-Identifier: GPL-2.0-only
"""A live run from its beginning to its record."""

import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from study.base.errors import StudyError
from study.base.project import check_writable, write_whole
from study.captures.connection import Connection
from study.captures.reading import read
from study.live.asked import asked
from study.live.outcome import Outcome, outcome
from study.live.room import in_a_room
from study.live.session import Seen, held
from study.system.system import System


def live(
    system: System,
    command: Sequence[str] = (),
    tap: str | None = None,
    pcap: Path | None = None,
    say: Callable[[str], None] = print,
) -> Outcome:
    """Connect this machine's TCP to the system's device over its simulated link, in real time,
    while the command runs. With `tap`, connect what is behind that interface instead, until the
    command ends or an interrupt. Raise StudyError if the system has no live end, or an option or
    the command is wrong."""
    wanted = asked(system)
    if tap is not None and wanted.host:
        raise StudyError(
            "no host parameter has an effect with --tap: who is behind it is set there"
        )
    if pcap is not None:
        check_writable(pcap)
    if command and shutil.which(command[0]) is None:
        raise StudyError(f"{command[0]}: there is no such command")
    if not command and tap is None:
        raise StudyError("give a command behind --, as in -- sh print.sh")
    with tempfile.TemporaryDirectory(prefix="study-") as folder:
        capture = Path(folder, "live.pcap")
        seen: Seen = in_a_room(
            lambda: held(wanted, command, capture, tap, say), Path(folder), tap is None, not command
        )
        if pcap is not None and seen.captured:
            write_whole({pcap: capture.read_bytes()})
        return outcome(wanted, seen, _connections(capture) if seen.captured else [])


def _connections(capture: Path) -> list[Connection]:
    try:
        return list(read(capture).connections)
    except StudyError:
        return []  # no packet with data
