# SPDX-License-Identifier: GPL-2.0-only
"""What a refusal of a program leaves out, as a program takes its own units alone: the others that
one may type before it, and what to run in the place of a job that is too large."""

import re

from study.programs.longest import with_a_shorter_one

NO_SIZE = re.compile(r"[a-z-]+: '[+-]?\d.*' is not a whole number; give \d+ to \d+ B")
NO_RATE = "is not a data rate: a number and bps, kbps, Mbps or Gbps"


def advised(refusal: str) -> str:
    """The refusal, with what may be given."""
    if NO_SIZE.fullmatch(refusal):
        return f"{refusal}, or a number and kB, MB or GB (1 kB is 1000 B)"
    with_bytes = f"{NO_RATE}, or of bytes B/s, kB/s or MB/s"
    return with_a_shorter_one(refusal.replace(NO_RATE, with_bytes))
