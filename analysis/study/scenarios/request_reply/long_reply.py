# SPDX-License-Identifier: GPL-2.0-only
"""A reply of many segments over a long path, on paper: slow start as the client sees it.

The client acknowledges every n-th whole segment, and each ACK lets n + 1 follow: the n it covers,
and one more by which the congestion window grows (RFC 5681, 3.1). Times run from the first write of
the reply; no window, no queue and no timer holds it up.
"""

from collections.abc import Mapping
from typing import Any

from study.kit.wire import path_time_s
from study.scenarios.request_reply.formulas import Exchange, mss_B, options_B, to_server_s, way_s


def rounds(x: Exchange, segments: int) -> tuple[list[float], list[float]]:
    """When each segment of the reply arrives at the client, and when each ACK leaves it."""
    rate_bps = x.path_rate_back_bps or x.path_rate_bps
    line_s = path_time_s(mss_B(x) + options_B(x), (rate_bps,), 0.0)
    way_rest_s = way_s(x, mss_B(x), rate_bps) - line_s
    allowed_s = [0.0] * x.server_initial_window
    arrivals_s: list[float] = []
    acks_s: list[float] = []
    free_s = 0.0
    for number in range(segments):
        free_s = max(free_s, allowed_s[number]) + line_s
        arrivals_s.append(free_s + way_rest_s)
        if (number + 1) % x.client_ack_frequency == 0:
            acks_s.append(arrivals_s[-1] + x.client_reply_time_s)
            allowed_s += [acks_s[-1] + to_server_s(x, 0)] * (x.client_ack_frequency + 1)
    return arrivals_s, acks_s


def gap_s(x: Exchange, packet: Mapping[str, Any]) -> float:
    """The time since the packet before, sent or received, of one of the client's ACKs or one of the
    server's segments; as stamped at the client."""
    if packet["from"] == "client":
        return x.client_reply_time_s
    number = int((packet["seq"] - 1) // mss_B(x))
    arrivals_s, acks_s = rounds(x, number + 1)
    before_s = [*arrivals_s[:-1], *(at_s for at_s in acks_s if at_s < arrivals_s[-1])]
    return arrivals_s[-1] - max(before_s)
