# SPDX-License-Identifier: GPL-2.0-only
"""Sizes of jobs: of a system's own, of the one that its rate needs, and of shorter ones that show
less."""

from collections.abc import Mapping

from study.base.units import bits_per_second, seconds
from study.kit.chance import LEAST_LOSSES
from study.kit.link import other_link
from study.kit.wire import OPTIONS_B, RFC_ACKS
from study.programs import values
from study.programs.declaration import declaration
from study.system.system import System

SIZES = ("job_size", "file_size")
WAYS = ("command_text", "reply_write")  # both directions of an exchange
LEAST_B = 2_000_000  # hundreds of windows, and two pauses of a job that pauses each megabyte
MOST_B = 12_000_000  # over a path, until windows and queues do what they do in the long run
# With losses, which run under several seeds; slow start takes three bandwidth-delay products. Where
# losses are rare, the job is as long as an average over them needs, but for the time that it takes.
LOSSY_PIPES, LOSSY_MOST_B, RARE_MOST_B = 4, 4_000_000, 60_000_000
LOST = 3 * LEAST_LOSSES  # slow start has some of them, and the second half must have an average
# Behind slow start there is one cycle, and one in each half of the job that is run.
CYCLES, CUBIC_FALL, CUBIC_C = 3, 0.3, 0.4
FEW_PAUSES = 10  # in a job: a part of one would show
LOOKED_AT = 4  # of such a job, this part shows which of two changes is better
TURNS = 8  # fewer windows than this, and their number does not matter
SKETCH_SEGMENTS, SEGMENT_B = 100, 1460  # the job that shows whether a change has any effect


def size_key(system: System) -> str:
    """Return the key of the job's size. For a job of commands it is the larger of both directions,
    if that is long enough to be a transfer of its own, else an empty text."""
    own = system.parameters()
    if not counts_commands(system):
        return next((key for key in SIZES if key in own), "")
    key = max(WAYS, key=lambda each: int(own[each]))
    return key if int(own[key]) > LEAST_B else ""


def counts_commands(system: System) -> bool:
    """Return whether the job's rate is commands a second."""
    return "commands" in declaration(system.scenario).parameters


def size_B(system: System) -> int:
    """Return the job's size in bytes, or 0 where it is unknown."""
    key = size_key(system)
    return int(system.parameters()[key]) if key else 0


def needed_B(system: System) -> int:
    """Return the size in bytes at which the job has its steady rate, or 0 if it is unknown."""
    own = system.parameters()
    if not size_B(system):
        return 0
    lost, least_B = _loss(system), LEAST_B
    numbers = [each for packets in _lost_packets(own).values() for each in packets]
    every_B = int(own.get("drain_pause_every", 0))
    few = every_B < size_B(system) < FEW_PAUSES * every_B
    seldom_B = size_B(system) if few else 2 * every_B  # one in each half
    seldom_B = max(seldom_B, 2 * max(numbers, default=0) * _segment_B(own))
    if own.get("link") == "path" and not lost:
        least_B = max(MOST_B, min(_between_overflows_B(own), RARE_MOST_B))
    elif own.get("link") == "path":
        rtt_s = max(seconds(own["rtt"]), 2 * seconds(own["path_delay"]))
        pipe_B = bits_per_second(own["path_rate"]) / 8 * rtt_s
        least_B = max(LEAST_B, min(round(LOSSY_PIPES * pipe_B), LOSSY_MOST_B))
    of_losses_B = round(LOST * SEGMENT_B / lost) if lost else 0
    return min(size_B(system), max(least_B, min(of_losses_B, RARE_MOST_B), seldom_B))


def _between_overflows_B(own: Mapping[str, str]) -> int:
    """Return the bytes of a few cycles of a congestion window that fills a queue of the path until
    packets are lost (RFC 9438, 4.2: CUBIC's K), 0 if the receive window does not let it."""
    room = own.get("path_queue", "")
    rate_Bps = bits_per_second(own["path_rate"]) / 8
    if not room:
        return 0
    queue_B = int(room[:-1]) * (SEGMENT_B if room.endswith("p") else 1)
    full_B = rate_Bps * max(seconds(own["rtt"]), 2 * seconds(own["path_delay"])) + queue_B
    window_B = _window_B(own)
    if window_B <= min(full_B, 2 * queue_B):  # slow start sends two segments for one that leaves
        return 0
    full_B = min(full_B, window_B)
    return round(CYCLES * rate_Bps * (CUBIC_FALL * full_B / SEGMENT_B / CUBIC_C) ** (1 / 3))


def turn_of(system: System, bytes_: int) -> int:
    """Return the bytes after which a job of `bytes_` repeats what it does: from pause to pause of
    the drain, or a window of whole segments. 0 if it has few of them."""
    own = system.parameters()
    if pause_B := int(own.get("drain_pause_every", 0)):
        return pause_B if pause_B <= bytes_ else 0
    mss_B = int(own.get("mss", SEGMENT_B))
    turn_B = _window_B(own) // mss_B * mss_B
    return turn_B if turn_B <= bytes_ / TURNS else 0


def _window_B(own: Mapping[str, str]) -> int:
    """Return the larger receive window of the ends that have one, or 0."""
    names = ("receive_window", "client_window", "server_window")
    return max((int(own[each]) for each in names if each in own), default=0)


def sketched_B(system: System) -> int:
    """Return the size in bytes of a job that shows whether a change has any effect."""
    mss_B = int(system.parameters().get("mss", SEGMENT_B))
    return min(needed_B(system), max(SKETCH_SEGMENTS * min(mss_B, SEGMENT_B), 1))


def looked_at_B(system: System) -> int:
    """Return the size in bytes of a job that shows which of two changes is better."""
    part_B = needed_B(system) // LOOKED_AT if draws_losses(system) else 0
    return min(needed_B(system), max(LEAST_B // 2, part_B))


def of_size(system: System, bytes_: int) -> System:
    """Return the system with a job of at most `bytes_`, without the losses of packets that come
    behind it."""
    key = size_key(system)
    if not key or bytes_ >= size_B(system):
        return system
    own, losses = system.parameters(), {}
    for name, packets in _lost_packets(own).items():
        acks = max(int(own.get("ack_frequency", 0)), RFC_ACKS) if name.endswith("back") else 1
        most = bytes_ // (_segment_B(own) * acks)
        losses[name] = ",".join(str(each) for each in packets if each <= most)
    return system.with_(**{key: bytes_}, **losses)


def _segment_B(own: Mapping[str, str]) -> int:
    """Return the largest segment of any end."""
    sizes = (int(text) for key, text in own.items() if key.rpartition("_")[2] == "mss")
    return max((SEGMENT_B, *sizes))


def _lost_packets(own: Mapping[str, str]) -> dict[str, list[int]]:
    """Return the numbers of lost packets, by parameter."""
    lists = {key: text for key, text in own.items() if "lost_packets" in key and text}
    return {key: [int(each) for each in text.split(",")] for key, text in lists.items()}


def beginning(system: System, bytes_: int) -> System:
    """Return the system with a job of `bytes_`, or as few more as let it end as the whole job does:
    with as many segments that wait for an ACK."""
    rest_B = size_B(system) - bytes_
    return of_size(system, bytes_ + rest_B % _between_acks_B(system)) if rest_B > 0 else system


def _between_acks_B(system: System) -> int:
    """Return the bytes of the segments that one ACK acknowledges, or 1 if none are counted."""
    own = system.parameters()
    if not int(own.get("ack_frequency", 0)):
        return 1
    options_B = OPTIONS_B * (own["device_timestamps"] == own["host_timestamps"] == "true")
    return int(own["ack_frequency"]) * max(int(own["mss"]) - options_B, 1)


def draws_losses(system: System) -> bool:
    """Return whether packets are lost at random: then a run with another value has other losses."""
    return _loss(system) > 0


def losses_of(system: System, bytes_: int) -> float:
    """Return the number of packets that a job of `bytes_` loses at random on average."""
    return bytes_ / SEGMENT_B * _loss(system)


def _loss(system: System) -> float:
    """Return the largest loss fraction of the link in use."""
    parameters = system.parameters()
    return max(
        (
            float(parameters[key])
            for key, declared in declaration(system.scenario).parameters.items()
            if "loss" in key and values.is_number(declared) and not other_link(declared, parameters)
        ),
        default=0.0,
    )
