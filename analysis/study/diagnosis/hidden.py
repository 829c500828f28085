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
# A line before which nothing queues for longer than an ACK takes has no rate in a capture: what
# waits for it waits for an ACK.
HELD = ("receive_window", "drain", "congestion_window", "send_buffer", "nagle", "last_ack")


def comparable(
    known: dict[str, float], judged: Budget
) -> tuple[dict[str, float], dict[str, float]]:
    """The split that a run knows and the one that its packets gave, both in the limits that a
    capture can tell."""
    table = [hidden for hidden in HIDDEN if judged.kind in hidden.kinds]
    if judged.kind == "bulk" and "client_application" in known:
        table = [*AS_BULK, *table]
    if judged.kind == "bulk" and judged.line_Bps is None:
        waited = max(HELD, key=lambda limit: judged.limits_s.get(limit, 0.0))
        table.append(Hidden("link", waited, "no line shows"))
    return _counted(known, table), _counted(judged.limits_s, table)


def _counted(limits_s: dict[str, float], table: list[Hidden]) -> dict[str, float]:
    told = dict(limits_s)
    for hidden in table:
        if hidden.limit in told:
            told[hidden.counted_as] = told.get(hidden.counted_as, 0.0) + told.pop(hidden.limit)
    return told
