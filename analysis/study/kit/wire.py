# SPDX-License-Identifier: GPL-2.0-only
"""A TCP segment on an Ethernet or on a path, as closed forms: what every scenario with one
borrows."""

# TCP (RFC 793 3.1), IP (RFC 791 3.1), Ethernet II header and frame check sequence (RFC 894)
HEADERS_B = 20 + 20 + 14 + 4
RFC_ACKS = 2  # segments to an ACK at most (RFC 5681, 4.2)
OPTIONS_B = 12  # timestamps, if both ends send the option (RFC 7323, 3.2 and appendix A)
MINIMUM_FRAME_B = 64  # IEEE 802.3 4A.2.3.2.4: shorter frames are padded


def wire_time_s(payload_B: float, link_rate_bps: float) -> float:
    """Return a frame's transmission time in seconds: payload and headers, or a minimum frame."""
    return max(payload_B + HEADERS_B, MINIMUM_FRAME_B) * 8 / link_rate_bps


# TCP and IP as above, and the two octets of PPP's protocol field (RFC 1661, 2)
PATH_HEADERS_B = 20 + 20 + 2


def path_time_s(payload_B: float, rates_bps: tuple[float, ...], delay_s: float) -> float:
    """Return a segment's one-way delay in seconds over a path with empty queues: its transmission
    time on each link, and the propagation delay."""
    return sum((payload_B + PATH_HEADERS_B) * 8 / rate_bps for rate_bps in rates_bps) + delay_s
