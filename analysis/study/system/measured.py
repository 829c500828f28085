# SPDX-License-Identifier: GPL-2.0-only
"""The [[measured]] figures of a system file: what the simulation is compared with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from study.base.errors import StudyError

QUOTED = "quoted"  # by somebody whose source is not at hand
BASES = ("measured", "derived", "assumed", "published", QUOTED)
NOT_AT_HAND = "quoted, source not at hand"
USES = ("input", "prediction")
COMPARED = ("unchanged",)
# What a packet can be told by: who sent it, its S, F and R flags, numbers as tcpdump shows them,
# and how many window probes the host has sent.
PACKET = dict.fromkeys(("from", "flags"), (str,))
PACKET |= dict.fromkeys(("seq", "length", "ack", "window", "probes"), (int,))


@dataclass(frozen=True)
class Measured:
    """A figure the source gives. `kind` names the rule of its scenario that reads it off a run."""

    quantity: str
    kind: str
    value: float
    unit: str
    basis: str
    source: str
    used_as: str  # "input": a parameter was set from it; "prediction": none was
    packet: Mapping[str, Any] = field(default_factory=dict)
    message_B: int | None = None
    tolerance_pct: float | None = None  # how far the simulated figure may move; see reference.py
    with_: Mapping[str, str] = field(default_factory=dict)  # what differs from the system's file
    compared: str = ""  # "unchanged": as a fraction of the same figure of the unchanged system
    low: float | None = None  # of the range that the source gives, if it gives one
    high: float | None = None

    @property
    def is_at_hand(self) -> bool:
        """Whether a source that can be read gives it; what is only quoted stands apart."""
        return self.basis != QUOTED

    @property
    def text(self) -> str:
        """The figure as the source has it: a value or a range."""
        return f"{self.value}" if self.low is None else f"{self.low} to {self.high}"

    def contains(self, value: float) -> bool | None:
        """Whether a value lies in the source's range; None where the source gives none."""
        return None if self.low is None else self.low <= value <= self.high


class Packet(dict[str, Any]):
    """What a row says of its packet. A rule that asks for what it does not say gets the file's
    error, as only the rule knows what it needs."""

    def __init__(self, wanted: dict[str, Any], missing: Callable[[str], StudyError]) -> None:
        super().__init__(wanted)
        self._missing = missing

    def __missing__(self, name: str) -> Any:
        raise self._missing(name)
