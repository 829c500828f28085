# SPDX-License-Identifier: GPL-2.0-only
"""What is kept of the kernel, and what is said of the simulated transfers beside it."""

import re
import statistics

import pytest
from study.base.errors import StudyError
from study.base.project import ROOT, read_text
from study.kernel import COMPARISON, TABLE, kernel_comparison, measure, simulated
from study.kernel.transfers import Point, points
from study.programs import segments
from study.programs.declaration import declaration
from study.runs.batch import run_batch

ENOUGH = 60  # points, as the judge was asked for


@pytest.fixture(scope="module")
def kept() -> dict[str, dict[str, str]]:
    return {row["point"]: row for row in measure.read_table()}


@pytest.fixture(scope="module")
def compared() -> list[kernel_comparison.Row]:
    return kernel_comparison.from_csv(read_text(COMPARISON))


def test_every_point_is_measured_and_has_its_packets(kept):
    assert list(kept) == [each.name for each in points()] and len(kept) >= ENOUGH
    seen = measure.read_packets()
    for name, row in kept.items():
        if row["note"]:
            assert (row["duration_s"], name in seen) == ("", False), name
            continue
        shortest, middle, longest = (
            float(row[key]) for key in ("shortest_s", "duration_s", "longest_s")
        )
        assert 0 < shortest <= middle <= longest, name
        assert all(text.startswith(">S0") for text in seen[name]), name
        assert int(row["late_us"]) >= 0 and float(row["load"]) >= 0


def test_kernel_and_clock_are_named_and_the_machine_is_not(kept):
    for row in kept.values():
        assert re.fullmatch(r"Linux \d+\.\d+(\.\d+)?, HZ(=\d+| not given)", row["kernel"])
        assert re.fullmatch(r"CLOCK_MONOTONIC( \(\w+\))?", row["clock"])
    assert str(ROOT) not in TABLE.read_text()


def test_what_was_lost_is_what_the_point_lists(kept):
    """The wire's list of losses was used up: the transfer had as many packets."""
    for point in points():
        row = kept[point.name]
        wanted = len(point.path["losses_to_server"]) + len(point.path["losses_to_client"])
        assert row["note"] or int(row["lost"]) == wanted, point.name


def test_verdicts_follow_from_the_numbers(compared, kept):
    assert {row["point"] for row in compared} == {n for n, row in kept.items() if not row["note"]}
    for row in compared:
        assert row["measured_s"] == kept[row["point"]]["duration_s"]
        off_pct = 100 * (float(row["simulated_s"]) / float(row["measured_s"]) - 1)
        assert float(row["off_pct"]) == pytest.approx(off_pct, abs=0.006)
        assert row["within"] == ("yes" if abs(off_pct) <= kernel_comparison.WITHIN_PCT else "no"), (
            row
        )


def test_stock_ns3_stands_beside_each_point_and_has_no_duration_where_it_stalled(compared):
    outcomes = {row["point"]: row["stock_outcome"] for row in compared}
    assert outcomes["window 1460"] == "stalled"  # half of it is less than one segment
    for row in compared:
        assert (row["stock_outcome"] == "finished") == bool(row["stock_s"]), row
        if row["stock_s"]:
            measured_s = float(row["measured_s"])
            off_pct = 100 * (float(row["stock_s"]) / measured_s - 1)
            rounded_pct = 0.006 + 100 * 1e-6 / measured_s  # of the percent, and of the seconds
            assert float(row["stock_off_pct"]) == pytest.approx(off_pct, abs=rounded_pct)


def test_stock_ns3_has_the_same_path_and_exchange_and_only_what_it_can_be_given(kept):
    """Its send buffer counts bytes: what the socket was asked for, not the kernel's double."""
    point = next(each for each in points() if each.name == "send buffer 8192")
    row = kept[point.name]
    stock, ours = (
        dict(flag.split("=", 1) for flag in flags(point, row))
        for flags in (simulated.stock_flags, simulated.flags)
    )
    assert stock.pop("--tcp") == "stock" and stock.pop("--server-send-buffer") == "8192"
    assert stock.items() <= ours.items()
    left_out = {key.removeprefix("--").partition("-")[2] for key in ours.keys() - stock.keys()}
    assert left_out >= {"timer-wheel", "loss-detection", "rto-rule", "nagle-rule", "reply-time"}
    assert not any("path" in key or "write" in key for key in ours.keys() - stock.keys())


def test_each_point_that_is_off_says_why_and_no_other_does(compared):
    assert [
        row["point"] for row in compared if (row["within"] == "no") != bool(row["reason"])
    ] == []


def test_a_verdict_counts_packets_in_order_and_compares_sizes():
    theirs = kernel_comparison.unfolded(">S0 <S0 >0 >1448*3 <0*2 >500")
    ours = [">S0", "<S0", ">0", ">1448", ">1448", "<0", ">1448", "<0", ">500"]
    assert kernel_comparison.in_order(ours, theirs) == 5
    assert kernel_comparison.same_sizes(ours, theirs)
    assert not kernel_comparison.same_sizes([*ours[:-1], ">501"], theirs)


def test_before_a_slow_reader_the_window_told_is_the_largest_announced(kept):
    """The one that stands longest is half taken: told that, a transfer took twice as long."""
    slow = [each for each in points() if each.exchange["read"] and "window" in each.host]
    assert any(kept[each.name]["window_B"] != kept[each.name]["largest_window_B"] for each in slow)
    for point in slow:
        row = kept[point.name]
        assert f"--server-window={row['largest_window_B']}" in simulated.flags(point, row)


def test_flags_are_the_scenarios_own(kept):
    known = {each.flag for each in declaration(simulated.SCENARIO).parameters.values()}
    for point in points():
        for flag in simulated.flags(point, kept[point.name]):
            assert flag.removeprefix("--").partition("=")[0] in known, flag


def test_the_window_is_the_measured_one_and_the_send_buffer_what_was_asked_for():
    given = {"window": 1000, "so_sndbuf": 500, "command_text": 9000}
    row = {
        "window_B": "1448",
        "largest_window_B": "2000",
        "outstanding_B": "2896",
        "kernel": "Linux 6.1, HZ=250",
    }
    flags = simulated.flags(Point("one", "test", given, ""), row)
    assert {"--server-window=1448", "--server-first-window=0"} <= set(flags)
    assert {"--client-send-buffer=1000", "--client-send-buffer-grows=false"} <= set(flags)
    assert {"--client-timer-tick=4000000ns", "--link=path"} <= set(flags)
    grown = simulated.flags(Point("one", "test", {"command_text": 9000}, ""), row)
    assert {"--server-window=2000", "--client-send-buffer-grows=true"} <= set(grown)
    assert "--server-first-window=0" not in grown


def test_a_key_that_no_point_has_is_refused_with_its_line(tmp_path, monkeypatch):
    file = tmp_path / "points.toml"
    file.write_text('[defaults]\n[[family]]\nname = "f"\npoints = [\n{ name = "a", windw = 1 }]\n')
    monkeypatch.setattr("study.kernel.transfers.POINTS", file)
    with pytest.raises(StudyError, match=r"points\.toml.*has no 'windw'"):
        points.__wrapped__()


@pytest.mark.parametrize("name", [each.name for each in points() if each.family == "window"])
def test_a_receive_buffer_announces_what_the_kernels_does(name: str, kept, tmp_path):
    """SO_RCVBUF alone is given; the kernel's window is what it is held to."""
    (point,) = (each for each in points() if each.name == name)
    table = tmp_path / "segments.csv"
    run_batch(simulated.SCENARIO, [simulated.out_of_the_box_flags(point)], "", [table])
    server = [each for each in segments.read(table.read_text()) if each.sender == "server"]
    usual = statistics.median(each.window for each in server if "S" not in each.flags)
    assert usual == pytest.approx(float(kept[name]["window_B"]), rel=0.001)
