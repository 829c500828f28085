# SPDX-License-Identifier: GPL-2.0-only
"""Connection made from the columns of a binary capture."""

from collections.abc import Iterator

import numpy as np

from study.captures import clock, growing
from study.captures.connection import ACK, FIN, PACKET, RST, SYN, Connection, Note, Offer
from study.captures.duplicates import copies
from study.captures.growing import Columns, pieces
from study.captures.headers import HAS_CUT_OPTIONS, HAS_SACK, HAS_TIMESTAMPS
from study.captures.packet_table import Table
from study.captures.packets import Packets
from study.captures.scale import scaled_by_flights
from study.captures.seen import Seen, notes_on
from study.captures.sequence_numbers import Unwrapped, forward

EPHEMERAL = 32768  # first port that hosts give to clients: Linux's; IANA's is 49152


def built(columns: Columns, table: Table, notes: tuple[Note, ...]) -> Connection:
    """Return a connection from its columns, which are in the order of time."""
    client = _client(columns, table)
    from_client = columns["source"] == client
    columns.let_go()
    copied = copies(columns, from_client, columns.let_go)
    if copied.any():
        count = int(copied.sum())
        was = "was" if count == 1 else "were"
        sentence = f"{count:,} of {len(copied):,} packets {was} captured a second time; left out"
        notes = (*notes, Note("duplicates", sentence))
        columns = columns.of(np.flatnonzero(~copied))
        from_client = from_client[~copied]
    last_ns = int(columns["time_ns"][-1])
    notes = (*notes, *_straighten(columns, from_client))
    time_ns = columns["time_ns"]
    offers = [_offer(columns, from_client == end) for end in (True, False)]
    columns.let_go()
    packets, seen = _packets(columns, from_client, offers)
    if isinstance(packets, np.ndarray) and not all(offer.seen for offer in offers):
        told = scaled_by_flights(packets, offers)
        notes = (*notes, *filter(None, [told]))
    server = columns["source" if client != columns["source"][0] else "target"][0]
    tail_ns = 0
    if not (columns["flags"] & (FIN | RST)).any():
        tail_ns = max(0, table.last_ns - last_ns)
    tick_ns = clock.tick_ns(time_ns, table.told_ns)
    start_s = int(time_ns[0]) / 1e9
    columns.let_go()
    notes = (*notes, *notes_on(seen, *offers, tick_ns, tail_ns / 1e9))
    return Connection(
        table.endpoints[client],
        table.endpoints[server],
        packets,
        *offers,
        start_s=start_s,
        notes=notes,
    )


def _client(columns: dict[str, np.ndarray], table: Table) -> int:
    """Return the number of the client: the end that sent the SYN, or whose SYN the other's SYN
    acknowledges, or that alone has an ephemeral port."""
    syn = np.flatnonzero(columns["flags"] & SYN)
    if not len(syn):
        ends = int(columns["source"][0]), int(columns["target"][0])
        first, other = (int(table.endpoints[end].rsplit(":", 1)[1]) for end in ends)
        return ends[first < EPHEMERAL <= other]
    acknowledges = columns["flags"][syn[0]] & ACK
    return int(columns["target" if acknowledges else "source"][syn[0]])


def _straighten(columns: Columns, from_client: np.ndarray) -> Iterator[Note]:
    """Remove jumps ahead of the capture's clock, as far as the packets' timestamps show them."""
    if len(from_client) > growing.IN_MEMORY:
        return
    stamped = columns["has"] & HAS_TIMESTAMPS > 0
    stamps = np.where(stamped, columns["ts_value"].astype(np.int64), -1)
    jumps = clock.jumps_ahead(columns["time_ns"], from_client, stamps)
    for jump in jumps:
        number = int(columns["number"][jump.row])
        sentence = (
            f"the clock went ahead by {-jump.back_ns / 1e9:,.6g} s before packet {number}, as the"
            " timestamps in the packets tell; that counts as no time"
        )
        yield Note("clock", sentence)
    columns["time_ns"] = clock.straightened(columns["time_ns"], jumps)


def _offer(columns: dict[str, np.ndarray], own: np.ndarray) -> Offer:
    syn = np.flatnonzero(own & (columns["flags"] & SYN > 0))
    if not len(syn):
        return Offer()
    row = syn[0]
    mss, scale = int(columns["mss"][row]), int(columns["window_scale"][row])
    is_cut = bool(columns["has"][row] & HAS_CUT_OPTIONS)
    return Offer(
        not is_cut,
        mss or None,
        scale - 1 if scale else None,
        bool(columns["sack_permitted"][row]),
        bool(columns["has"][row] & HAS_TIMESTAMPS),
        is_cut,
    )


def scales(client: Offer, server: Offer) -> tuple[int, int]:
    """Return by how many bits to shift the client's and the server's windows. Both SYNs must have
    the option (RFC 7323, 2.2), and the server's has it only in reply to the client's."""
    if server.seen and server.window_scale is None:
        return 0, 0
    if client.seen and client.window_scale is None:
        return 0, 0
    if not server.seen:
        return 0, 0  # it is unknown whether the server agreed
    return client.window_scale or 0, server.window_scale or 0


def _packets(
    columns: Columns, from_client: np.ndarray, offers: list[Offer]
) -> tuple[np.ndarray | Packets, Seen]:
    """Return the rows of `PACKET`, and what they show. Work on a piece at a time, as there may be
    millions. In a long connection unchanged columns of the file are not copied."""
    seen, numbers = Seen(), Unwrapped()
    is_long = len(from_client) > growing.IN_MEMORY
    own = MADE
    if all((columns["has"][part] & HAS_TIMESTAMPS).all() for part in pieces(len(from_client))):
        own = tuple(name for name in MADE if name not in STAMPS)
    made = {name: growing.Growing(PACKET[name]) for name in own}
    rows = growing.Growing(PACKET)
    shifts = scales(*offers)
    start_ns = int(columns["time_ns"][0])
    for piece in _parts(columns["flags"]):
        part = {name: column[piece] for name, column in columns.items()}
        found = _made(part, from_client[piece], shifts, numbers)
        found["time_ns"] = part["time_ns"] - start_ns
        packets = Packets({**part, **found})
        seen.add(packets)
        if is_long:
            for name, column in made.items():
                column.add(found[name])
        else:
            rows.add(np.asarray(packets))
        columns.let_go()
    if not is_long:
        return rows.whole(), seen
    whole = {name: column.whole() for name, column in made.items()}
    return Packets({**columns, **whole, "from_client": from_client}), seen


def _parts(flags: np.ndarray) -> list[slice]:
    """Return the slices to work on; all SYNs are in the first."""
    parts = list(pieces(len(flags)))
    late = any((flags[part] & SYN > 0).any() for part in parts[1:])
    return [slice(0, len(flags))] if late else parts


STAMPS = ("ts_value", "ts_echo")
MADE = ("time_ns", "seq", "ack", "window", *STAMPS, "sacked_from", "sacked_to")


def _made(
    columns: dict[str, np.ndarray],
    from_client: np.ndarray,
    shifts: tuple[int, int],
    numbers: Unwrapped,
) -> dict[str, np.ndarray]:
    """Return the columns that differ from the file's."""
    flags = columns["flags"]
    seq, ack = numbers.of(columns["seq"], columns["ack"], flags, from_client)
    shift = np.where(from_client, *shifts)
    shift[flags & SYN > 0] = 0  # the window in a SYN is never scaled
    made = {
        "from_client": from_client,
        "seq": seq,
        "ack": ack,
        "window": columns["window"].astype(np.int64) << shift,
    }
    stamped = columns["has"] & HAS_TIMESTAMPS > 0
    for name in STAMPS:
        made[name] = np.where(stamped, columns[name].astype(np.int64), -1)
    sacks = (columns["has"] & HAS_SACK > 0) & (ack >= 0)
    for name in ("sacked_from", "sacked_to"):
        made[name] = np.full(len(flags), -1)
        if sacks.any():
            beyond = forward(columns[name], columns["ack"])
            made[name] = np.where(sacks, ack + beyond, -1)
    return made
