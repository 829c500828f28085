# SPDX-License-Identifier: GPL-2.0-only
"""Claims of single figures: what each shows is in its committed table, which is what a new run
gives (test_figures.py)."""

from itertools import pairwise

import pandas as pd
import pytest
from study import System, figures, systems
from study.base.project import RESULTS
from study.drawing.flow import name_of
from study.drawing.style import Drawing
from study.figures import telnet_delayed_ack, throughput_vs_loss


class Tables(dict[str, pd.DataFrame]):
    def __missing__(self, name: str) -> pd.DataFrame:
        return self.setdefault(name, pd.read_csv(RESULTS / "figures" / f"{name}.csv"))


@pytest.fixture(scope="module")
def tables() -> Tables:
    return Tables()


@pytest.fixture
def losses_drawn(tables, monkeypatch: pytest.MonkeyPatch) -> Drawing:
    """The figure over losses, of its table."""
    monkeypatch.setattr(throughput_vs_loss, "sweep", lambda _: tables["throughput-vs-loss"])
    return figures.draw("throughput-vs-loss")


@pytest.mark.parametrize("name", ["ladder", "netgear-ladder"])
def test_a_ladder_shows_the_same_packets_on_both_sides(name: str, tables):
    table = tables[name]
    packets = {side: rows for side, rows in table.groupby("exchange")}
    compared = ["sender", "length", "ack", "window"]
    measured, simulated = (
        packets[side][compared].values.tolist() for side in ("measured", "simulated")
    )
    assert measured == simulated
    assert len(measured) == 9  # of 3 cycles two frames and an ACK; or a frame, its ACK, the update


def test_the_published_imagen_point_lies_on_its_curve_and_the_patch_ends_it(tables):
    table = tables["imagen-send-buffer"]
    old = table[table.system == "imagen-v2"].set_index("send_buffer_B").throughput_Bps
    assert old[2048] == pytest.approx(4096, rel=0.005)
    slow = old[old.index <= 4608]
    assert (slow / (2 * slow.index)).tolist() == pytest.approx([1] * len(slow), rel=0.005)
    assert old[6144] > 200 * old[2048]


def test_pauses_cost_what_they_take_and_no_more(tables):
    """Within 0.1 %: the latencies are random."""
    table = tables["linksys-pauses"]
    assert (table.throughput_Bps / table.closed_form_Bps).tolist() == pytest.approx(
        [1] * len(table), rel=0.001
    )


def test_only_without_both_rules_do_segments_shrink_to_the_chunk(tables):
    table = tables["silly-windows"]
    syndrome = (table.sender_rule == "none") & ~table.device_rule
    assert (table[syndrome].mean_segment_B <= table[syndrome].port_chunk_B).all()
    assert (table[syndrome].closed_form_segment_B == table[syndrome].port_chunk_B).all()
    assert (table[~syndrome].mean_segment_B > 700).all()  # half of a segment at least
    assert table.mean_segment_B.tolist() == pytest.approx(
        table.closed_form_segment_B.tolist(), rel=0.05
    )


def test_the_measured_point_lies_on_the_simulated_curve(tables, hawking: System):
    rate = next(row for row in hawking.measured if row.kind == "cycle_rate")
    table = tables["throughput-vs-window"]
    own = table[(table.receive_window_B == 2920) & table.ack_latency.str.startswith("116")]
    assert own.throughput_Bps.item() == pytest.approx(rate.value, rel=0.005)


def test_throughput_never_falls_with_a_larger_window(tables):
    for _, curve in tables["throughput-vs-window"].groupby("ack_latency"):
        rates = curve.sort_values("receive_window_B").throughput_Bps
        # 2 %: near the line's rate the ACKs compete with the data for the line
        assert (rates.diff().dropna() > -0.02 * rates.max()).all()


def test_the_shares_of_every_system_add_up(tables):
    table = tables["limits"]
    assert set(table.system) == set(systems)
    assert table.groupby("system").share_pct.sum().tolist() == pytest.approx([100] * len(systems))


def test_the_map_rises_to_the_lower_right(tables):
    """A larger window costs nothing, and a later ACK is worth nothing: within 5 %, as an ACK takes
    a twenty-fourth of a segment's time on the shared line, and a later one covers more segments."""
    table = tables["window-latency-map"]
    for _, row in table.groupby("ack_latency_ms"):
        rates = row.sort_values("receive_window_B").throughput_Bps.tolist()
        assert all(after > 0.95 * before for before, after in pairwise(rates))
    for _, column in table.groupby("receive_window_B"):
        rates = column.sort_values("ack_latency_ms").throughput_Bps.tolist()
        assert all(after < 1.05 * before for before, after in pairwise(rates))


def test_the_relooks_rate_lies_inside_what_its_assumptions_leave_open(tables):
    """And no single one but the bus moves it out of the measured range by more than a few percent:
    the range rests on the one input that the source names without a figure."""
    table = tables["relook-assumptions"].fillna({"parameter": ""})
    rates = table.set_index(["parameter", "end"]).throughput_Bps / 1000
    assert rates["all of them", "low"] < 2100 < 2300 < rates["all of them", "high"]
    single = rates.drop("all of them", level="parameter").drop("", level="parameter")
    outside = single[(single < 2050) | (single > 2350)]
    assert set(outside.index.get_level_values("parameter")) == {"wait_states"}
    assert table.throughput_Bps.tolist() == pytest.approx(table.closed_form_Bps.tolist(), rel=0.001)


def test_window_and_buffer_do_nothing_above_three_segments_and_each_cycle_costs(tables):
    table = tables["relook-knees"]
    runs = table[table.outcome == "finished"]
    for key in ("receive_window", "send_buffer"):
        flat = runs[(runs.parameter == key) & (runs.value >= 3 * 1460)].throughput_Bps
        assert len(flat) >= 5 and flat.max() / flat.min() < 1.001
        below = runs[(runs.parameter == key) & (runs.value < 3 * 1460)].throughput_Bps
        assert below.max() < 0.95 * flat.min()
    falling = runs[runs.parameter == "socket_copy_cycles"].throughput_Bps
    assert (falling.diff().dropna() < 0).all()
    told = runs.dropna(subset="closed_form_Bps")
    # 5 %: below three segments the formula takes one exchange for all of a buffer's
    assert told.throughput_Bps.tolist() == pytest.approx(told.closed_form_Bps.tolist(), rel=0.05)


def test_the_stages_of_a_packet_add_up_to_its_time(tables):
    table = tables["relook-packet"]
    stages_us = table[[name for name in table.columns if name.endswith("_us")]].sum(axis=1)
    packets_us = 1460 / table.throughput_Bps * 1e6
    assert stages_us.tolist() == pytest.approx(packets_us.tolist(), rel=1e-6)
    # 5 %: by DMA, how much the bus still has to do when the disk begins is an estimate
    assert table.throughput_Bps.tolist() == pytest.approx(table.closed_form_Bps.tolist(), rel=0.05)


def test_a_devices_processor_sets_the_rate_once_it_is_slower_than_the_line(tables):
    table = tables["slow-device"]
    slow = table[table.device_drain_cycles >= 20]
    assert slow.throughput_Bps.tolist() == pytest.approx(slow.closed_form_Bps.tolist(), rel=0.02)


def test_the_measured_telnet_points_lie_on_the_line_but_one(tables):
    """Within a tenth and 1 ms; the one is Ubuntu's prompt, which the study does not explain."""
    table = tables["telnet-delayed-ack"].set_index("delayed_ack_ms")
    far = []
    for name in telnet_delayed_ack.CLIENTS:
        simulated_ms = table.command_ms[telnet_delayed_ack.delay_ms(systems[name])]
        for quantity, time_ms in telnet_delayed_ack.per_command_ms(systems[name]).items():
            if quantity in telnet_delayed_ack.MARKERS:
                off_ms = abs(time_ms - simulated_ms)
                far += [(name, quantity)] if off_ms > simulated_ms / 10 + 1.1 else []
    assert far == [("telnet-ubuntu", "write and read until prompt")]
    assert table.command_ms.tolist() == pytest.approx(table.closed_form_ms.tolist(), abs=0.02)


def test_only_the_servers_switch_takes_the_stall_away(tables):
    table = tables["telnet-nagle"]
    stalls = table.server_nagle & (table.ack_frequency == 2)
    assert (table.stalls_per_command == stalls).all()
    assert (table.command_ms > 190).tolist() == stalls.tolist()


def test_the_ladder_of_the_stall_has_it_on_one_side_only(tables):
    table = tables["telnet-ladder"]
    ends_ms = table.time_ms.astype(float).groupby(table.exchange, sort=False).max().tolist()
    assert ends_ms == pytest.approx([205, 5], abs=0.1)


def test_an_ack_frequency_of_1_doubles_the_acks_and_nagle_off_does_not(tables):
    table = tables["telnet-ack-cost"].set_index("cure")
    for column in ("acks_per_command", "acks_per_MB"):
        usual, every, off = table[column]
        assert (every / usual, off / usual) == pytest.approx((2, 1), abs=0.03)


def test_blocks_of_an_odd_number_of_whole_segments_and_a_rest_stall(tables):
    """50 us: the first blocks wait for the congestion window to open."""
    table = tables["block-size"]
    odd = (table.block_B // 1460 % 2 == 1) & (table.block_B % 1460 > 0)
    assert (table.stalls_per_block == (odd & table.nagle)).all()
    assert table.block_ms.tolist() == pytest.approx(table.closed_form_ms.tolist(), abs=0.05)


def test_the_traced_slow_start_lies_on_the_simulated_one(tables):
    """Every traced packet but the first, which the trace's own line calls not reproduced. 2 ms: so
    much do the rounds of the traces differ among themselves, twice."""
    table = tables["slow-start"]
    sides = {name: rows for name, rows in table.groupby("exchange")}
    both = sides["traced"].merge(sides["simulated"], on=["acks", "packet", "end_B"])
    assert len(both) == len(sides["traced"]) > 15
    apart_ms = (both.time_ms_x - both.time_ms_y).abs().sort_values()
    assert (apart_ms > 2).sum() == 1


def test_only_a_queue_of_a_round_trip_keeps_the_line_full_after_a_loss(tables):
    """What the line carries in a round trip is 2 Mbit/s x 100 ms, less headers."""
    table = tables["sawtooth"]
    steady = table[table.time_s > 5].groupby("path_queue").outstanding_B
    least = steady.min() / (2e6 / 8 * 0.1 * 1460 / 1502)
    assert least["3p"] < 0.7 and 0.9 < least["17p"] < 1.1 and least["60p"] > 2


def test_a_window_goes_a_round_trip_and_the_published_transfers_with_it(tables):
    """2 %: what is left of a window when its whole segments are sent. HTTP/2's time lies on its
    curve; SFTP's long one a rounded digit below it."""
    table = tables["throughput-vs-rtt"]
    assert table.throughput_Bps.tolist() == pytest.approx(table.closed_form_Bps.tolist(), rel=0.02)
    rates = table.set_index(["receive_window_B", "rtt_ms"]).throughput_Bps
    (time_s,) = (m.value for m in systems["http2-go"].measured if not m.with_)
    assert rates[65535, 55] == pytest.approx(10e6 / time_s, rel=0.03)
    assert 0.85 < 9 * 2**20 / rates[2**21, 200] < 1
    for _, curve in table.groupby("receive_window_B"):
        assert (curve.sort_values("rtt_ms").throughput_Bps.diff().dropna() < 0).all()


def test_losses_cost_reno_and_cubic_the_line_and_bbr_little(tables, losses_drawn: Drawing):
    """Reno's lies on its law as closely as some tens of losses allow."""
    table = tables["throughput-vs-loss"]
    table = table[table.seed == table.seed.min()]  # the system's own
    rates = table.set_index(["congestion_control", "path_loss"]).throughput_Bps
    reno = table[(table.congestion_control == "reno") & table.closed_form_Bps.notna()]
    assert reno.throughput_Bps.tolist() == pytest.approx(reno.closed_form_Bps.tolist(), rel=0.3)
    assert rates["cubic", 0.0003] > 1.5 * rates["reno", 0.0003]
    assert rates["cubic", 0.01] == pytest.approx(rates["reno", 0.01], rel=0.3)
    assert rates["bbr", 0.01] > 30 * rates["cubic", 0.01]
    ranges = {
        row.with_["path_loss"]: row
        for row in systems["rebbr"].measured
        if row.low is not None and row.with_.get("path_loss") in ("0.0001", "0.001")
    }
    simulated = {loss: rates["cubic", float(loss)] * 8 / 1000 for loss in ranges}
    assert ranges["0.001"].low < simulated["0.001"] < ranges["0.001"].high
    # At the least fraction it lies below what was measured: here, in the table of residuals and in
    # the figure's words.
    least = ranges["0.0001"]
    assert simulated["0.0001"] < least.low
    table = tables["residuals"].set_index(["system", "quantity"]).residual_pct
    assert least.value * (1 + float(table["rebbr", least.quantity]) / 100) < least.low
    words = losses_drawn.caption
    assert "CUBIC's markers lie within the measured range at 0.1 %" in words
    assert "CUBIC's markers lie below the measured range at 0.01, " in words


def test_how_far_seeds_lie_apart_is_drawn_and_is_most_where_losses_are_few(losses_drawn: Drawing):
    """A transfer of ten losses rests on when the first comes. One of fifty rests less on it."""
    rates = losses_drawn.table.groupby(["congestion_control", "path_loss"]).throughput_Bps
    apart = rates.max() / rates.min()
    for control in ("reno", "cubic"):
        assert apart[control].idxmax() == 0.0003 and apart[control, 0.0003] > 1.35
        assert 1.1 > apart[control, 0.003] > 1
    (axes,) = losses_drawn.figure.axes
    heights = [
        (low, high) for each in axes.collections for (_, low), (_, high) in each.get_segments()
    ]
    for low, high in zip(rates.min() * 8 / 1e6, rates.max() * 8 / 1e6, strict=True):
        assert any(pair == pytest.approx((low, high)) for pair in heights)


def test_every_system_has_a_bar_of_its_own():
    """Bars go by the first words of a title, which two systems of one source may share."""
    names = [name_of(system) for system in systems.values()]
    assert len(names) == len(set(names))


def test_every_step_of_the_method_has_an_arrow(tables):
    (axes,) = figures.draw("method").figure.axes
    arrows = [text for text in axes.texts if getattr(text, "arrow_patch", None)]
    assert len(arrows) == len(tables["method"])
