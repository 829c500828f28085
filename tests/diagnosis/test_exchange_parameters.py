# SPDX-License-Identifier: GPL-2.0-only
"""Claims about request and reply over a path: the way is no program's time, whichever end the
capture was taken at, and the simulation of what is found goes like it."""

import pytest
from study import StudyError, diagnose, systems
from study.diagnosis.compare import compare
from study.diagnosis.finding import share
from study.kernel import KEPT


def kept(name: str):
    return diagnose(KEPT / f"{name}.pcap.gz")


def ms(finding) -> float:
    return finding.value * {"s": 1e3, "ms": 1.0, "us": 1e-3}[finding.unit]


@pytest.mark.parametrize(("when", "thinks_ms"), [("before", 80), ("after", 40)])
def test_the_way_is_no_time_of_the_client_in_a_capture_from_the_server(when, thinks_ms, program):
    """A path of 20 ms, a server that sends most and thinks, a client that does not."""
    seen = kept(f"server-that-thinks.{when}.server")
    found = seen.found
    assert seen.vantage.at == "sender" and not seen.connection.bulk_from_client
    assert found["link"].value == "path"
    assert ms(found["rtt"]) == pytest.approx(20, rel=0.02)
    assert thinks_ms <= ms(found["server_time"]) < 1.1 * thinks_ms  # some turns were late
    assert ms(found["client_time"]) < 2
    beside = seen.compared
    assert abs(beside.residual_pct) < 2
    for limit in ("round_trip", "client_application", "server_application"):
        shares = [share(side.limits_s, limit) for side in (beside.measured, beside.simulated)]
        assert shares[0] == pytest.approx(shares[1], abs=0.04), limit


@pytest.mark.parametrize(("when", "rtt_ms"), [("before", 80), ("after", 30)])
def test_turns_that_are_a_round_trip_apart_are_no_train_on_a_line(when, rtt_ms, program):
    """Captured at the end that answers: shifted to the other's time, no command comes before the
    reply that it followed."""
    seen = kept(f"commands-over-a-long-path.{when}.server")
    assert seen.vantage.at == "receiver"
    assert seen.found["commands"].value == 15
    assert ms(seen.found["rtt"]) == pytest.approx(rtt_ms, rel=0.02)
    assert abs(seen.compared.residual_pct) < 2


def test_what_a_held_second_write_hides_is_a_bound_that_has_to_be_given(program):
    """Nagle's algorithm hides how long the program took for its second write, 1 ms."""
    before = kept("replies-in-two-writes.before.server")
    hidden = before.found["reply_write_time"]
    assert hidden.basis == "bound"
    assert hidden.high == pytest.approx(4090, rel=0.02) and hidden.unit == "us"  # a round trip
    shown = kept("replies-in-two-writes.after.server").found["reply_write_time"]
    assert shown.basis == "derived" and ms(shown) == pytest.approx(1.03, rel=0.05)
    system = before.system()
    with pytest.raises(StudyError, match="the answer would rest on reply write time"):
        system.what_if(server_nagle=False, client_nagle=False)
    given = system.with_(reply_write_time="1.03ms", server_nagle=False, client_nagle=False)
    after = kept("replies-in-two-writes.after.server")
    assert given.run().throughput_Bps == pytest.approx(after.compared.simulated.rate_Bps, rel=0.05)


def test_an_exchange_is_compared_at_the_end_where_it_was_captured(program):
    """The simulation's packets are put where the capture's are; up to the close they are alike."""
    seen = kept("commands-over-a-long-path.before.server")
    beside = seen.compared
    last = int(seen.connection.packets["number"][-1])
    assert beside.parting.startswith("they first part at packet 37: the server F") and last == 37
    text = " ".join(str(beside).split())
    assert "turn of the client, ms 80." in text and "rate of both ends" in text
    assert beside.simulated.cycle_s == pytest.approx(beside.measured.cycle_s, rel=0.01)
    at_server = kept("server-that-thinks.before.server").compared
    # Also of replies in two segments, which a Linux of today acknowledges by its own rule.
    assert "the server F" in at_server.parting
    assert int(at_server.parting.split("at packet ")[1].split(":")[0]) > 100


def test_writes_at_a_programs_pace_are_no_train_on_a_line(program, tmp_path):
    """A reply in two writes a millisecond apart, captured at the client: no reply comes before its
    command."""
    path = tmp_path / "asked.pcap"
    own = {"link": "path", "rtt": "4ms", "path_rate": "20Mbps", "commands": 25, "echo": False}
    own |= {"command_text": 10, "command_end": 0, "reply_write": 20, "reply_writes": 2}
    own |= {"reply_write_time": "1ms", "server_time": "90us", "server_nagle": False}
    systems["telnet-ubuntu"].with_(**own).run(pcap=path)
    seen = diagnose(path)
    assert seen.vantage.at == "receiver" and seen.found["commands"].value == 25
    assert ms(seen.found["reply_write_time"]) == pytest.approx(1, rel=0.05)


@pytest.mark.parametrize("given", [None, "receiver"])
@pytest.mark.parametrize("commands_end_apart", [True, False])
def test_a_capture_at_the_end_that_asks_is_compared_as_that(
    given, commands_end_apart, program, tmp_path
):
    """The server sends more, so its client is the receiver: no answer of its comes before what it
    answers, and the client is called the client."""
    path = tmp_path / "asked.pcap"
    own = {"echo": False, "server_time": "3ms", "reply_write": 16, "command_text": 12}
    own |= {"command_end": int(commands_end_apart), "commands": 20}
    asked = systems["telnet-xp"].with_(**own)
    asked.run(pcap=path)
    seen = diagnose(path, at=given)
    assert seen.vantage.at == "receiver" and not seen.connection.bulk_from_client
    assert seen.seen.packets["from_client"][0]
    beside = compare(asked, seen.seen, seen.limits_s)
    assert beside.parting == f"packet by packet alike, all {len(seen.connection.packets)}"
    other = compare(asked.with_(server_window=9999), seen.seen, seen.limits_s).parting
    assert other.startswith("packet by packet alike")  # a window is no number of a packet's own
    other = compare(asked.with_(reply_write=17), seen.seen, seen.limits_s).parting
    assert ": the server " in other and "simulated the server " in other


def test_a_late_ack_without_a_retransmission_bounds_the_timer(program, tmp_path):
    """The model's own least, 200 ms, would send again each time that an ACK takes as long."""
    path = tmp_path / "asked.pcap"
    own = {"echo": False, "server_time": "3ms", "reply_write": 16, "command_text": 12}
    asked = systems["telnet-xp"].with_(**own, commands=20)
    assert asked.run(pcap=path).record["needless_retransmissions"] == 0
    seen = diagnose(path)
    bound = seen.found["server_minimum_rto"]
    assert bound.basis == "bound" and bound.high is None
    assert 0.19 < bound.low * {"s": 1.0, "ms": 1e-3}[bound.unit] < 0.21
    again = seen.system()
    assert again.run().record["needless_retransmissions"] == 0
    sooner = again.with_(server_minimum_rto="150ms", client_minimum_rto="150ms")
    assert sooner.run().record["needless_retransmissions"] > 0
