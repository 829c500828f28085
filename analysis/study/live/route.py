# SPDX-License-Identifier: GPL-2.0-only
"""Route to one host, with its metrics for TCP: rtnetlink(7), as `ip route` uses it."""

import os
import socket
import struct
from collections.abc import Mapping

from study.kernel import namespaces

NETLINK_ROUTE, RTM_NEWROUTE = 0, 24
NLM_F_REQUEST, NLM_F_ACK, NLM_F_REPLACE, NLM_F_CREATE, NLMSG_ERROR = 0x1, 0x4, 0x100, 0x400, 2
RT_TABLE_MAIN, RTPROT_STATIC, RT_SCOPE_UNIVERSE, RT_SCOPE_LINK, RTN_UNICAST = 254, 4, 0, 253, 1
RTA_DST, RTA_OIF, RTA_GATEWAY, RTA_METRICS = 1, 4, 5, 8
# Members of RTA_METRICS; the lock says which of them the kernel may not change.
RTAX_LOCK = 1
METRICS = {"initcwnd": 11, "rto_min": 13, "quickack": 15, "congctl": 16}
LOCKED = ("rto_min",)  # it has no effect otherwise


def add(interface: str, to: str, gateway: str, metrics: Mapping[str, int | str]) -> None:
    """Add a route to one address through an interface, with these metrics; it overrides others."""
    inside = b"".join(_attribute(METRICS[name], value) for name, value in metrics.items())
    if locks := sum(1 << METRICS[name] for name in metrics if name in LOCKED):
        inside += _attribute(RTAX_LOCK, locks)
    body = struct.pack(
        "BBBBBBBBI",
        socket.AF_INET,
        32,  # bits of the address
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
    flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_ROUTE) as netlink:
        netlink.send(struct.pack("IHHII", 16 + len(body), RTM_NEWROUTE, flags, 1, 0) + body)
        answer = netlink.recv(65536)
    kind, number = struct.unpack_from("H", answer, 4)[0], struct.unpack_from("i", answer, 16)[0]
    if kind == NLMSG_ERROR and number:
        raise namespaces.Forbidden(f"a route to {to} over {interface}: {os.strerror(-number)}")


def _attribute(kind: int, value: bytes | int | str) -> bytes:
    if isinstance(value, int):
        value = struct.pack("I", value)
    elif isinstance(value, str):
        value = value.encode() + b"\0"
    return struct.pack("HH", 4 + len(value), kind) + value + bytes(-len(value) % 4)
