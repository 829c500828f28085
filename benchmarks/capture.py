# SPDX-License-Identifier: GPL-2.0-only
"""What reading a large capture takes: to the end of the file, and on to the packets of the
connection with most bytes, in a program of its own."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.measuring import Benchmark, Figure

CPU_S, MEMORY_MB = 10, 300
ETHERNET, IP, TCP, STAMPS = 14, 20, 20, 12
HEADERS = ETHERNET + IP + TCP + STAMPS
RECORD = 16
SEGMENT_B = 1448
GAP_US = 12  # a full frame at 1 Gbit/s
ROWS = 2000  # rows made at a time: two segments and an ACK each
# On Linux `ru_maxrss` starts with the parent's value; a process's own peak is in /proc.
READ = """
import json, resource, sys, time
from study import captures
connection = captures.read(sys.argv[1]).connections[0]
cpu_s = time.process_time()
if sys.platform == "darwin":
    peak_B = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
else:
    lines = open("/proc/self/status").read().splitlines()
    peak_B = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
print(json.dumps([cpu_s, peak_B / 1e6, len(connection.packets)]))
"""


def reading(size_B: int) -> list[Benchmark]:
    """Return benchmarks for a capture of whole packets and for one of headers alone."""
    return [
        _reading(size_B, SEGMENT_B, "whole packets"),
        _reading(size_B, 0, "headers alone"),
    ]


def _reading(size_B: int, kept_B: int, words: str) -> Benchmark:
    what = f"a pcap of {size_B / 1e9:g} GB, {words}, from the start of Python to the packets of its"
    what += " connection"
    figures = (
        Figure(f"a capture of {words}, by CPU", what, "s", "CPU", at_most=CPU_S),
        Figure(f"a capture of {words}, its memory", f"peak of {what}", "MB", at_most=MEMORY_MB),
    )
    folder = tempfile.TemporaryDirectory(prefix="study-benchmark-")  # as long as the benchmark

    def sample(_: int) -> list[float]:
        file = Path(folder.name, "large.pcap")
        packets = make(file, size_B, kept_B) if not file.exists() else None
        done = subprocess.run(
            [sys.executable, "-c", READ, file], stdout=subprocess.PIPE, check=True
        )
        cpu_s, peak_MB, read = json.loads(done.stdout)
        if packets not in (None, read):
            raise AssertionError(f"of {packets} packets {read} were read")
        return [cpu_s, peak_MB]

    return Benchmark(figures, sample)


def make(file: Path, size_B: int, kept_B: int = SEGMENT_B) -> int:
    """Write a capture of one connection with at least `size_B` bytes, in turn two segments of 1448
    B and an ACK, and return the number of packets."""
    lengths = [HEADERS + kept_B, HEADERS + kept_B, HEADERS]
    starts = np.cumsum([0, *(RECORD + length for length in lengths)])
    rows = np.zeros((ROWS, starts[-1]), np.uint8)
    written = count = 0
    with file.open("wb") as out:
        out.write(np.array([0xA1B2C3D4, 0x00040002, 0, 0, 262144, 1], "<u4").tobytes())
        while written < size_B:
            turn = np.arange(count // 3, count // 3 + ROWS, dtype=np.int64)
            for index, start in enumerate(starts[:3]):
                _record(rows[:, start:], turn, index, lengths[index])
            out.write(rows.tobytes())
            written += rows.size
            count += 3 * ROWS
    return count


def _record(rows: np.ndarray, turn: np.ndarray, index: int, kept: int) -> None:
    back = index == 2
    time_us = turn * 2 * GAP_US + index * GAP_US - back
    sent = turn * 2 * SEGMENT_B + index * SEGMENT_B
    length = HEADERS + (0 if back else SEGMENT_B)
    for place, value in ((0, time_us // 10**6), (4, time_us % 10**6), (8, kept), (12, length)):
        _number(rows, place, value, 4, little=True)
    ip, tcp = RECORD + ETHERNET, RECORD + ETHERNET + IP
    client, server = 0x0A000001, 0x0A000002
    numbers = (
        (RECORD + 12, 0x0800, 2),
        (ip, 0x45, 1),
        (ip + 2, length - ETHERNET, 2),
        (ip + 4, turn * 3 + index, 2),
        (ip + 8, 64, 1),
        (ip + 9, 6, 1),
        (ip + 12, server if back else client, 4),
        (ip + 16, client if back else server, 4),
        (tcp, 515 if back else 1023, 2),
        (tcp + 2, 1023 if back else 515, 2),
        (tcp + 4, 1 if back else 1 + sent, 4),
        (tcp + 8, 1 + sent if back else 1, 4),
        (tcp + 12, (TCP + STAMPS) // 4 << 4, 1),
        (tcp + 13, 0x10 if back else 0x18, 1),
        (tcp + 14, 32120, 2),
        (tcp + TCP, 0x0101080A, 4),
        (tcp + TCP + 4, time_us // 1000, 4),
        (tcp + TCP + 8, time_us // 1000, 4),
    )
    for place, value, size in numbers:
        _number(rows, place, value, size)


def _number(
    rows: np.ndarray, place: int, value: np.ndarray | int, size: int, little: bool = False
) -> None:
    for byte in range(size):
        shift = 8 * (byte if little else size - 1 - byte)
        rows[:, place + byte] = (np.asarray(value) >> shift) & 0xFF
