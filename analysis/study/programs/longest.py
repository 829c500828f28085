# SPDX-License-Identifier: GPL-2.0-only
"""A job that is larger than any that is run: what to run in its place."""

import re

SIZES = ("job-size", "file-size")
TOO_LARGE = re.compile(rf"({'|'.join(SIZES)}): (\d+) is out of range; give \d+ to (\d+) B")


def with_a_shorter_one(refusal: str) -> str:
    """The refusal, and for a size above the largest that a shorter job tells the same."""
    match = TOO_LARGE.fullmatch(refusal)
    if not match or int(match[2]) <= int(match[3]):
        return refusal
    return f"{refusal} (a longer job only repeats itself: its steady rate is that of a shorter one)"
