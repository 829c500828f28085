# SPDX-License-Identifier: GPL-2.0-only
"""The segment table that a run leaves: one record a segment, stamped at the host's own interface.

Plain records, so that a command that only counts packets need not wait for pandas; `table` is for
those who want a DataFrame.
"""

import csv
import io
from typing import TYPE_CHECKING, NamedTuple

from study.base.errors import StudyError

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ["time_s", "sender", "seq", "length", "ack", "window", "flags", "stopped_by"]


class Segment(NamedTuple):
    """One segment; numbers are relative to the sender's SYN (seq 0), so the first data byte is 1,
    as tcpdump counts."""

    time_s: float
    sender: str  # one of the two ends, as the scenario calls them: "host" or "device"
    seq: int
    length: int
    ack: int | None  # None without the ACK flag
    window: int
    flags: str  # of "SFRP", or "." when there is only an ACK
    stopped_by: str = ""  # on the host's last segment before a pause: the limit that stopped it

    @property
    def control(self) -> str:
        """The flags that take part in a comparison: S, F and R."""
        return "".join(flag for flag in self.flags if flag in "SFR")


def read(text: str) -> list[Segment]:
    """The records of a segment table in CSV."""
    rows = csv.reader(io.StringIO(text))
    if next(rows, None) != COLUMNS:
        raise StudyError(
            f"a segment table begins with the line {','.join(COLUMNS)}; this one does not"
        )
    return [
        Segment(
            float(time),
            sender,
            int(seq),
            int(length),
            int(ack) if ack else None,
            int(window),
            flags,
            stopped,
        )
        for time, sender, seq, length, ack, window, flags, stopped in rows
    ]


def table(segments: list[Segment]) -> "pd.DataFrame":
    """The same as a DataFrame; `ack` is a nullable integer."""
    import pandas as pd

    return pd.DataFrame(segments, columns=COLUMNS).astype({"ack": "Int64"})
