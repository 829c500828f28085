# SPDX-License-Identifier: GPL-2.0-only
"""Stored form of a run: its record, the key under which it is found, and a checksum over key,
point and record."""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

Row = tuple[bytes, str, bytes, bytes]  # key, point, record, and a checksum of the three


class Program(NamedTuple):
    """A store's entry for a program."""

    digest: str
    scenario: str
    ns3: str
    declaration: str


class Record(NamedTuple):
    """A stored result with its program."""

    key: bytes
    point: str
    record: bytes
    program: Program


def key_of(digest: str, point: str) -> bytes:
    """Return the key of a point (canonical flags) under a program."""
    return hashlib.blake2b(f"{digest} {point}".encode(), digest_size=16).digest()


def keys_of(digest: str, points: Iterable[str]) -> list[bytes]:
    """Return the keys of several points."""
    begun, keys = hashlib.blake2b(f"{digest} ".encode(), digest_size=16).copy, []
    for point in points:
        hashed = begun()
        hashed.update(point.encode())
        keys.append(hashed.digest())
    return keys


def row_of(key: bytes, point: str, record: bytes) -> Row:
    """Return a result as a store keeps it."""
    return key, point, record, checksum(key, point.encode(), record)


def checksum(key: bytes, point: bytes, record: bytes) -> bytes:
    """Return a 64-bit checksum, which makes an undetected damaged record very unlikely."""
    return hashlib.blake2b(b"%b %b %b" % (key, point, record), digest_size=8).digest()
