# SPDX-License-Identifier: GPL-2.0-only
"""Closed form of a reply of many segments over a long path: slow start as the client sees it."""

from collections.abc import Mapping
from typing import Any

from study.scenarios.request_reply.exchange_parameters import Exchange, mss_B
from study.scenarios.request_reply.replies import rounds


def gap_s(x: Exchange, packet: Mapping[str, Any]) -> float:
    """Return the time in seconds since the packet before, sent or received, of one of the client's
    ACKs or the server's segments, at the client's interface."""
    if packet["from"] == "client":
        return x.client_reply_time_s
    number = int((packet["seq"] - 1) // mss_B(x))
    arrivals_s, acks_s = rounds(x, number + 1, x.server_initial_window)
    before_s = [*arrivals_s[:-1], *(at_s for at_s in acks_s if at_s < arrivals_s[-1])]
    return arrivals_s[-1] - max(before_s)
