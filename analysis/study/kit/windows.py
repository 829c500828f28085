# SPDX-License-Identifier: GPL-2.0-only
"""Larger windows and selective ACKs, each with what both ends need besides for it to work."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from study.base.units import bits_per_second, seconds
from study.kit.candidates import Candidate
from study.programs import values
from study.programs.declaration import Parameter

UNSCALED_B = 65535  # a larger window needs window scaling, offered by both ends (RFC 7323, 2.2)
PATHS = 2  # a full queue beside a path that is full, of the usual size
MEMORY_B = 2  # of a send buffer that counts memory: what a byte of data takes at most


@dataclass(frozen=True)
class Way:
    """One direction of data, by the names of the parameters of its two ends."""

    window: str  # the receiver's
    receiver: str
    sender: str
    send_buffer: str  # the sender's

    def scaling(self, run: Mapping[str, str], window_B: int) -> dict[str, str]:
        """The window scales that a window of that size needs and the run has not."""
        if window_B <= UNSCALED_B:
            return {}
        keys = (f"{self.receiver}_window_scale", f"{self.sender}_window_scale")
        least = {keys[0]: window_B, keys[1]: 0}
        return {key: "auto" for key in keys if not _scales(run[key], least[key])}

    def sack(self, run: Mapping[str, str]) -> dict[str, str]:
        """What is off of selective ACKs, which both ends must offer (RFC 2018, 2)."""
        keys = (f"{self.receiver}_sack", f"{self.sender}_sack")
        return {key: "true" for key in keys if run[key] == "false"}

    def room(self, run: Mapping[str, str], window_B: int) -> dict[str, str]:
        """A send buffer that holds as much, where the run's does not."""
        size = window_B if run[f"{self.send_buffer}_rule"] == "bytes" else MEMORY_B * window_B
        return {self.send_buffer: str(size)} if int(run[self.send_buffer]) < size else {}


TO_DEVICE = Way("receive_window", "device", "host", "send_buffer")


def _scales(shift: str, window_B: int) -> bool:
    return shift == "auto" or (shift != "none" and window_B <= UNSCALED_B << int(shift))


def twice_the_window(way: Way, with_it: str = "", needs: str = "") -> Candidate:
    """A window twice as large, scaled where that has to be."""
    return Candidate(
        way.window,
        f"a receive window twice as large{with_it}",
        lambda parameter, run: _twice(way, parameter, run),
        needs,
        also=lambda run, value: way.scaling(run, int(value)),
    )


def for_a_path(way: Way, whose: str = "") -> list[Candidate]:
    """A window that fills the path, with everything that such a window needs; and selective ACKs
    where the sender waits for loss recovery."""

    def needed(run: Mapping[str, str], value: str) -> dict[str, str]:
        window_B = int(value)
        return way.scaling(run, window_B) | way.sack(run) | way.room(run, window_B)

    def off(parameter: Parameter, run: Mapping[str, str]) -> Iterator[str]:
        if way.sack(run):
            yield "true"

    return [
        Candidate(
            way.window,
            f"a receive window{whose} that fills path and queue, with scaling and SACK",
            _twice_the_path,
            "link=path",
            also=needed,
            relieves=("receive_window", "send_buffer"),
        ),
        Candidate(
            f"{way.receiver}_sack",
            f"selective ACKs{whose}",
            off,
            also=lambda run, value: way.sack(run),
            relieves=("loss_recovery",),
        ),
    ]


def _twice(way: Way, parameter: Parameter, run: Mapping[str, str]) -> Iterator[str]:
    wanted = 2 * int(run[parameter.key])
    yield values.scaled(parameter, run[parameter.key], 2.0, {**run, **way.scaling(run, wanted)})


def _twice_the_path(parameter: Parameter, run: Mapping[str, str]) -> Iterator[str]:
    """The bytes that the path carries in so many round trips, where that is a larger window."""
    rtt_s = seconds(run["rtt"]) or 2 * seconds(run["path_delay"])
    wanted = round(PATHS * bits_per_second(run["path_rate"]) / 8 * rtt_s)
    largest = int(values.limits(parameter)[1])
    if wanted > int(run[parameter.key]):
        yield str(min(wanted, largest))
