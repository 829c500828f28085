# SPDX-License-Identifier: GPL-2.0-only
"""Claims about packet exchanges: the source's notation is understood, and no difference from it
goes unnoticed. Last, the claim that all this is for: the simulation sends the source's packets."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from study import Result, StudyError, System
from study.base.project import ROOT
from study.judging import alignment, notation
from study.programs.segments import Segment

EXCHANGE = """\
# tolerance: host within 5 us: why
# tolerance: device within 1 %: why
000000 H.1 > D.2: S 5000:5000(0) win 32120 <mss 1460> (DF)
006540 D.2 > H.1: S 900:900(0) ack 5001 win 2920 <mss 1460>
000017 H.1 > D.2: . ack 1 win 32120 (DF)
000020 H.1 > D.2: P 1:1461(1460) ack 1 win 32120 (DF)
000007 H.1 > D.2: P 1461:2921(1460) ack 1 win 32120 (DF)
117667 D.2 > H.1: . ack 2921 win 2920
...
000017 H.1 > D.2: P 5841:7301(1460) ack 1 win 32120 (DF)
000082 H.1 > D.2: R 12301:12301(0) win 0
"""
# The same packets as a simulation gives them, and what the source left out at "...".
SIMULATED = [
    Segment(0.0, "host", 0, 0, None, 32120, "S"),
    Segment(0.006540, "device", 0, 0, 1, 2920, "S"),
    Segment(0.006557, "host", 1, 0, 1, 32120, "."),
    Segment(0.006577, "host", 1, 1460, 1, 32120, "."),
    Segment(0.006584, "host", 1461, 1460, 1, 32120, "."),
    Segment(0.124251, "device", 1, 0, 2921, 2920, "."),
    Segment(0.124268, "host", 2921, 2920, 1, 32120, "."),
    Segment(0.240000, "device", 1, 0, 5841, 2920, "."),
    Segment(0.240017, "host", 5841, 1460, 1, 32120, "."),
    Segment(0.240099, "host", 7301, 0, None, 777, "R"),
]


def problems(segments: list[Segment], exchange: str = EXCHANGE) -> list[str]:
    rows = alignment.compare(notation.parse(exchange), segments)
    return [problem for row in alignment.mismatches(rows) for problem in row.problems]


def test_equal_exchanges_agree_and_the_window_of_a_rst_means_nothing():
    assert problems(SIMULATED) == []


@dataclass(frozen=True)
class Fault:
    kind: str
    index: int
    changes: dict


FAULTS = [
    Fault("length", 4, {"length": 1000}),
    Fault("ack", 3, {"ack": 0}),
    Fault("window", 5, {"window": 1460}),
    Fault("window", 1, {"window": 1024}),
    Fault("missing", 5, {"ack": 1461}),
    Fault("missing", 9, {"flags": "."}),
    Fault("time", 1, {"time_s": 0.0066}),
    Fault("time", 4, {"time_s": 0.006577 + 0.0000135}),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.kind}-{fault.index}")
def test_a_difference_in_one_field_of_one_packet_is_reported(fault: Fault):
    changed = list(SIMULATED)
    changed[fault.index] = changed[fault.index]._replace(**fault.changes)
    assert any(problem.startswith(fault.kind) for problem in problems(changed))


def test_packets_in_another_order_are_reported():
    changed = list(SIMULATED)
    changed[3], changed[4] = changed[4], changed[3]
    assert any(problem.startswith("order") for problem in problems(changed))


def test_a_packet_that_the_source_does_not_show_is_reported():
    extra = Segment(0.0066, "device", 1, 0, 1461, 2920, ".")
    assert any(
        "ack 1461" in problem for problem in problems([*SIMULATED[:5], extra, *SIMULATED[5:]])
    )


def test_the_time_after_packets_that_the_source_left_out_counts():
    changed = [
        s._replace(time_s=s.time_s + 0.001) if s.time_s > 0.2400001 else s for s in SIMULATED
    ]
    assert [p for p in problems(changed) if p.startswith("time: 1017.0 us")]


def test_a_packet_marked_not_reproduced_fails_once_it_is_reproduced():
    line = "117667 D.2 > H.1: . ack 2921 win 2920"
    marked = EXCHANGE.replace(line, f"{line} ; not reproduced: why")
    parsed = notation.parse(marked)
    assert [
        row.packet.segment.ack for row in alignment.mismatches(alignment.compare(parsed, SIMULATED))
    ] == [2921]
    without = [s for s in SIMULATED if s.ack != 2921]
    assert problems(without, marked) == []


# A source that shows nothing of what came before: to be found in the simulation by its pattern.
FRAGMENT = """\
# tolerance: host within 5 us: why
# tolerance: device within 1 %: why
# numbers: relative to the fragment
000013 H.1 > D.2: P 10152:11176(1024) ack 3 win 32120
010399 D.2 > H.1: P ack 11176 win 0
001742 D.2 > H.1: P ack 11176 win 1024
000012 H.1 > D.2: P 11176:12184(1008) ack 3 win 32120
010371 D.2 > H.1: P ack 12184 win 16
"""


def cycle(at_s: float, seq: int, length: int, device_seq: int = 7) -> list[Segment]:
    """A segment, its ACK, and the update after it."""
    end, left = seq + length, 1024 - length
    return [
        Segment(at_s, "host", seq, length, device_seq, 32120, "."),
        Segment(at_s + 0.010399, "device", device_seq, 0, end, left, "."),
        Segment(at_s + 0.012141, "device", device_seq, 0, end, 1024, "."),
    ]


# At other numbers than the fragment's, in both streams, and among others like it.
FRAGMENT_SIMULATED = [
    *cycle(0.0, 1, 1024),
    *cycle(0.012154, 1025, 1024),
    *cycle(0.024308, 2049, 1008),
    *cycle(0.036462, 3057, 1024),
]
FOUND = 3  # where the fragment's first packet is


def test_a_fragment_is_found_by_its_pattern_whatever_its_numbers():
    rows = alignment.compare(notation.parse(FRAGMENT), FRAGMENT_SIMULATED)
    assert [row.index for row in rows] == [FOUND + place for place in range(5)]
    assert [row.problems for row in rows] == [()] * 5


def test_numbers_count_from_the_connection_unless_the_file_says_otherwise():
    absolute = FRAGMENT.replace("# numbers: relative to the fragment\n", "")
    assert any(p.startswith("missing") for p in problems(FRAGMENT_SIMULATED, absolute))


@pytest.mark.parametrize(
    "fault",
    [
        Fault("length", FOUND + 3, {"length": 1000}),
        Fault("window", FOUND + 4, {"window": 0}),
        Fault("window", FOUND, {"window": 1000}),
        Fault("ack", FOUND + 3, {"ack": 8}),
        Fault("extra", FOUND + 4, {"ack": 3056}),  # the update after it has the right number
        Fault("extra", FOUND + 4, {"flags": "F"}),
        Fault("missing", FOUND + 3, {"seq": 2048}),
        Fault("time", FOUND, {"time_s": 0.0122}),
        Fault("time", FOUND + 1, {"time_s": 0.012154 + 0.0102}),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.index}",
)
def test_a_difference_in_one_field_of_a_fragment_is_reported(fault: Fault):
    changed = list(FRAGMENT_SIMULATED)
    changed[fault.index] = changed[fault.index]._replace(**fault.changes)
    assert any(problem.startswith(fault.kind) for problem in problems(changed, FRAGMENT))


def test_a_packet_more_in_a_fragment_is_reported():
    sixteen = Segment(0.0244, "host", 3057, 16, 7, 32120, ".")
    place = FOUND + 4
    changed = [*FRAGMENT_SIMULATED[:place], sixteen, *FRAGMENT_SIMULATED[place:]]
    assert any("(16)" in problem for problem in problems(changed, FRAGMENT))


def test_a_packet_less_in_a_fragment_is_reported():
    without_ack = [*FRAGMENT_SIMULATED[: FOUND + 4], *FRAGMENT_SIMULATED[FOUND + 5 :]]
    assert "window: 1024, not 16" in problems(without_ack, FRAGMENT)  # only the update is left
    without_data = [*FRAGMENT_SIMULATED[: FOUND + 3], *FRAGMENT_SIMULATED[FOUND + 4 :]]
    assert any("missing" in problem for problem in problems(without_data, FRAGMENT))


def test_a_second_fragment_is_looked_for_behind_the_first():
    again = FRAGMENT + "...\n" + FRAGMENT.splitlines()[3] + "\n" + FRAGMENT.splitlines()[4] + "\n"
    rows = alignment.compare(notation.parse(again), FRAGMENT_SIMULATED)
    assert [row.index for row in rows][5:] == [9, 10]
    assert [row.problems for row in rows] == [()] * 7


def test_a_fragment_that_is_nowhere_is_missing():
    assert any(p.startswith("missing") for p in problems(FRAGMENT_SIMULATED[:2], FRAGMENT))
    assert [p for p in problems([], FRAGMENT) if p.startswith("missing")]


def test_sequence_numbers_become_relative_to_each_senders_syn():
    packets = notation.parse(EXCHANGE).packets
    assert [(p.segment.sender, p.segment.seq, p.segment.ack) for p in packets[:3]] == [
        ("host", 0, None),
        ("device", 0, 1),
        ("host", 0, 1),
    ]
    assert packets[-1].segment.seq == 7301  # the RST's absolute 12301 less the SYN's 5000


def test_what_is_written_reads_back_as_the_same_packets():
    written = notation.write(SIMULATED)
    rules = "# tolerance: host within 1 us: why\n# tolerance: device within 1 us: why\n"
    assert problems(SIMULATED, rules + written) == []
    assert written.splitlines()[4] == "000007 host > device: . 1461:2921(1460) ack 1 win 32120"


@pytest.mark.parametrize(
    "line",
    [
        "000007 H.1 > D.2: P 1:1461(1459) ack 1 win 1",
        "seven H.1 > D.2: . ack 1 win 1",
        "000007 H.1 > D.2: . ack 1 win 1 ; about right",
        "# tolerance: printer within 5 us: why",
        "# tolerance: host within 5 furlongs: why",
        "# numbers: about right",
    ],
)
def test_a_line_that_cannot_be_read_is_named(line: str):
    with pytest.raises(StudyError, match=r"^10: "):
        notation.parse("\n".join([*EXCHANGE.splitlines()[:9], line]))


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests").glob("*/timelines/*.txt")), ids=lambda p: p.stem
)
def test_every_exchange_says_what_it_is_about(path: Path):
    exchange = notation.read(path)
    assert len(exchange.packets) > 3
    assert "Tested:" in exchange.prose


def test_the_simulated_hawking_job_sends_the_packets_of_its_trace(
    hawking: System, hawking_run: Result
):
    rows = alignment.compare(notation.read(hawking.trace), hawking_run.packets)
    wrong = alignment.mismatches(rows)
    assert not wrong, "\n".join(str(row) for row in wrong)


def test_the_simulated_hawking_job_holds_the_exchange_of_the_earlier_extract(hawking_run: Result):
    extract = notation.read(ROOT / "tests/print-job/timelines/hawking-hps1u-extract.txt")
    rows = alignment.compare(extract, hawking_run.packets)
    assert not alignment.mismatches(rows), "\n".join(map(str, alignment.mismatches(rows)))
    assert all(row.index is not None for row in rows)
