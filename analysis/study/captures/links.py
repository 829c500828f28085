# SPDX-License-Identifier: GPL-2.0-only
"""The header in front of IP, for each kind of link: where the IP packet begins, and of which
version it is."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from study.captures.view import View

IPV4, IPV6 = 0x0800, 0x86DD
VLAN_TAGS = (0x8100, 0x88A8, 0x9100)
PPPOE_SESSION = 0x8864
PPP_IPV4, PPP_IPV6 = 0x0021, 0x0057  # RFC 1332; RFC 5072
NLPID_SNAP, NLPID_IPV4, NLPID_IPV6 = 0x80, 0xCC, 0x8E  # RFC 2427, section 4 and 5
SNAP_BRIDGED = 0x0080C2  # RFC 2427, 4.2: an Ethernet header follows
ETHERNET_HEADER = 14


@dataclass(frozen=True)
class Located:
    """The IP header in each frame. Each array has an item for a frame."""

    place: np.ndarray  # index of the IP header
    kind: np.ndarray  # Ethernet type, IPV4 or IPV6; anything else is not IP
    vlan: np.ndarray  # 0 without a tag
    interface: np.ndarray  # of a cooked header, else 0


Locate = Callable[[View, np.ndarray], Located]


def _located(place, kind, vlan=0, interface=0) -> Located:
    def filled(value, dtype):
        return np.broadcast_to(np.asarray(value, dtype), place.shape)

    return Located(place, kind, filled(vlan, np.uint16), filled(interface, np.uint32))


def _behind_type(
    view: View, place: np.ndarray, kind: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return where the payload of an Ethernet type begins, after VLAN tags (IEEE 802.1Q), LLC and
    SNAP (RFC 1042) and PPPoE (RFC 2516)."""
    vlan = np.zeros(place.shape, np.uint16)
    for _ in range(3):
        tagged = np.isin(kind, VLAN_TAGS)
        if not tagged.any():
            break
        vlan = np.where(tagged & (vlan == 0), view.u16(place) & 0x0FFF, vlan)
        kind = np.where(tagged, view.u16(place + 2), kind)
        place = np.where(tagged, place + 4, place)
    snap = (kind <= 1500) & (view.u32(place) == 0xAAAA0300) & (view.u16(place + 4) == 0)
    if snap.any():
        kind = np.where(snap, view.u16(place + 6), kind)
        place = np.where(snap, place + 8, place)
    session = kind == PPPOE_SESSION
    if session.any():
        kind = np.where(session, _of_ppp(view.u16(place + 6)), kind)
        place = np.where(session, place + 8, place)
    return place, kind, vlan


def _of_ppp(protocol: np.ndarray) -> np.ndarray:
    return np.select([protocol == PPP_IPV4, protocol == PPP_IPV6], [IPV4, IPV6], 0)


def _of_version(view: View, place: np.ndarray) -> np.ndarray:
    version = view.u8(place) >> 4
    return np.select([version == 4, version == 6], [IPV4, IPV6], 0)


def _ethernet(view: View, start: np.ndarray) -> Located:
    return _located(*_behind_type(view, start + ETHERNET_HEADER, view.u16(start + 12)))


def _loopback(view: View, start: np.ndarray) -> Located:
    """Locate IP after the four bytes of an address family, whose byte order and numbers depend on
    the writer: the version is read from the packet."""
    return _located(start + 4, _of_version(view, start + 4))


def _raw(view: View, start: np.ndarray) -> Located:
    return _located(start, _of_version(view, start))


def _ppp(view: View, start: np.ndarray) -> Located:
    """Locate IP in PPP, with or without HDLC-like framing's address and control (RFC 1662)."""
    place = start + 2 * (view.u16(start) == 0xFF03)
    short = view.u8(place) & 1 == 1  # a protocol field of one byte (RFC 1661, 6.5)
    protocol = np.where(short, view.u8(place).astype(np.uint16), view.u16(place))
    return _located(place + np.where(short, 1, 2), _of_ppp(protocol))


def _cisco_hdlc(view: View, start: np.ndarray) -> Located:
    return _located(start + 4, view.u16(start + 2))


def _frame_relay(view: View, start: np.ndarray) -> Located:
    """Locate IP after Q.922's address of two to four bytes and RFC 2427's header."""
    place = start + 2
    for _ in range(2):
        place = np.where(view.u8(place - 1) & 1 == 0, place + 1, place)
    place = place + 1  # the control field: unnumbered information
    place = np.where(view.u8(place) == 0, place + 1, place)  # padding
    protocol = view.u8(place)
    place = place + 1
    snap = protocol == NLPID_SNAP
    vendor = (view.u32(place) >> 8) & 0xFFFFFF
    kind = np.select([protocol == NLPID_IPV4, protocol == NLPID_IPV6], [IPV4, IPV6], 0)
    routed = snap & (vendor == 0)
    bridged = snap & (vendor == SNAP_BRIDGED)
    kind = np.where(routed, view.u16(place + 3), kind)
    kind = np.where(bridged, view.u16(place + 5 + 12), kind)
    place = np.where(routed, place + 5, np.where(bridged, place + 5 + ETHERNET_HEADER, place))
    return _located(*_behind_type(view, place, kind))


def _cooked(view: View, start: np.ndarray) -> Located:
    """Locate IP in LINKTYPE_LINUX_SLL, which the pseudo-interface "any" has."""
    # The packet type: received, broadcast, multicast, for another host, or sent.
    interface = view.u16(start).astype(np.uint32) + 1
    return _located(*_behind_type(view, start + 16, view.u16(start + 14)), interface)


def _cooked_2(view: View, start: np.ndarray) -> Located:
    """Locate IP in LINKTYPE_LINUX_SLL2, which also has the interface."""
    return _located(*_behind_type(view, start + 20, view.u16(start)), view.u32(start + 4))


READABLE: dict[int, Locate] = {
    0: _loopback,
    1: _ethernet,
    9: _ppp,
    12: _raw,
    14: _raw,
    50: _ppp,
    101: _raw,
    104: _cisco_hdlc,
    107: _frame_relay,
    108: _loopback,
    113: _cooked,
    228: _raw,
    229: _raw,
    276: _cooked_2,
}
_RADIO = 'IEEE 802.11 (capture on an interface of Ethernet\'s kind, or "any")'
NAMES = {
    6: "token ring",
    10: "FDDI",
    105: _RADIO,
    119: _RADIO,
    127: _RADIO,
    163: _RADIO,
    192: "PPI",
    189: "USB",
    220: "USB",
    249: "USB",
    195: "IEEE 802.15.4",
    230: "IEEE 802.15.4",
    187: "Bluetooth",
    201: "Bluetooth",
}


def name(link: int) -> str:
    """Return a readable name for a kind of link that is not supported."""
    return NAMES.get(link, f"kind {link}")
