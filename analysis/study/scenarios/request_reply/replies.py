# SPDX-License-Identifier: GPL-2.0-only
"""Closed forms of a reply of many segments: the client's window, and slow start."""

from math import ceil

from study.kit.wire import path_time_s, wire_time_s
from study.scenarios.request_reply.exchange_parameters import (
    Exchange,
    mss_B,
    options_B,
    to_client_s,
    to_server_s,
    way_s,
)


def segment_line_s(x: Exchange) -> float:
    """Return a full segment's transmission time on the reply's slowest link, in seconds."""
    if x.link != "path":
        return wire_time_s(mss_B(x) + options_B(x), x.link_rate_bps)
    rate_bps = min(x.path_rate_back_bps or x.path_rate_bps, x.path_access_rate_bps)
    return path_time_s(mss_B(x) + options_B(x), (rate_bps,), 0.0)


def reply_arrives_s(x: Exchange, payload_B: float) -> float:
    """Return the time of one write in seconds, from sending its first segment to the client's
    handling of its last. It takes a round trip for each window, or the line's time if longer."""
    segments = ceil(payload_B / mss_B(x))
    last_B = payload_B - (segments - 1) * mss_B(x)
    line_s = segment_line_s(x)
    alone_s = (segments - 1) * line_s + to_client_s(x, last_B)
    round_s = to_client_s(x, mss_B(x)) + to_server_s(x, 0)
    waits_s = max(round_s - in_window_B(x) / mss_B(x) * line_s, 0.0)
    return alone_s + (ceil(payload_B / in_window_B(x)) - 1) * waits_s


def in_window_B(x: Exchange) -> float:
    """Return the bytes that the server sends into the client's window: full segments, unless its
    rule permits the rest to follow."""
    whole_B = x.client_window_B // mss_B(x) * mss_B(x)
    fills = x.server_silly_window_avoidance == "burst" or whole_B == 0
    return x.client_window_B if fills else whole_B


def slow_start_s(x: Exchange) -> float:
    """Return how much the congestion window delays the session's first replies, in seconds. Each
    ACK releases one segment more than it covers (RFC 5681, 3.1), and the window stays the same
    between replies."""
    segments = min(ceil(x.reply_write_B / mss_B(x)), max(int(in_window_B(x) / mss_B(x)), 1))
    window, late_s = x.server_initial_window, 0.0
    for _ in range(x.commands):
        if window >= segments:
            break
        late_s += rounds(x, segments, window)[0][-1] - rounds(x, segments, segments)[0][-1]
        window += segments // x.client_ack_frequency
    return late_s


def rounds(x: Exchange, segments: int, window: int) -> tuple[list[float], list[float]]:
    """Return when each segment of a reply arrives at the client and when each ACK leaves, in
    seconds after the reply's first write. The client acknowledges every n-th full segment, the
    first at once, and each ACK releases n + 1. No advertised window, queue or timer delays it."""
    rate_bps = x.path_rate_back_bps or x.path_rate_bps
    line_s = segment_line_s(x)
    way_rest_s = way_s(x, mss_B(x), rate_bps) - line_s
    allowed_s = [0.0] * window
    arrivals_s: list[float] = []
    acks_s: list[float] = []
    free_s = 0.0
    for number in range(segments):
        if number == len(allowed_s):  # the ACK of an odd segment, which waits
            acks_s.append(arrivals_s[-1] + x.client_delayed_ack_s + x.client_reply_time_s)
            allowed_s += [acks_s[-1] + to_server_s(x, 0)] * 2
        free_s = max(free_s, allowed_s[number]) + line_s
        arrivals_s.append(free_s + way_rest_s)
        every = 1 if number + 1 < x.client_quick_acks else x.client_ack_frequency
        if (number + 1) % every == 0:
            acks_s.append(arrivals_s[-1] + x.client_reply_time_s)
            allowed_s += [acks_s[-1] + to_server_s(x, 0)] * (every + 1)
    return arrivals_s, acks_s
