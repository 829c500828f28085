# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the figures: every one can be drawn in every size, repeats to the byte, knows its
runs, and shows what it says; a kind can be drawn of any system."""

import json
import shlex
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from study import Result, System, drawing, figures, systems
from study.base.project import RESULTS
from study.commands.main import main
from study.drawing import Span, style
from study.drawing.flow import flow
from study.figures import (
    block_size,
    burst_size,
    committed_rate,
    imagen_send_buffer,
    line_rate,
    linksys_pauses,
    relook_assumptions,
    relook_knees,
    relook_packet,
    silly_windows,
    slow_device,
    telnet_ack_cost,
    telnet_delayed_ack,
    telnet_nagle,
    throughput_vs_window,
    window_latency_map,
)
from study.judging import reproduction
from study.programs.declaration import declaration

SWEPT = {
    "block-size": block_size,
    "burst-size": burst_size,
    "committed-rate": committed_rate,
    "imagen-send-buffer": imagen_send_buffer,
    "line-rate": line_rate,
    "linksys-pauses": linksys_pauses,
    "relook-assumptions": relook_assumptions,
    "relook-knees": relook_knees,
    "relook-packet": relook_packet,
    "silly-windows": silly_windows,
    "slow-device": slow_device,
    "telnet-ack-cost": telnet_ack_cost,
    "telnet-delayed-ack": telnet_delayed_ack,
    "telnet-nagle": telnet_nagle,
    "throughput-vs-window": throughput_vs_window,
    "window-latency-map": window_latency_map,
}
SUFFIXES = {".svg", ".pdf", ".png", ".csv"}


@pytest.fixture(scope="module")
def drawings(program: Path) -> dict[str, style.Drawing]:
    return {name: figures.draw(name) for name in figures.FIGURES}


RUNS: dict[tuple, Result] = {}


@pytest.fixture
def swept_once(drawings, monkeypatch) -> None:
    """That the same jobs give the same numbers is a claim of test_study_run; here they run once."""
    for swept, module in SWEPT.items():
        monkeypatch.setattr(module, "sweep", lambda *_, swept=swept: drawings[swept].table)
    run = System.run

    def once(system: System, *, segments: bool = False) -> Result:
        key = (system.name, *system.flags(), segments)
        if key not in RUNS:
            RUNS[key] = run(system, segments=segments)
        return RUNS[key]

    monkeypatch.setattr(System, "run", once)


@pytest.mark.parametrize("name", figures.FIGURES)
def test_a_figure_repeats_to_the_byte_in_every_format(
    name: str, drawings, tmp_path: Path, swept_once
):
    saved = []
    for number, drawn in enumerate((drawings[name], figures.draw(name))):
        folder = tmp_path / str(number)
        paths = style.save_all(drawn, folder / name)
        assert {path.suffix for path in paths} == SUFFIXES
        saved.append([path.read_bytes() for path in paths])
    assert saved[0] == saved[1]


def texts_drawn(figure, monkeypatch) -> list:
    """The texts that come to paper; a tick outside the axes does not."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    drawn, draw = [], Text.draw

    def record(text, renderer, *arguments) -> None:
        drawn.append(text)
        draw(text, renderer, *arguments)

    monkeypatch.setattr(Text, "draw", record)
    FigureCanvasAgg(figure).draw()
    return [text for text in dict.fromkeys(drawn) if text.get_text() and text.get_visible()]


@pytest.mark.parametrize("size", style.SIZES)
@pytest.mark.parametrize("name", figures.FIGURES)
def test_letters_are_at_least_7_points_do_not_touch_and_stay_inside(
    name: str, size: str, drawings, swept_once, monkeypatch
):
    """The slide's are drawn at half its size, so there they are 14 points at least."""
    drawn = drawings[name] if size == "page" else figures.draw(name, size)
    figure = drawn.figure
    assert figure.get_figwidth() == style.SIZES[size].width_in
    if size == "slide":
        assert figure.get_figwidth() / figure.get_figheight() == pytest.approx(16 / 9)
    with style.house(size):
        texts = texts_drawn(figure, monkeypatch)
    assert min(text.get_fontsize() for text in texts) >= 7
    # Slanted letters have no upright box: a contour's own labels, a line's.
    upright = [text for text in texts if text.get_rotation() in (0, 90)]
    boxes = {text: text.get_window_extent().padded(-2) for text in upright}  # what letters leave
    inside = figure.bbox.padded(1)
    outside = [t.get_text() for t, box in boxes.items() if not holds(inside, box)]
    assert outside == []
    touching = [
        (one.get_text(), other.get_text())
        for (one, box), (other, next_box) in combinations(boxes.items(), 2)
        if box.overlaps(next_box)
    ]
    assert touching == []


def holds(outer, inner) -> bool:
    """Whether a box lies in another."""
    across = outer.x0 <= inner.x0 and inner.x1 <= outer.x1
    return across and outer.y0 <= inner.y0 and inner.y1 <= outer.y1


@pytest.mark.parametrize(("name", "cycle"), [("ladder", 3), ("netgear-ladder", 3)])
def test_a_ladder_shows_the_same_packets_on_both_sides(name: str, cycle: int, drawings):
    table = drawings[name].table
    packets = {side: rows for side, rows in table.groupby("exchange")}
    compared = ["sender", "length", "ack", "window"]
    measured, simulated = (
        packets[side][compared].values.tolist() for side in ("measured", "simulated")
    )
    assert measured == simulated
    assert len(measured) == 3 * cycle  # two frames and an ACK; or a frame, its ACK, the update


def test_the_published_imagen_point_lies_on_its_curve_and_the_patch_ends_it(drawings):
    table = drawings["imagen-send-buffer"].table
    old = table[table.system == "imagen-v2"].set_index("send_buffer_B").throughput_Bps
    assert old[2048] == pytest.approx(4096, rel=0.005)
    slow = old[old.index <= 4608]
    assert (slow / (2 * slow.index)).tolist() == pytest.approx([1] * len(slow), rel=0.005)
    assert old[6144] > 200 * old[2048]


def test_pauses_cost_what_they_take_and_no_more(drawings):
    """Within 0.1 %: the latencies are drawn."""
    table = drawings["linksys-pauses"].table
    assert (table.throughput_Bps / table.closed_form_Bps).tolist() == pytest.approx(
        [1] * len(table), rel=0.001
    )


def test_only_without_both_rules_do_segments_shrink_to_the_chunk(drawings):
    table = drawings["silly-windows"].table
    syndrome = (table.sender_rule == "none") & ~table.device_rule
    assert (table[syndrome].mean_segment_B <= table[syndrome].port_chunk_B).all()
    assert (table[~syndrome].mean_segment_B > 700).all()  # half of a segment at least
    assert table.mean_segment_B.tolist() == pytest.approx(
        table.closed_form_segment_B.tolist(), rel=0.05
    )


def test_the_measured_point_lies_on_the_simulated_curve(drawings, hawking: System):
    rate = next(row for row in hawking.measured if row.kind == "cycle_rate")
    table = drawings["throughput-vs-window"].table
    own = table[(table.receive_window_B == 2920) & table.ack_latency.str.startswith("116")]
    assert own.throughput_Bps.item() == pytest.approx(rate.value, rel=0.005)


@pytest.mark.parametrize("name", SWEPT)
def test_every_job_of_the_curves_finished(name: str, drawings):
    assert set(drawings[name].table.outcome) - {"closed form"} == {"finished"}


def test_throughput_never_falls_with_a_larger_window(drawings):
    for _, curve in drawings["throughput-vs-window"].table.groupby("ack_latency"):
        rates = curve.sort_values("receive_window_B").throughput_Bps
        # 2 %: near the line's rate the ACKs compete with the data for the line
        assert (rates.diff().dropna() > -0.02 * rates.max()).all()


# The runs behind a figure


def told(capsys, *arguments: str) -> list[list[str]]:
    """The commands that --provenance prints, and what each says it gave."""
    assert main(["figure", *arguments, "--provenance"]) == 0
    lines = capsys.readouterr().out.splitlines()
    return [line.strip().split("  # ") for line in lines if "  # " in line]


def test_a_printed_command_gives_the_printed_number(program: Path, capsys):
    runs = told(capsys, "silly-windows")
    assert len(runs) == len(silly_windows.RULES) * len(silly_windows.CHUNKS_B)
    for command, number in (runs[0], runs[-1]):
        assert command.startswith("study run ")
        assert main([*shlex.split(command)[1:], "--format", "json"]) == 0
        record = json.loads(capsys.readouterr().out)
        assert f"{record['throughput_Bps']:,.1f} B/s" == number


def test_a_run_behind_another_host_is_repeated_by_the_program(program: Path, capsys):
    """No system comes to those parameters: the command says them all."""
    own = ["limits", "hawking-hps1u", "--host", "linux-6"]
    commands = [command for command, _ in told(capsys, *own)]
    assert commands[-1].startswith("build/print-job --")


def test_the_file_beside_a_figure_has_the_complete_parameters(program: Path, tmp_path: Path):
    arguments = ["figure", "time-sequence", "netgear-ps101", "--job-size", "50000"]
    assert main([*arguments, "--width", "slide", "-o", str(tmp_path / "mine")]) == 0
    stem = tmp_path / "mine" / "time-sequence-netgear-ps101-slide"
    assert {path.suffix for path in stem.parent.iterdir()} == SUFFIXES | {".json"}
    entries = json.loads(Path(f"{stem}.json").read_text())
    (run,) = entries["runs"]
    assert run["parameters"].keys() == declaration("print-job").parameters.keys()
    assert run["parameters"]["job_size"] == "50000"
    assert run["command"] == "study run netgear-ps101 --job-size=50000"
    assert len(entries["programs"]["print-job"]["sha256"]) == 64


# Kinds, of any system


@pytest.mark.parametrize("name", ["hp-jetdirect-610n", "imagen-v2"])
@pytest.mark.parametrize("kind", drawing.KINDS)
def test_a_kind_can_be_drawn_of_any_system(kind: str, name: str, program: Path):
    drawn = drawing.draw(kind, systems[name].with_(job_size=60000), Span(0, 2.0))
    assert len(drawn.table) > 0
    assert "simulated" in drawn.caption


def test_nothing_is_sent_beyond_the_window_and_all_is_within_it(
    hawking: System, hawking_run: Result
):
    """What the time-sequence graph shows of any receiver: data ends at the green line or below."""
    stretch = flow(hawking, hawking_run, Span(0.1, 2.0))
    edge = 0
    for packet in stretch.packets:
        if packet.sender != "host" and packet.ack is not None:
            edge = packet.ack + packet.window
        elif packet.length:
            assert packet.seq + packet.length <= edge
    assert max(stretch.outstanding_B()) == 2920


def test_data_sent_twice_is_told_from_data_sent_once(hawking: System):
    system = hawking.with_(job_size=100_000, loss_to_device=0.05)
    stretch = flow(system, system.run(segments=True), Span(0, 1e6))
    again = stretch.is_repeated()
    seen: set[int] = set()
    for packet, repeated in zip(stretch.data, again, strict=True):
        assert repeated == (packet.seq in seen)
        seen.add(packet.seq)
    assert any(again)


def test_the_shares_of_every_system_add_up(drawings):
    table = drawings["limits"].table
    assert set(table.system) == set(systems)
    assert table.groupby("system").share_pct.sum().tolist() == pytest.approx([100] * len(systems))


def test_neighbouring_limits_differ_on_a_grey_printer():
    """By a tenth of the way from black to white, or by a hatch."""
    from matplotlib.colors import to_rgb
    from study.drawing.kinds.limits import LOOKS

    def grey(colour: str) -> float:
        red, green, blue = to_rgb(colour)
        return 0.299 * red + 0.587 * green + 0.114 * blue

    for (one, hatch), (other, next_hatch) in combinations(LOOKS.values(), 2):
        assert hatch != next_hatch or abs(grey(one) - grey(other)) > 0.1


def test_the_residuals_are_those_of_the_results(drawings):
    rows = reproduction.from_csv((RESULTS / "reproduction.csv").read_text())
    columns = ["system", "quantity", "used_as", "residual_pct"]
    expected = [[row[name] for name in columns] for row in rows]
    assert drawings["residuals"].table[columns].values.tolist() == expected


def test_the_map_rises_to_the_lower_right(drawings):
    """A larger window costs nothing, and a later ACK is worth nothing: within 5 %, as an ACK takes
    a twenty-fourth of a segment's time on the shared line, and a later one covers more segments."""
    table = drawings["window-latency-map"].table
    for _, row in table.groupby("ack_latency_ms"):
        rates = row.sort_values("receive_window_B").throughput_Bps.tolist()
        assert all(after > 0.95 * before for before, after in pairwise(rates))
    for _, column in table.groupby("receive_window_B"):
        rates = column.sort_values("ack_latency_ms").throughput_Bps.tolist()
        assert all(after < 1.05 * before for before, after in pairwise(rates))


# The command


def test_without_a_name_every_figure_and_kind_has_a_line(program: Path, capsys):
    assert main(["figure"]) == 0
    out = capsys.readouterr().out
    for name in [*figures.FIGURES, *drawing.KINDS]:
        assert any(line.startswith(f"  {name} ") for line in out.splitlines()), name


MISTAKES = {
    "unknown figure": (["leder"], "did you mean ladder"),
    "a kind without a system": (["time-sequence", "--receive-window", "1"], "need a system"),
    "a figure with a system": (["residuals", "hawking-hps1u"], "give it without a system"),
    "unknown kind": (["contour", "hawking-hps1u"], "there are: ladder, limits"),
    "unknown system": (["ladder", "hawkin"], "hawking-hps1u"),
    "unknown width": (["ladder", "--width", "poster"], "column or page or slide"),
    "a bad value": (["ladder", "hawking-hps1u", "--receive-window", "0"], "receive-window"),
    "a time without unit": (["ladder", "hawking-hps1u", "--to", "3"], "'3' is not a time"),
    "the end first": (["ladder", "hawking-hps1u", "--from", "2s", "--to", "1s"], "later than"),
    "after the job": (["ladder", "hawking-hps1u", "--from", "1h"], "after the job's last packet"),
    "a file as folder": (["method", "-o", __file__], "is a file, not a folder"),
}


@pytest.mark.parametrize("case", MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_one_line_and_nothing_is_written(case, program, tmp_path, monkeypatch, capsys):
    arguments, mentioned = case
    monkeypatch.chdir(tmp_path)
    if "-o" not in arguments:
        arguments = [*arguments, "-o", "mine"]
    assert main(["figure", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert mentioned in err
    assert list(tmp_path.iterdir()) == []


def test_the_relooks_rate_lies_inside_what_its_assumptions_leave_open(drawings):
    """And no single one but the bus moves it out of the measured range by more than a few percent:
    the range rests on the one input that the source names without a figure."""
    table = drawings["relook-assumptions"].table
    rates = table.set_index(["parameter", "end"]).throughput_Bps / 1000
    assert rates["all of them", "low"] < 2100 < 2300 < rates["all of them", "high"]
    single = rates.drop("all of them", level="parameter").drop("", level="parameter")
    outside = single[(single < 2050) | (single > 2350)]
    assert set(outside.index.get_level_values("parameter")) == {"wait_states"}
    assert table.throughput_Bps.tolist() == pytest.approx(table.closed_form_Bps.tolist(), rel=0.001)


def test_window_and_buffer_do_nothing_above_three_segments_and_each_cycle_costs(drawings):
    table = drawings["relook-knees"].table
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


def test_the_stages_of_a_packet_add_up_to_its_time(drawings):
    table = drawings["relook-packet"].table
    stages_us = table[[name for name in table.columns if name.endswith("_us")]].sum(axis=1)
    packets_us = 1460 / table.throughput_Bps * 1e6
    assert stages_us.tolist() == pytest.approx(packets_us.tolist(), rel=1e-6)
    # 5 %: by DMA, how much the bus still has to do when the disk begins is an estimate
    assert table.throughput_Bps.tolist() == pytest.approx(table.closed_form_Bps.tolist(), rel=0.05)


def test_a_devices_processor_sets_the_rate_once_it_is_slower_than_the_line(drawings):
    table = drawings["slow-device"].table
    slow = table[table.device_drain_cycles >= 20]
    assert slow.throughput_Bps.tolist() == pytest.approx(slow.closed_form_Bps.tolist(), rel=0.02)


def test_the_measured_telnet_points_lie_on_the_line_but_one(drawings):
    """Within a tenth and 1 ms; the one is Ubuntu's prompt, which the study does not explain."""
    table = drawings["telnet-delayed-ack"].table.set_index("delayed_ack_ms")
    far = [
        (name, quantity)
        for name, (_, delay_ms, _) in telnet_delayed_ack.CLIENTS.items()
        for quantity in telnet_delayed_ack.MARKERS
        for row in systems[name].measured
        if row.quantity == quantity
        and abs(row.value * 20 - table.command_ms[delay_ms]) > table.command_ms[delay_ms] / 10 + 1.1
    ]
    assert far == [("telnet-ubuntu", "write and read until prompt")]
    assert table.command_ms.tolist() == pytest.approx(table.closed_form_ms.tolist(), abs=0.02)


def test_only_the_servers_switch_takes_the_stall_away(drawings):
    table = drawings["telnet-nagle"].table
    stalls = table.server_nagle & (table.ack_frequency == 2)
    assert (table.stalls_per_command == stalls).all()
    assert (table.command_ms > 190).tolist() == stalls.tolist()


def test_the_ladder_of_the_stall_has_it_on_one_side_only(drawings):
    table = drawings["telnet-ladder"].table
    ends_ms = table.time_ms.astype(float).groupby(table.exchange, sort=False).max().tolist()
    assert ends_ms == pytest.approx([205, 5], abs=0.1)


def test_an_ack_frequency_of_1_doubles_the_acks_and_nagle_off_does_not(drawings):
    table = drawings["telnet-ack-cost"].table.set_index("cure")
    for column in ("acks_per_command", "acks_per_MB"):
        usual, every, off = table[column]
        assert (every / usual, off / usual) == pytest.approx((2, 1), abs=0.03)


def test_blocks_of_an_odd_number_of_whole_segments_and_a_rest_stall(drawings):
    table = drawings["block-size"].table
    odd = (table.block_B // 1460 % 2 == 1) & (table.block_B % 1460 > 0)
    assert ((table.block_ms > 200) == (odd & table.nagle)).all()
