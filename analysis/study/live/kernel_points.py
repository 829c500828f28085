# SPDX-License-Identifier: GPL-2.0-only
"""`study kernel --live`: the kernel's points once more, its client against the simulated server
behind the simulated path: what is between the two columns of results/kernel-comparison.csv."""

import os
import signal
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from study.base.errors import StudyError
from study.base.project import RESULTS
from study.captures import read
from study.captures.connection import Connection
from study.judging.table_file import to_csv
from study.kernel import endpoints, measure, namespaces, simulated
from study.kernel.transfers import Point
from study.live.asked import end_flags
from study.live.end import End
from study.live.room import in_a_room
from study.live.session import CLOSING_S, TAP, join_path
from study.live.sniffer import Sniffer
from study.programs.declaration import declaration

TABLE = RESULTS / "kernel-live.csv"
COLUMNS = ("point", "family", "live_s", "late_p99_us", "repetitions", "note", "kernel", "load")
TELNET = 23
LARGEST_MTU = 1500  # of the TAP interface
REPETITIONS, LONG_S = 3, 1.6
TOO_LATE_S = 0.01  # a simulator with more delay is not in real time
LIMIT_S = 60.0


def measured(chosen: Iterable[Point], say: Callable[[str], None]) -> str:
    """Return the text of the table."""
    kept = {row["point"]: row for row in measure.read_table()}
    about = measure.kernel()
    table = []
    for point in chosen:
        row = _row(point, kept.get(point.name))
        table.append(row | {"kernel": about, "load": f"{os.getloadavg()[0]:.1f}"})
        say(f"{point.name}: {row.get('live_s') or row['note']}")
    return to_csv(COLUMNS, table)


def _row(point: Point, kept: dict | None) -> dict[str, Any]:
    row: dict[str, Any] = {"point": point.name, "family": point.family}
    if not kept or not kept["duration_s"]:
        return row | {"note": "this kernel was not measured with it"}
    if point.path["mtu"] > LARGEST_MTU:
        return row | {"note": f"a TAP of an MTU of {LARGEST_MTU} carries it not"}
    if point.exchange["read"]:
        return row | {"note": "the live server reads at once"}
    flags = end_flags(declaration(simulated.SCENARIO), simulated.parameters(point, kept))
    made: list[tuple[float, float]] = []
    while len(made) < (1 if made and made[0][0] > LONG_S else REPETITIONS):
        try:
            made.append(_transfer(point, flags))
        except StudyError as error:
            return row | {"note": str(error)}
    live_s = statistics.median(took for took, _ in made)
    late_s = max(late for _, late in made)
    row |= {"late_p99_us": f"{late_s * 1e6:.0f}", "repetitions": len(made)}
    if late_s > TOO_LATE_S:
        return row | {"note": "more packets than the simulator keeps time with"}
    return row | {"live_s": f"{live_s:.6f}"}


def _transfer(point: Point, flags: Sequence[str]) -> tuple[float, float]:
    """Return the transfer's duration and the simulator's lateness (p99), in seconds."""
    with tempfile.TemporaryDirectory(prefix="study-") as folder:
        capture = Path(folder, "live.pcap")
        late_s = in_a_room(lambda: _held(point, flags, capture), Path(folder))
        return _took_s(read(capture).connections[0]), late_s


def _held(point: Point, flags: Sequence[str], capture: Path) -> float:
    endpoints.PORT = TELNET  # only in this process
    signal.signal(signal.SIGALRM, _too_late)
    descriptor = namespaces.open_tap(TAP)
    join_path(TAP)
    with ExitStack() as stack:
        stack.callback(os.close, descriptor)
        sniffer = stack.enter_context(Sniffer(TAP, capture))
        end = stack.enter_context(End(simulated.SCENARIO, flags, descriptor))
        signal.setitimer(signal.ITIMER_REAL, LIMIT_S)
        endpoints.ask(end.address, point.exchange, point.host)
        signal.setitimer(signal.ITIMER_REAL, 0)
        time.sleep(CLOSING_S)
    late = [end.late_ns]
    if len(sniffer.sent_ns) == len(end.read_ns):
        late.append(end.read_ns - sniffer.sent_ns)
    if sniffer.missed:
        raise StudyError(f"{sniffer.missed} frames were not captured")
    return max(float(np.percentile(each, 99)) for each in late if len(each)) / 1e9


def _too_late(*_: object) -> None:
    raise StudyError(f"it took more than {LIMIT_S:.0f} s")


def _took_s(connection: Connection) -> float:
    """Return the time from the SYN to the last reply's last byte, when first received, in s."""
    packets = connection.packets
    replies = packets[~packets["from_client"] & (packets["length"] > 0)]
    ends = replies["seq"] + replies["length"]
    return float(replies["time_ns"][int(np.argmax(ends))]) / 1e9
