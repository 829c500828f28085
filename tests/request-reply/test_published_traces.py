# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the two traces of RFC 2525, section 2.13: slow start over a long round trip, packet
by packet, and the second trace from what the first one gave."""

import pytest
from study import System, systems
from study.judging import alignment, notation
from study.judging.comparison import compare

FIRST, SECOND = "rfc2525-stretch-ack", "rfc2525-every-second"
# What the second trace has of its own: the receiver's rule, and what was outstanding at its start.
OWN = {"client_ack_frequency", "server_initial_window"}


@pytest.fixture(params=[FIRST, SECOND])
def system(program, request) -> System:
    return systems[request.param]


def problems(system: System) -> list[str]:
    rows = alignment.compare(notation.read(system.trace), system.run(segments=True).packets)
    return [problem for row in alignment.mismatches(rows) for problem in row.problems]


def test_every_packet_of_the_trace_is_sent_in_its_order_and_time(system: System):
    assert problems(system) == []


def test_the_second_trace_took_nothing_from_its_own_times(program):
    first, second = systems[FIRST], systems[SECOND]
    differ = {
        key for key in first.settings if first.settings[key].text != second.settings[key].text
    }
    assert differ == OWN
    assert {row.used_as for row in second.measured} == {"prediction"}


def test_the_round_trips_are_predicted_within_one_percent(system: System):
    """Not so the pairs of segments that came closer than the line sends them: the file says so."""
    for row in compare(system, system.run(segments=True)):
        bound = 12 if row.measured.quantity == "the second segment of that round" else 1
        assert abs(row.residual_pct) < bound, row


def test_slow_start_on_paper_is_the_simulated_one(system: System):
    for row in compare(system, system.run(segments=True)):
        assert row.closed_form == pytest.approx(row.simulated, rel=1e-5), row


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"client_ack_frequency": 4}, "missing"),
        ({"client_ack_frequency": 1}, "extra"),
        ({"server_initial_window": 4}, "time"),
        ({"server_timestamps": False}, "missing"),
        ({"rtt": "97ms"}, "time"),
        ({"path_rate": "1300kbps"}, "time"),
        ({"client_delayed_ack": "50ms"}, "time"),
    ],
)
def test_a_mechanism_that_is_broken_is_seen_in_the_trace(program, changes: dict, kind: str):
    found = problems(systems[FIRST].with_(**changes))
    assert any(problem.startswith(kind) for problem in found), found
