# SPDX-License-Identifier: GPL-2.0-only
"""The parameters of an exchange that its formulas use, and what a frame of it takes."""

from dataclasses import dataclass

from study.kit.formula import Formula
from study.kit.wire import path_time_s, wire_time_s


@dataclass(frozen=True)
class Exchange(Formula):
    """Parameters of the exchange's formulas."""

    LINKS = ("ethernet", "path")

    turns: str
    commands: int
    command_text_B: float
    command_end_B: float
    command_write_time_s: float
    client_time_s: float
    echo: str
    server_time_s: float
    reply_writes: int
    reply_write_B: float
    reply_write_time_s: float
    client_nagle: str
    client_mss_B: float
    client_window_B: float
    server_window_B: float
    server_silly_window_avoidance: str
    client_timestamps: str
    client_delayed_ack_s: float
    client_ack_frequency: int
    client_ack_timer: str
    client_quick_acks: int
    client_reply_time_s: float
    client_segment_time_s: float
    server_nagle: str
    server_mss_B: float
    server_timestamps: str
    server_initial_window: int
    server_delayed_ack_s: float
    server_ack_frequency: int
    server_quick_acks: int
    server_reply_time_s: float
    link: str
    link_rate_bps: float
    link_delay_s: float
    path_rate_bps: float
    path_rate_back_bps: float
    path_access_rate_bps: float
    path_delay_s: float
    rtt_s: float


def to_server_s(x: Exchange, payload_B: float) -> float:
    """Return the time from a frame's sending at the client to its handling at the server, in s."""
    return way_s(x, payload_B, x.path_rate_bps) + x.server_reply_time_s


def to_client_s(x: Exchange, payload_B: float) -> float:
    """Return the time from a frame's sending at the server to its handling at the client, in s."""
    return way_s(x, payload_B, x.path_rate_back_bps or x.path_rate_bps) + x.client_reply_time_s


def way_s(x: Exchange, payload_B: float, path_rate_bps: float) -> float:
    """Return the one-way delay in seconds, with nothing else in flight."""
    payload_B += options_B(x)
    if x.link == "path":
        rates_bps = (x.path_access_rate_bps, path_rate_bps)
        return path_time_s(payload_B, rates_bps, x.path_delay_s or x.rtt_s / 2)
    return wire_time_s(payload_B, x.link_rate_bps) + x.link_delay_s


def mss_B(x: Exchange) -> float:
    """Return the smaller of the two announced sizes, less the options, in bytes (RFC 9293, 3.7.1;
    RFC 6691)."""
    return min(x.client_mss_B, x.server_mss_B) - options_B(x)


def options_B(x: Exchange) -> float:
    """Return the bytes of timestamps, if both ends send them (RFC 7323, 3.2 and appendix A)."""
    return 12 if x.client_timestamps == x.server_timestamps == "true" else 0
