# SPDX-License-Identifier: GPL-2.0-only
"""Routes, with their metrics for TCP: rtnetlink(7), as `ip route` uses it."""

import socket
import struct
from collections.abc import Mapping

from study.kernel import namespaces

RTM_NEWROUTE, NLM_F_REPLACE, NLM_F_CREATE = 24, 0x100, 0x400
RT_TABLE_MAIN, RTPROT_STATIC, RT_SCOPE_UNIVERSE, RT_SCOPE_LINK, RTN_UNICAST = 254, 4, 0, 253, 1
RTA_DST, RTA_OIF, RTA_GATEWAY, RTA_METRICS = 1, 4, 5, 8
# Members of RTA_METRICS; the lock says which of them the kernel may not change.
RTAX_LOCK = 1
METRICS = {"initcwnd": 11, "rto_min": 13, "quickack": 15, "congctl": 16}
LOCKED = ("rto_min",)  # it has no effect otherwise


def add(
    interface: str, to: str, gateway: str, metrics: Mapping[str, int | str], bits: int = 32
) -> None:
    """Add a route through an interface, with these metrics; it overrides others. It is to one
    address, or to all that begin with the same bits."""
    inside = b"".join(_attribute(METRICS[name], value) for name, value in metrics.items())
    if locks := sum(1 << METRICS[name] for name in metrics if name in LOCKED):
        inside += _attribute(RTAX_LOCK, locks)
    body = struct.pack(
        "BBBBBBBBI",
        socket.AF_INET,
        bits,
        0,
        0,
        RT_TABLE_MAIN,
        RTPROT_STATIC,
        RT_SCOPE_UNIVERSE if gateway else RT_SCOPE_LINK,
        RTN_UNICAST,
        0,
    )
    body += _attribute(RTA_DST, socket.inet_aton(to))
    body += _attribute(RTA_OIF, socket.if_nametoindex(interface))
    if gateway:
        body += _attribute(RTA_GATEWAY, socket.inet_aton(gateway))
    body += _attribute(RTA_METRICS, inside)
    what = f"a route to {to} over {interface}"
    namespaces.ask_rtnetlink(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_REPLACE, body, what)


def _attribute(kind: int, value: bytes | int | str) -> bytes:
    if isinstance(value, int):
        value = struct.pack("I", value)
    elif isinstance(value, str):
        value = value.encode() + b"\0"
    return struct.pack("HH", 4 + len(value), kind) + value + bytes(-len(value) % 4)
