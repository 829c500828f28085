# SPDX-License-Identifier: GPL-2.0-only
"""The segment table that a run leaves: one record a segment, stamped at the host's own interface.

Plain records, so that a command that only counts packets need not wait for pandas; `table` is for
those who want a DataFrame.
"""

import csv
import io
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from study.base.errors import StudyError

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ["time_s", "sender", "seq", "length", "ack", "window", "flags", "stopped_by"]
FAR_TIME = "far_time_s"  # only for links that report it
LOST = "lost"  # in its place, for a lost packet


class Segment(NamedTuple):
    """One segment. Numbers are relative to the sender's SYN (seq 0), so the first data byte is 1,
    as in tcpdump."""

    time_s: float
    sender: str  # the scenario's name of one end: "host" or "device"
    seq: int
    length: int
    ack: int | None  # None without the ACK flag
    window: int
    flags: str  # letters of "SFRP", or "." for an ACK alone
    stopped_by: str = ""  # the limit that stopped the host, on its last segment before a pause
    far_s: float | None = None  # when it passes the device; None if lost or not reported
    lost: bool = False

    @property
    def control(self) -> str:
        """The flags that comparisons use: S, F and R."""
        return _control(self.flags)


@cache
def _control(flags: str) -> str:
    return "".join(flag for flag in flags if flag in "SFR")


def read(text: str) -> list[Segment]:
    """Return the records of a segment table in CSV. Raise StudyError if the first line is not a
    segment table's."""
    rows = csv.reader(io.StringIO(text))
    if next(rows, None) not in (COLUMNS, [*COLUMNS, FAR_TIME]):
        raise StudyError(
            f"a segment table begins with the line {','.join(COLUMNS)}; this one does not"
        )
    return [_segment(*row) for row in rows]


def _segment(
    time: str,
    sender: str,
    seq: str,
    length: str,
    ack: str,
    window: str,
    flags: str,
    stopped: str,
    far: str = "",
) -> Segment:
    return Segment(
        float(time),
        sender,
        int(seq),
        int(length),
        int(ack) if ack else None,
        int(window),
        flags,
        stopped,
        None if far in ("", LOST) else float(far),
        far == LOST,
    )


def table(segments: list[Segment]) -> "pd.DataFrame":
    """Return the records as a DataFrame, without arrival times; `ack` is a nullable integer."""
    import pandas as pd

    return pd.DataFrame(segments, columns=Segment._fields)[COLUMNS].astype({"ack": "Int64"})
