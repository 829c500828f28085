# SPDX-License-Identifier: GPL-2.0-only
"""Kinds of tunnels that packets are in. A packet inside a tunnel is not read, because it belongs
to the tunnel and to its own connection at once. A capture on the tunnel's own interface has it
plain."""

from collections import Counter

import numpy as np

from study.captures.links import IPV4, IPV6, Located
from study.captures.view import View

UDP, UDP_HEADER = 17, 8
# Protocol numbers of IP, from IANA's registry.
BY_PROTOCOL = {
    4: "IP in IP",  # RFC 2003
    41: "IPv6 in IP",  # RFC 4213
    47: "GRE",  # RFC 2784
    50: "IPsec",  # ESP, RFC 4303
    97: "EtherIP",  # RFC 3378
    115: "L2TP",  # RFC 3931
}
# UDP ports of either end.
BY_PORT = {
    1701: "L2TP",  # RFC 2661
    2152: "GTP-U",  # 3GPP TS 29.281
    3544: "Teredo",  # RFC 4380
    4500: "IPsec",  # RFC 3948
    4789: "VXLAN",  # RFC 7348
    6081: "Geneve",  # RFC 8926
    8472: "VXLAN",  # Linux's former port
    51820: "WireGuard",  # its default port
}
BY_TYPE = {0x8847: "MPLS", 0x8848: "MPLS"}  # RFC 5332


def tunnels(
    view: View, located: Located, protocol: np.ndarray, at: np.ndarray, limit: np.ndarray
) -> Counter[str]:
    """Count the non-TCP frames in each kind of tunnel. `protocol` is IP's protocol number, `at` the
    index of its payload."""
    found: Counter[str] = Counter()
    for kind, name in BY_TYPE.items():
        found[name] += int((located.kind == kind).sum())
    is_ip = ((located.kind == IPV4) | (located.kind == IPV6)) & (located.place < limit)
    for number, name in BY_PROTOCOL.items():
        found[name] += int((is_ip & (protocol == number)).sum())
    udp = np.flatnonzero(is_ip & (protocol == UDP) & (at + UDP_HEADER <= limit))
    ports = view.u16(at[udp]), view.u16(at[udp] + 2)
    for port, name in BY_PORT.items():
        found[name] += int(((ports[0] == port) | (ports[1] == port)).sum())
    return +found
