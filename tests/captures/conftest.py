# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of the readers share: a file that is read as soon as it is made."""

from collections.abc import Callable
from pathlib import Path

import pytest
from study import captures

Read = Callable[[bytes], captures.Capture]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Read a capture of these bytes, which stand in job.pcap of the test's folder."""

    def reading(data: bytes) -> captures.Capture:
        (tmp_path / "job.pcap").write_bytes(data)
        return captures.read(tmp_path / "job.pcap")

    return reading
