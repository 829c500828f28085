# SPDX-License-Identifier: GPL-2.0-only
"""Work of a server for one buffer of its file: the packets from the run's segment table, and the
processor's time."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from statistics import median

from study.kit.exchange import Ends, Repeated, ms
from study.programs.segments import Segment
from study.system.system import Result


@dataclass(frozen=True)
class Buffer(Repeated):
    """The buffer of median duration. Packets rarely end where buffers do, so none are alike."""

    sent: tuple[Segment, ...]
    answered: tuple[Segment, ...]
    processor_s: dict[str, float]  # processor time by stage for a buffer, on average
    buffers: int = 1  # number taken together, if a packet holds several

    @property
    def wait_s(self) -> float:
        """How long nothing is sent after it."""
        return self.span_s[1] - self.sent[-1].time_s

    def how_common(self) -> str:
        together = f" times {self.buffers}" if self.buffers > 1 else ""
        return f"the middle one of {self.cycles:,}{together} buffers of the file"

    def lines(self) -> list[str]:
        """Return lines on the packets, the ACKs, the processor and the pause."""
        first, second = self.ends
        gaps_s = [b.time_s - a.time_s for a, b in pairwise(self.sent)]
        apart = f", {ms(median(gaps_s))} from one to the next" if gaps_s else ""
        while_sending_s = self.sent[-1].time_s - self.sent[0].time_s
        stages = sorted(self.processor_s.items(), key=lambda item: -item[1])
        work = ", ".join(
            f"{name.replace('_', ' ')} {ms(time_s)}" for name, time_s in stages if time_s >= 1e-6
        )
        buffers = "a buffer" if self.buffers == 1 else f"{self.buffers} buffers"
        return [
            f"{first} sends {_packets(self.sent)} of up to {max(s.length for s in self.sent)} B "
            f"within {ms(while_sending_s)}{apart}",
            f"{second} {self._answer()}",
            f"{first}'s processor, for {buffers} on average: {work}",
            f"{first} goes on {ms(self.wait_s)} later: a cycle of {ms(self.time_s)}",
        ]

    def _answer(self) -> str:
        if not self.answered:  # a buffer of one packet, which the next one's ACK covers
            return "acknowledges nothing meanwhile"
        window_B = min(each.window for each in self.answered)
        return f"acknowledges with {_packets(self.answered)}, window never below {window_B:,} B"

    def own(self) -> dict:
        return {"processor_s": self.processor_s}


def typical(result: Result, ends: Ends) -> Buffer | None:
    """Return the typical buffer; it begins with the first packet that has octets of it. None if the
    file has none between its first and last."""
    buffer_B = int(result.parameters["file_buffer"])
    usual = [packet for packet in result.packets if not packet.control]
    together = ceil(max((packet.length for packet in usual), default=1) / buffer_B)
    size_B = together * buffer_B
    begins: list[int] = []
    for index, packet in enumerate(usual):
        end = packet.seq + packet.length - 1  # octets count from 1
        if packet.sender == ends[0] and packet.length and end > len(begins) * size_B:
            begins.append(index)
    buffers = [usual[begin : end + 1] for begin, end in pairwise(begins[1:])]
    if not buffers:
        return None
    buffers.sort(key=lambda each: each[-1].time_s - each[0].time_s)
    *packets, following = buffers[len(buffers) // 2]
    share = size_B / result.bytes
    sent = tuple(each for each in packets if each.sender == ends[0] and each.length)
    return Buffer(
        alike=1,
        cycles=len(begins),
        ends=ends,
        span_s=(sent[0].time_s, following.time_s),
        sent=sent,
        answered=tuple(each for each in packets if each.sender == ends[1]),
        processor_s={stage: all_s * share for stage, all_s in result.record["cpu_s"].items()},
        buffers=together,
    )


def _packets(all_of_them: Sequence[Segment]) -> str:
    return f"{len(all_of_them)} packet" + ("" if len(all_of_them) == 1 else "s")
