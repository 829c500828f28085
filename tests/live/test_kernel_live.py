# SPDX-License-Identifier: GPL-2.0-only
"""The kernel's points with a live server: measured where they can be, beside both neighbours."""

import pytest
from study.commands.main import main
from study.live import kernel_points
from study.live.room import ALLOW
from study.publishing import tables


def test_a_point_is_measured_live_and_writes_no_table_with_a_word(capsys):
    kept = kernel_points.TABLE.read_bytes() if kernel_points.TABLE.exists() else None
    status = main(["kernel", "--live", "--only", "20 commands of 4000 B"])
    said = capsys.readouterr()
    if ALLOW in said.out + said.err:
        pytest.skip(ALLOW)
    assert status == 0
    name, live_s = said.out.strip().split(": ")
    assert name == "20 commands of 4000 B"
    assert float(live_s) > 20 * 0.01  # 20 round trips of 10 ms
    now = kernel_points.TABLE.read_bytes() if kernel_points.TABLE.exists() else None
    assert now == kept


def test_what_a_tap_cannot_carry_is_said(capsys):
    assert main(["kernel", "--live", "--only", "MTU 9000"]) == 0
    assert capsys.readouterr().out == "MTU 9000: a TAP of an MTU of 1500 carries it not\n"


def test_the_points_that_part_from_a_neighbour_are_listed_the_furthest_first():
    def of(point: str, **columns: str) -> dict[str, str]:
        return {"point": point, "late_p99_us": "9", **columns}

    live = [of("near", live_s="1.00"), of("off", live_s="1.10"), of("far", live_s="0.50")]
    beside = [of(each["point"], measured_s="1.0", simulated_s="1.0") for each in live]
    text = tables.kernel_live([*live, of("none", live_s="")], beside)
    assert text.startswith("Within 5 % of both: 1 of 3 points.")
    rows = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| ")]
    assert rows[1:] == ["far", "off"]
    assert "-50.0 %" in text
