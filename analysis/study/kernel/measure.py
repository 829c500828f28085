# SPDX-License-Identifier: GPL-2.0-only
"""`study kernel`: every point through this machine's kernel, and the two tables of what it did."""

import gzip
import os
import platform
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from study.base.errors import StudyError
from study.base.project import shown
from study.judging.table_file import from_csv, to_csv
from study.kernel import PACKETS, TABLE, capture, laboratory
from study.kernel.capture import Capture
from study.kernel.namespaces import TCP_SETTINGS
from study.kernel.transfers import Point

COLUMNS = ("point", "family", "duration_s", "shortest_s", "longest_s", "repetitions", "resent")
COLUMNS += ("lost", "dropped", "window_B", "largest_window_B", "outstanding_B", "late_us", "note")
COLUMNS += ("kernel", "clock", "load")
PACKET_COLUMNS = ("point", "times", "packets")

REPETITIONS = 3
LONG_S = 1.6  # a longer transfer is made once
LATE_S = 0.0005  # if the wire is later, the transfer is repeated ...
ATTEMPTS = 4  # ... so many times more; the most punctual ones count


def transfers(point: Point) -> list[Capture]:
    """Return the repetitions of a point: the most punctual of those made."""
    made = [_transfer(point)]
    wanted = 1 if made[0].duration_s > LONG_S else REPETITIONS
    while len(made) < wanted + ATTEMPTS:
        made.sort(key=lambda each: each.lateness_s)
        if len(made) >= wanted and made[wanted - 1].lateness_s <= LATE_S:
            break
        made.append(_transfer(point))
    return sorted(made, key=lambda each: each.lateness_s)[:wanted]


def _transfer(point: Point) -> Capture:
    return capture.read(laboratory.observed(point).table)


def measured(point: Point, about: dict[str, str]) -> tuple[dict[str, object], list[dict]]:
    """Return a point's row of the first table, and its rows of the second."""
    row: dict[str, object] = {"point": point.name, "family": point.family, **about}
    control = point.host.get("congestion_control", "cubic")
    if control not in controls():
        return row | {"note": f"not measured: this kernel has no {control}"}, []
    made = transfers(point)
    durations = [each.duration_s for each in made]
    middle = sorted(made, key=lambda each: each.duration_s)[len(made) // 2]
    row |= {
        "duration_s": f"{statistics.median(durations):.6f}",
        "shortest_s": f"{min(durations):.6f}",
        "longest_s": f"{max(durations):.6f}",
        "repetitions": len(made),
        "resent": middle.resent(True) + middle.resent(False),
        "lost": middle.fated("lost"),
        "dropped": middle.fated("queue-full"),
        "window_B": middle.usual_window_B(from_client=not point.is_from_client),
        "largest_window_B": middle.largest_window_B(from_client=not point.is_from_client),
        "outstanding_B": middle.largest_outstanding_B(from_client=point.is_from_client),
        "late_us": f"{max(each.lateness_s for each in made) * 1e6:.0f}",
        "load": f"{os.getloadavg()[0]:.1f}",
    }
    patterns = Counter(each.pattern for each in made).most_common()
    return row, [{"point": point.name, "times": n, "packets": text} for text, n in patterns]


def measure(chosen: Iterable[Point], say: Callable[[str], None]) -> tuple[str, str]:
    """Return the texts of the two tables."""
    about = {"kernel": kernel(), "clock": clock()}
    table, packets = [], []
    for point in chosen:
        row, found = measured(point, about)
        table.append(row)
        packets += found
        say(_line(row))
    return to_csv(COLUMNS, table), to_csv(PACKET_COLUMNS, packets)


def _line(row: dict[str, object]) -> str:
    if "duration_s" not in row:
        return f"{row['point']}: {row['note']}"
    spread = f"{row['shortest_s']} to {row['longest_s']}" if row["repetitions"] != 1 else "once"
    return f"{row['point']}: {row['duration_s']} s ({spread}; wire late by {row['late_us']} us)"


def controls() -> list[str]:
    """Return the congestion controls that this kernel has loaded."""
    return (TCP_SETTINGS / "tcp_available_congestion_control").read_text().split()


def kernel() -> str:
    """Return the kernel's version without a distribution's suffix, and its timer tick if known."""
    version = platform.release().partition("-")[0]
    return f"{platform.system()} {version}, {_beat()}"


def _beat() -> str:
    for file in (Path("/proc/config.gz"), Path(f"/boot/config-{platform.release()}")):
        try:
            text = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        except OSError:
            continue
        if found := re.search(rb"^CONFIG_HZ=(\d+)$", text, re.MULTILINE):
            return f"HZ={found[1].decode()}"
    return "HZ not given"


def clock() -> str:
    """Return the clock of the wire's times."""
    file = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    try:
        return f"CLOCK_MONOTONIC ({file.read_text().strip()})"
    except OSError:
        return "CLOCK_MONOTONIC"


def read_table() -> list[dict[str, str]]:
    """Return the rows of results/kernel.csv. Raise StudyError if it is missing."""
    return _read(TABLE, COLUMNS)


def read_packets() -> dict[str, list[str]]:
    """Return the first packets of each point, in every order that occurred."""
    found: dict[str, list[str]] = {}
    for row in _read(PACKETS, PACKET_COLUMNS):
        found.setdefault(row["point"], []).append(row["packets"])
    return found


def _read(file: Path, columns: tuple[str, ...]) -> list[dict[str, str]]:
    try:
        text = file.read_text()
    except OSError as error:
        raise StudyError(f"{shown(file)} is not there: ./waf kernel measures it") from error
    return from_csv(text, columns, shown(file), "./waf kernel measures it anew")
