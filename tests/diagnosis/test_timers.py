# SPDX-License-Identifier: GPL-2.0-only
"""Claims about stretches that end with a timer, or with the other end: probes of a closed window,
retransmission timeouts, and the peer's FIN are charged to what was waited for."""

import pytest
from study import diagnose, systems
from study.captures.connection import ACK, FIN, PSH, SYN
from study.diagnosis.judge import budget
from study.diagnosis.parameters import parameters

from tests.diagnosis.by_hand import by_hand

MSS, HOST_B, WINDOW_B = 1460, 65535, 2920
OPENED = [
    (0.0, True, 0, 0, -1, HOST_B, SYN),
    (0.5, False, 0, 0, 1, WINDOW_B, SYN | ACK),
    (0.6, True, 1, 0, 1, HOST_B, ACK),
]


def whole_windows(count: int, probes_ms: tuple[float, ...] = (), taken: bool = False):
    """Windows that the device closes for four seconds each, and the next number. The sender probes
    as BSD and Windows do: by the next octet, which the device refuses, or at last takes."""
    rows, at, seq = [], 1.0, 1
    for _ in range(count):
        end = seq + WINDOW_B
        rows += [(at + n / 10, True, seq + n * MSS, MSS, 1, HOST_B, ACK) for n in range(2)]
        rows.append((at + 2, False, 1, 0, end, 0, ACK))
        for wait in probes_ms:
            rows.append((at + wait, True, end, 1, 1, HOST_B, ACK | PSH))
            rows.append((at + wait + 1, False, 1, 0, end, 0, ACK))
        at, seq = at + 4000, end + taken
        rows.append((at - 1, False, 1, 0, seq, WINDOW_B, ACK))
    return rows, at, seq


@pytest.mark.parametrize("taken", [False, True])
def test_an_octet_at_the_edge_of_a_closed_window_is_a_probe_each_time_and_no_loss(taken):
    """RFC 9293, 3.8.6.1: the second probe repeats the first one's number as if that were lost."""
    rows, at, seq = whole_windows(12, (500, 1500, 3500), taken)
    rows += [(at, True, seq, MSS, 1, HOST_B, ACK), (at + 2, False, 1, 0, seq + MSS, WINDOW_B, ACK)]
    seen = by_hand(OPENED + rows, MSS)
    limits_s = budget(seen).limits_s
    assert limits_s["loss_recovery"] == 0
    assert limits_s["drain"] == pytest.approx(12 * 4, rel=0.01)
    found = parameters(seen, limits_s)
    assert found.get("loss_to_device") is None and found.get("path_lost_packets") is None
    assert found["first_persist_timeout"].text == "498 ms"


def test_a_wait_for_the_peer_s_fin_is_not_the_sender_s_program():
    """All is acknowledged with the FIN; the device prints five seconds more before it closes."""
    rows, at, seq = whole_windows(3)
    rows += [
        (at, True, seq, MSS, 1, HOST_B, FIN | ACK),
        (at + 2, False, 1, 0, seq + MSS + 1, WINDOW_B, ACK),
        (at + 5002, False, 1, 0, seq + MSS + 1, WINDOW_B, FIN | ACK),
        (at + 5003, True, seq + MSS + 1, 0, 2, HOST_B, ACK),
    ]
    limits_s = budget(by_hand(OPENED + rows, MSS)).limits_s
    assert limits_s["close"] == pytest.approx(5.0, abs=0.01)
    assert limits_s["application"] < 0.01


def test_a_client_that_has_closed_waits_for_the_server():
    """Twelve questions, and the server takes two seconds to close behind the last answer."""
    rows, at, own, theirs = [], 1.0, 1, 1
    for _ in range(12):
        rows += [
            (at, True, own, 100, theirs, HOST_B, ACK | PSH),
            (at + 20, False, theirs, 200, own + 100, HOST_B, ACK | PSH),
        ]
        at, own, theirs = at + 30, own + 100, theirs + 200
    rows += [
        (at, True, own, 0, theirs, HOST_B, FIN | ACK),
        (at + 1, False, theirs, 0, own + 1, HOST_B, ACK),
        (at + 2001, False, theirs, 0, own + 1, HOST_B, FIN | ACK),
        (at + 2002, True, own + 1, 0, theirs + 1, HOST_B, ACK),
    ]
    limits_s = budget(by_hand(OPENED + rows, MSS)).limits_s
    assert limits_s["server_application"] > 2
    assert limits_s["client_application"] < 0.3


PATH = {"link": "path", "rtt": "50ms", "path_rate": "5Mbps", "protocol": "raw"}
PATH |= {"job_size": 400_000, "receive_window": 29_200, "ack_latency": "1ms"}
PATH |= dict.fromkeys(("first_write", "write_size"), 400_000)


def lost(first: int, last: int) -> str:
    return ",".join(map(str, range(first, last)))


@pytest.mark.parametrize("sack", [False, True])
@pytest.mark.parametrize("host", ["linux-2.2", "linux-6"])
@pytest.mark.parametrize("losses", ["path_lost_packets", "path_lost_packets_back"])
def test_an_outage_is_loss_recovery_whichever_way_is_dead(losses, host, sack, program, tmp_path):
    """Where the ACKs are lost all data had arrived, and each timeout repeats what was not lost. The
    simulated sender's own clock says how long it recovered."""
    path = tmp_path / "outage.pcap"
    dead = {losses: lost(60, 84) if losses == "path_lost_packets" else lost(40, 68)}
    system = systems["hawking-hps1u"].with_host(host).with_(**PATH, **dead, device_sack=sack)
    own = system.run(pcap=path).limits_s
    seen = diagnose(path).limits_s
    assert own["loss_recovery"] > 1
    assert seen["loss_recovery"] == pytest.approx(own["loss_recovery"], rel=0.02)
