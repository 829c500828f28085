# SPDX-License-Identifier: GPL-2.0-only
"""A command and its reply, read off the run's segment table: each packet and the wait before it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from study.kit.exchange import Ends, Repeated, most_alike, ms, packets_of
from study.programs.segments import Segment
from study.system.system import Result

MOST_ROUNDS = 3  # number of rounds in full; a long reply can have many


@dataclass(frozen=True)
class Command(Repeated):
    """The command of median duration of the most frequent kind."""

    packets: tuple[Segment, ...]

    @property
    def wait_s(self) -> float:
        """The longest time without a packet, in seconds."""
        return max(after.time_s - before.time_s for before, after in pairwise(self.packets))

    def lines(self) -> list[str]:
        """Return a line for each packet of the client, with what the server sends after it."""
        turns = [list(turn) for _, turn in groupby(self.packets, key=lambda each: each.sender)]
        texts = [f"{self.ends[0]} sends {packets_of(turns[0])}"]
        texts += [_turn(before[-1], turn) for before, turn in pairwise(turns)]
        rounds = ["; ".join(texts[at : at + 2]) for at in range(0, len(texts), 2)]
        if rounds[MOST_ROUNDS:]:
            rounds = [*rounds[:MOST_ROUNDS], f"and so on: {len(self.packets)} packets in all"]
        after_s = self.span_s[1] - self.packets[-1].time_s
        last = f"{self.ends[0]} goes on {ms(after_s)} later: a command of {ms(self.time_s)}"
        return [*rounds, last]


def typical(result: Result, ends: Ends) -> Command | None:
    """Return the typical command, or None if the session has only one."""
    commands = list(_commands(result, ends[0]))
    if not commands:
        return None
    same = most_alike(commands, _kind, lambda each: each[-1].time_s - each[0].time_s)
    *packets, following = same[len(same) // 2]
    span_s = packets[0].time_s, following.time_s
    return Command(len(same), len(commands), ends, span_s, tuple(packets))


def _commands(result: Result, client: str) -> Iterator[Sequence[Segment]]:
    """Yield each command's packets and the first packet of the next. A command begins where the
    client's bytes before it are whole commands, when they are sent for the first time."""
    of_command = int(result.parameters["command_text"]) + int(result.parameters["command_end"])
    usual = [packet for packet in result.packets if not packet.control]
    begins, next_seq = [], 1
    for index, packet in enumerate(usual):
        if packet.sender == client and packet.length and packet.seq == next_seq:
            begins.append(index)
            next_seq += of_command
    for begin, end in pairwise(begins):
        yield usual[begin : end + 1]


def _kind(packets: Sequence[Segment]) -> tuple:
    """Return the sequence of senders and lengths, by which two commands are alike."""
    return tuple((packet.sender, packet.length) for packet in packets)


def _turn(before: Segment, turn: Sequence[Segment]) -> str:
    """Return what one end does, and how long after the other."""
    what = f"sends {packets_of(turn)}" if packets_of(turn) else "acknowledges"
    return f"{turn[0].sender} {what} {ms(turn[0].time_s - before.time_s)} later"
