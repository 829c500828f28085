# SPDX-License-Identifier: GPL-2.0-only
"""The [[measured]] figures of a system file: what the simulation is compared with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from study.base.errors import StudyError

QUOTED = "quoted"  # quoted by a document whose source is not available
BASES = ("measured", "derived", "assumed", "published", QUOTED)
NOT_AT_HAND = "quoted, source not at hand"
USES = ("input", "prediction")
COMPARED = ("unchanged",)
# Properties that identify a packet: its sender, its S, F and R flags, numbers as tcpdump shows
# them, and how many window probes the host has sent.
PACKET = dict.fromkeys(("from", "flags"), (str,))
PACKET |= dict.fromkeys(("seq", "length", "ack", "window", "probes"), (int,))


@dataclass(frozen=True)
class Measured:
    """A figure from a source. `kind` names its scenario's rule that reads it from a run."""

    quantity: str
    kind: str
    value: float
    unit: str
    basis: str
    source: str
    used_as: str  # "input": a parameter was set from it; "prediction": none was
    packet: Mapping[str, Any] = field(default_factory=dict)
    message_B: int | None = None
    tolerance_pct: float | None = None  # allowed change of the simulated figure; see reference.py
    with_: Mapping[str, str] = field(default_factory=dict)  # differs from the system's file
    compared: str = ""  # "unchanged": as a fraction of the same figure of the unchanged system
    low: float | None = None  # range in the source, if it gives one
    high: float | None = None

    @property
    def is_at_hand(self) -> bool:
        """Whether the figure's source can be read, and is not only quoted."""
        return self.basis != QUOTED

    @property
    def text(self) -> str:
        """The figure as in the source: a value or a range."""
        return f"{self.value}" if self.low is None else f"{self.low} to {self.high}"

    def contains(self, value: float) -> bool | None:
        """Return whether a value lies in the source's range, or None if it gives none."""
        return None if self.low is None else self.low <= value <= self.high


class Packet(dict[str, Any]):
    """A figure's description of its packet. A missing entry raises the error of the system's file,
    since only the rule knows what it needs."""

    def __init__(self, wanted: dict[str, Any], missing: Callable[[str], StudyError]) -> None:
        super().__init__(wanted)
        self._missing = missing

    def __missing__(self, name: str) -> Any:
        raise self._missing(name)
