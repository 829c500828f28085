# SPDX-License-Identifier: GPL-2.0-only
"""Packets that were captured twice: on two interfaces of a machine, on both sides of a router, or
by a switch that mirrors both directions of a port. A retransmission is no such packet: its sender
makes it anew, with another identification in the IP header."""

from collections.abc import Callable

import numpy as np

from study.captures.growing import CHUNK_ROWS

MS = 1_000_000
# Largest distance of two copies: with IP identification, or without it if nearly every packet has
# copies.
IDENTIFIED_NS = 1000 * MS
UNIDENTIFIED_NS = 50 * MS
COPIES_SHARE = 0.9
FEWEST = 3

SAME = (
    "flags",
    "seq",
    "ack",
    "window",
    "length",
    "ts_value",
    "ts_echo",
    "sacked_from",
    "sacked_to",
    "ip_id",
)
FEW = ("seq", "ack", "ip_id")


def copies(
    columns: dict[str, np.ndarray], from_client: np.ndarray, let_go: Callable[[], None]
) -> np.ndarray:
    """Return a mask of packets that are copies of another one. `let_go` releases columns that have
    been read."""
    none = np.zeros(len(from_client), bool)
    if not _any_twice(columns, from_client, let_go):
        return none
    group = _groups(columns, from_client)
    order = np.argsort(group, kind="stable")
    group = group[order]
    first = np.ones(len(group), bool)
    first[1:] = group[1:] != group[:-1]
    if first.all():
        return none
    different = [int(first[from_client[order] == end].sum()) for end in (True, False)]
    identified = _identified(columns["ip_id"], from_client, different)
    near_ns = np.where(identified[order], IDENTIFIED_NS, UNIDENTIFIED_NS)
    leader = _leaders(first, columns["time_ns"][order], near_ns)
    copy = leader != np.arange(len(order))
    if not copy.any():
        return none
    many = _copies_of_each(leader)
    systematic = _systematic(copy, from_client[order], many)
    kept = _kept(columns, from_client, order, leader, many, identified, systematic)
    return ~kept


def _any_twice(
    columns: dict[str, np.ndarray], from_client: np.ndarray, let_go: Callable[[], None]
) -> bool:
    """Return whether any two packets are equal and close. Pieces overlap by the largest distance of
    two copies."""
    time_ns, count = columns["time_ns"], len(from_client)
    begin, size = 0, CHUNK_ROWS
    while begin < count:
        part = slice(begin, min(begin + size, count))
        some = {name: columns[name][part] for name in SAME}
        # For most packets a few columns show that no other is equal.
        if _any_equal(some, from_client[part], FEW) and _any_equal(some, from_client[part], SAME):
            return True
        if part.stop == count:
            return False
        soonest = int(time_ns[part.stop]) - IDENTIFIED_NS
        following = begin + int(np.searchsorted(time_ns[part], soonest))
        size = CHUNK_ROWS if following - begin > size // 2 else 2 * size
        begin = following
        let_go()
    return False


def _any_equal(
    columns: dict[str, np.ndarray], from_client: np.ndarray, names: tuple[str, ...]
) -> bool:
    group = np.sort(_groups(columns, from_client, names))
    return bool((group[1:] == group[:-1]).any())


def _groups(
    columns: dict[str, np.ndarray], from_client: np.ndarray, names: tuple[str, ...] = SAME
) -> np.ndarray:
    """Return a number for each packet that packets with equal columns share."""
    mixed = from_client.astype(np.uint64)
    for name in names:
        mixed = (mixed ^ columns[name].astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed


def _identified(ip_id: np.ndarray, from_client: np.ndarray, packets: list[int]) -> np.ndarray:
    """Return for each packet whether its end uses different identifications, which RFC 6864 does
    not require."""
    result = np.zeros(len(ip_id), bool)
    for end, count in zip((True, False), packets, strict=True):
        own = from_client == end
        different = np.count_nonzero(np.bincount(ip_id[own], minlength=1))
        result[own] = different > 1 and different >= 0.5 * min(count, 1 << 15)
    return result & (ip_id != 0)


def _leaders(first: np.ndarray, time_ns: np.ndarray, near_ns: np.ndarray) -> np.ndarray:
    """Return for each packet, sorted by group, the index of the first of its run: equal packets,
    each close to the one before."""
    begins = first.copy()
    begins[1:] |= np.diff(time_ns) > near_ns[1:]
    return np.maximum.accumulate(np.where(begins, np.arange(len(first)), 0))


def _copies_of_each(leader: np.ndarray) -> int:
    """Return how many copies most packets have."""
    _, runs = np.unique(leader, return_counts=True)
    return max(2, int(np.median(runs)))


def _systematic(copy: np.ndarray, from_client: np.ndarray, many: int) -> bool:
    """Return whether nearly every packet occurs `many` times."""
    firsts = len(copy) - copy.sum()
    if firsts < FEWEST or copy.sum() < COPIES_SHARE * (many - 1) * firsts:
        return False
    ends = [copy[from_client == end] for end in (True, False)]
    return all(end.sum() >= 0.5 * (len(end) - end.sum()) for end in ends if len(end))


def _kept(
    columns: dict[str, np.ndarray],
    from_client: np.ndarray,
    order: np.ndarray,
    leader: np.ndarray,
    many: int,
    identified: np.ndarray,
    systematic: bool,
) -> np.ndarray:
    """Return one packet of each set of copies: the one on a common interface if there are several,
    else the one on the client's side of a router that lowered the TTL, else the first."""
    place = columns["place"][order]
    ttl = columns["ttl"][order].astype(np.int64)
    position = np.arange(len(order)) - leader
    known = identified[order]
    # Without identification, a receiver's equal ACKs make runs of several sets.
    each = np.where(known, len(order), many)
    same_set = leader * (len(order) + 1) + position // each
    joined = known | systematic
    same_set = np.where(joined, same_set, -1 - np.arange(len(order)))
    places, counts = np.unique(place, return_counts=True)
    elsewhere = place != places[counts.argmax()]
    # On the client's side its packets have the higher TTL, the server's the lower.
    far = np.where(from_client[order], -ttl, ttl)
    best = np.lexsort((np.arange(len(order)), far, elsewhere, same_set))
    first = np.ones(len(order), bool)
    first[1:] = same_set[best][1:] != same_set[best][:-1]
    kept = np.zeros(len(order), bool)
    kept[order[best[first]]] = True
    return kept
