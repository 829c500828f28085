# SPDX-License-Identifier: GPL-2.0-only
"""What a capture at one end cannot know of what a simulated run knows, and which limit it counts as
where the two are compared. The table is applied to both sides of a comparison."""

from dataclasses import dataclass

from study.diagnosis.budget import Budget


@dataclass(frozen=True)
class Hidden:
    """One limit that is not told from another."""

    limit: str
    counted_as: str
    why: str
    kinds: tuple[str, ...] = ("bulk", "exchange")


HIDDEN = (
    Hidden(
        "window_update",
        "drain",
        "whether the receiver's buffer is empty already, its window not yet open, is in no packet",
    ),
    Hidden(
        "disk",
        "application",
        "a host that could send and does not may wait for its disk or for its program",
        ("bulk",),
    ),
    Hidden("bus", "application", "or for a bus that is busy with another frame", ("bulk",)),
    Hidden("cpu", "application", "or for its processor", ("bulk",)),
    Hidden(
        "round_trip",
        "last_ack",
        "when all is sent, the way there and back and the time of the peer are one gap",
        ("bulk",),
    ),
    Hidden(
        "path_queue",
        "link",
        "whether what waits, when all is sent, is in the host's own interface or on the path",
        ("bulk",),
    ),
    Hidden(
        "nagle",
        "round_trip",
        "a segment that goes when the answer to the one before comes may have waited for its ACK",
        ("exchange",),
    ),
    Hidden(
        "cpu",
        "round_trip",
        "the far host's handling of a segment and its way are one gap",
        ("exchange",),
    ),
    Hidden(
        "link", "round_trip", "where on its way a frame is, one end does not see", ("exchange",)
    ),
    Hidden("path_queue", "round_trip", "nor whether it waits there", ("exchange",)),
)
# The split of an exchange, where the packets are judged as one bulk transfer.
AS_BULK = (
    Hidden("client_application", "application", "one end has the word nearly all the time"),
    Hidden("server_application", "application", "as before"),
    Hidden(
        "delayed_ack",
        "congestion_window",
        "an exchange counts an ACK as kept back although segments on their way will bring it",
    ),
    Hidden("path_queue", "link", "an exchange is over with the last octet, not with its ACK"),
)
REST_OF_BUFFER = Hidden(
    "nagle",
    "send_buffer",
    "what is left of a full send buffer behind its whole segments waits by Nagle's algorithm, too",
)
# What is told right or wrong by chance, so that no comparison counts the one as the other.
CONFUSED = (
    Hidden(
        "nagle",
        "application",
        "what Nagle's algorithm keeps until its program has written a whole segment goes as one",
        ("bulk",),
    ),
    Hidden(
        "congestion_window",
        "application",
        "a sender that paces its segments (BBR) sends at a pace of its own, as a program may",
        ("bulk",),
    ),
    Hidden(
        "receive_window",
        "link",
        "ACKs that queue before a narrow line are as far apart as if the data had queued",
        ("bulk",),
    ),
    Hidden(
        "delayed_ack",
        "congestion_window",
        "an ACK kept back for a segment already on its way is a wait for that segment",
        ("bulk",),
    ),
    Hidden(
        "application",
        "send_buffer",
        "a sender at work for as long as its ACK takes looks like one that waits for it",
        ("bulk",),
    ),
    Hidden(
        "server_application",
        "delayed_ack",
        "a program at work while its peer keeps back an ACK looks as if it waited for that",
        ("exchange",),
    ),
)
# A line before which nothing queues for longer than an ACK takes has no rate in a capture: what
# waits for it waits for an ACK.
HELD = ("receive_window", "drain", "congestion_window", "send_buffer")


def comparable(
    known: dict[str, float], judged: Budget
) -> tuple[dict[str, float], dict[str, float]]:
    """The split that a run knows and the one that its packets gave, both in the limits that a
    capture can tell."""
    table = [hidden for hidden in HIDDEN if judged.kind in hidden.kinds]
    if judged.kind == "bulk" and "client_application" in known:
        table = [*AS_BULK, *table]
    if judged.kind == "bulk" and judged.send_buffer_B:
        table.append(REST_OF_BUFFER)
    pair = _counted(known, table), _counted(judged.limits_s, table)
    if judged.kind == "bulk" and judged.line_Bps is None:
        return _without_line(pair[0], pair[1]), _without_line(pair[1], pair[1])
    return pair


def both_ends(one: Budget, other: Budget) -> tuple[dict[str, float], dict[str, float]]:
    """The budgets of two captures of one transfer, in the limits that both can tell, as shares of
    the life that both saw: one end may hear a last packet more."""
    life = min(one.duration_s, other.duration_s)
    told = []
    for budget in (one, other):
        table = [hidden for hidden in HIDDEN if budget.kind in hidden.kinds]
        shares = {limit: s / life for limit, s in budget.until(life).limits_s.items()}
        told.append(_counted(shares, table))
    if "bulk" in (one.kind, other.kind) and None in (one.line_Bps, other.line_Bps):
        told = [_without_line(shares, shares) for shares in told]
    return told[0], told[1]


def _without_line(limits_s: dict[str, float], judged: dict[str, float]) -> dict[str, float]:
    """What waited for a line that does not show waited for ACKs: for each as the judge found."""
    told = dict(limits_s)
    link = told.pop("link", 0.0)
    waits = {limit: judged.get(limit, 0.0) for limit in HELD}
    whole = sum(waits.values())
    for limit, seconds in waits.items():
        told[limit] = told.get(limit, 0.0) + (link * seconds / whole if whole else 0.0)
    return told


def _counted(limits_s: dict[str, float], table: list[Hidden]) -> dict[str, float]:
    told = dict(limits_s)
    for hidden in table:
        if hidden.limit in told:
            told[hidden.counted_as] = told.get(hidden.counted_as, 0.0) + told.pop(hidden.limit)
    return told
