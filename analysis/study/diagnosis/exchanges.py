# SPDX-License-Identifier: GPL-2.0-only
"""Candidate systems of request and reply: what each turn carries, and whose time lies between."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from study.captures.connection import Connection
from study.diagnosis.candidate import EXCHANGE, SELDOM, WIDE, Candidate, Free
from study.diagnosis.candidates import (
    as_flag,
    host_profile,
    profile_settings,
    send_buffer,
    stall_time,
)
from study.diagnosis.conversation import new_data, turn_list, turns_of
from study.diagnosis.facts import HEADERS_B, SLACK, SOON_S, Facts

LARGE_TURN = 3  # segments; of fewer a line's rate does not show
of_exchange = partial(Free, scenario=EXCHANGE)


@dataclass(frozen=True)
class Turns:
    """Data of one end without data of the other in between, an entry a turn."""

    first: np.ndarray  # row of its first packet
    last: np.ndarray
    carried_B: np.ndarray
    segments: np.ndarray
    of_client: np.ndarray

    @classmethod
    def of(cls, connection: Connection) -> "Turns":
        """Return all of a connection; what was sent twice counts once."""
        p = connection.packets
        rows, _ = new_data(p)
        by = p["from_client"][rows]
        if not len(rows):
            return cls(rows, rows, rows, rows, by)
        starts = np.flatnonzero(np.concatenate(([True], by[1:] != by[:-1])))
        ends = np.concatenate((starts[1:], [len(rows)])) - 1
        sums = np.concatenate(([0], np.cumsum(p["length"][rows])))
        carried = sums[ends + 1] - sums[starts]
        return cls(rows[starts], rows[ends], carried, ends - starts + 1, by[starts])


def is_exchange(connection: Connection) -> bool:
    """Return whether the bytes go in turns of both ends, and not in one of them."""
    carried_B = Turns.of(connection).carried_B
    return bool(2 * carried_B.max(initial=0) < carried_B.sum())  # most bytes in one are a bulk


@dataclass(frozen=True)
class Dialogue:
    """Commands and replies: sizes, writes, and the times between them at the near end."""

    commands: int = 1
    echo: bool = False
    text_B: int = 1  # the first write of a command
    end_B: int = 0  # the second
    gap_s: float = 1e-6  # between the two
    reply_writes: int = 1
    reply_B: int = 1  # each
    reply_gap_s: float = 1e-6
    to_reply_s: float = 1e-6  # from a command to its reply, as the near end sees it
    to_command_s: float = 1e-6

    @classmethod
    def of(cls, connection: Connection) -> "Dialogue":
        """Take means, as they add up to the whole."""
        turns = Turns.of(connection)
        p = connection.packets
        time_s = p["time_ns"] / 1e9
        skip = int(not turns.of_client[0])
        count = (len(turns.first) - skip) // 2
        asked = np.arange(count) * 2 + skip
        answered = asked + 1
        sizes = turns.carried_B
        same = sizes[asked] == sizes[answered]
        # An echo of as many bytes comes before the rest.
        echo = bool(count >= 4 and same[::2].mean() > 0.5 > same[1::2].mean())
        if echo:
            text, end = _mean(sizes[asked[::2]]), _mean(sizes[asked[1::2]])
            heads, replies, commands = asked[::2], answered[1::2], asked[1::2]
            gap = 1e-6
        else:
            heads, replies, commands = asked, answered, asked
            text, end, gap = _writes_of_commands(p, time_s, turns, asked)
        writes, size, reply_gap = _writes_of_replies(p, time_s, turns, replies)
        following = asked[2::2] if echo else asked[1:]
        ended = replies[: len(following)]
        to_reply = time_s[turns.first[replies]] - time_s[turns.last[commands[: len(replies)]]]
        to_command = time_s[turns.first[following[: len(ended)]]] - time_s[turns.last[ended]]
        return cls(
            max(len(heads), 1),
            echo,
            max(text, 1),
            end,
            gap,
            writes,
            size,
            reply_gap,
            _mean_s(to_reply),
            _mean_s(to_command),
        )


def _queued_s(connection: Connection, goodput_Bps: float) -> float:
    """Return how long the near end's average turn is on a line of that goodput after all of it was
    sent."""
    turns, time_s = Turns.of(connection), connection.packets["time_ns"] / 1e9
    near = turns.of_client == connection.bulk_from_client
    sent_s = time_s[turns.last[near]] - time_s[turns.first[near]]
    return max(float((turns.carried_B[near] / goodput_Bps - sent_s).mean()), 0.0)


def _mean(values: np.ndarray) -> int:
    return round(float(values.mean())) if len(values) else 0


def _mean_s(values: np.ndarray) -> float:
    return max(float(values.mean()), 1e-6) if len(values) else 1e-6


def _segments_of(p: np.ndarray, turns: Turns, turn: int) -> np.ndarray:
    rows = np.arange(turns.first[turn], turns.last[turn] + 1)
    own = p["from_client"][rows] == turns.of_client[turn]
    return rows[own & (p["length"][rows] > 0)]


def _writes_of_commands(
    p: np.ndarray, time_s: np.ndarray, turns: Turns, asked: np.ndarray
) -> tuple[int, int, float]:
    """A command of two small segments is two writes."""
    size = _mean(turns.carried_B[asked])
    if int(np.median(turns.segments[asked])) != 2:
        return size, 0, 1e-6
    rows = [_segments_of(p, turns, turn) for turn in asked.tolist()]
    firsts = np.array([p["length"][each[0]] for each in rows])
    gaps = np.array([time_s[each[1]] - time_s[each[0]] for each in rows if len(each) > 1])
    first = int(np.median(firsts))
    if first >= 500:
        return size, 0, 1e-6
    return first, max(size - first, 0), max(float(np.min(gaps)), 1e-6)


def _writes_of_replies(
    p: np.ndarray, time_s: np.ndarray, turns: Turns, replies: np.ndarray
) -> tuple[int, int, float]:
    """A reply of several small segments is as many writes."""
    size = _mean(turns.carried_B[replies])
    parts = max(int(np.median(turns.segments[replies])), 1)
    largest = max(int(p["length"].max()), 536)
    rows = [_segments_of(p, turns, turn) for turn in replies.tolist()]
    if parts < 2 or np.median(p["length"][np.concatenate(rows)]) > 0.8 * largest:
        return 1, max(size, 1), 1e-6
    gaps = np.concatenate([np.diff(time_s[each]) for each in rows])
    # What another packet came in between of may have waited for it, and not for its program.
    between = np.concatenate([np.diff(each) > 1 for each in rows])
    own = gaps[~between]
    least = max(float(np.median(own)), 1e-6) if len(own) > len(gaps) / 2 else 1e-6
    return parts, max(round(size / parts), 1), least


def exchange_candidates(facts: Facts) -> Iterator[Candidate]:
    """Propose systems for request and reply."""
    connection = facts.transfer.connection
    told = Dialogue.of(connection)
    near_is_client = connection.bulk_from_client
    rate = max(facts.pair_Bps * 8, 1000.0)
    rtt = max(_way_s(facts) - 2 * HEADERS_B * 8 / rate, 1e-6)
    server = told.to_reply_s - (rtt if near_is_client else 0.0)
    client = told.to_command_s - (0.0 if near_is_client else rtt)
    base = _base(facts, told) | {"rtt": f"{rtt:.9f}s"}
    server_time = of_exchange("server_time", max(server, 2e-6))
    client_time = of_exchange("client_time", max(client, 2e-6))
    line = of_exchange("path_rate", rate)
    times = {each.key: each.text(each.start) for each in (server_time, client_time)}
    larger = (server_time, client_time) if server >= client else (client_time, server_time)
    direct = {"client_nagle": "false", "server_nagle": "false"}
    fast = {"path_rate": f"{max(rate, 1e8):.0f}bps"}
    yield Candidate("request and reply", EXCHANGE, base | direct | fast, larger)
    if max(told.reply_B * told.reply_writes, told.text_B) > LARGE_TURN * facts.mss_B:
        # The near end's turn leaves at once, and the other end has it when the line has carried it.
        goodput_Bps = rate / 8 * facts.mss_B / (facts.mss_B + HEADERS_B)
        queued_s = _queued_s(connection, goodput_Bps) if facts.vantage.at == "sender" else 0.0
        starts = {"server_time": server, "client_time": client}
        starts["server_time" if near_is_client else "client_time"] -= queued_s
        behind = [of_exchange(key, max(start, 2e-6)) for key, start in starts.items()]
        fixed = base | direct | {each.key: each.text(each.start) for each in behind}
        free = max(behind, key=lambda each: each.start)
        yield Candidate("request and reply over a line", EXCHANGE, fixed, (line, free))
    held = base | fast | {"client_nagle": "true", "server_nagle": "true"}
    if told.end_B or told.echo:
        late = of_exchange("server_delayed_ack", max(server, 0.001))
        little = of_exchange("server_time", 1e-4)
        quick = held | {"server_time": "0.000010s", "client_time": times["client_time"]}
        yield Candidate("commands in two writes", EXCHANGE, quick, (little, client_time))
        timer = quick | {"server_ack_rule": "counted", "server_quick_acks": "0"}
        yield Candidate("commands in two writes, timer", EXCHANGE, timer, (late, little))
    if told.reply_writes > 1:
        late = of_exchange("client_delayed_ack", 0.04)
        yield Candidate("replies in several writes", EXCHANGE, held | times, larger[:1])
        timer = held | times | {"client_ack_rule": "counted", "client_quick_acks": "0"}
        yield Candidate("replies in several writes, timer", EXCHANGE, timer, (late, larger[0]))


def replay(facts: Facts) -> Iterator[Candidate]:
    """Propose the programs' own writes, which no ACK brought, over a path."""
    rtt = max(_way_s(facts), 1e-6)
    listed = turn_list(turns_of(facts.transfer.connection, rtt, facts.sees_writes))
    if not listed or facts.own_queue_s:  # which is no program's
        return
    line = of_exchange("path_rate", max(facts.pair_Bps * 8, 1000.0))
    end = "client" if facts.transfer.connection.bulk_from_client else "server"
    settings = _base(facts, Dialogue()) | {"rtt": f"{rtt:.9f}s", "turns": listed}
    if facts.lost:
        numbers = ",".join(map(str, facts.lost))
        settings["path_lost_packets" if end == "client" else "path_lost_packets_back"] = numbers
    if facts.first_flight_is_free:
        settings[f"{end}_initial_window"] = str(min(max(facts.first_flight, 10), 100))
    # Where ACKs are missing, what no ACK brought is not known: it imitates so many times as much.
    weight = SELDOM ** (2 if facts.misses_packets else 1)
    # What programs write at their pace is acknowledged at it: the line may carry more.
    wide = settings | {"path_rate": line.text(WIDE * line.start)}
    for nagle in facts.nagles:
        name = "programs" if nagle == "true" else "programs without Nagle"
        both = {"client_nagle": nagle, "server_nagle": nagle}
        yield Candidate(name, EXCHANGE, wide | both, (), weight)
        yield Candidate(f"{name}, line", EXCHANGE, settings | both, (line,), weight)


def _way_s(facts: Facts) -> float:
    """Return the round trip: the handshake's, but where data were acknowledged much sooner."""
    shake = facts.handshake_s
    return shake if shake and shake <= (1 + SLACK) * facts.rtt_s else facts.rtt_s


def _base(facts: Facts, told: Dialogue) -> dict[str, str]:
    """Return both hosts by their SYNs, and the sizes."""
    profile = host_profile(facts)
    found = profile_settings(profile, EXCHANGE, "client")
    found |= profile_settings(profile, EXCHANGE, "server")
    stamps = as_flag(facts.transfer.has_timestamps)
    near, far = ("client", "server") if facts.transfer.sender_is_client else ("server", "client")
    found[f"{far}_window"] = str(facts.window_B)
    if facts.first_window_B > 0.8 * facts.window_B:
        found[f"{far}_first_window"] = "0"
    found[f"{near}_send_buffer"] = send_buffer(facts, found[f"{near}_send_buffer"])
    mss = str(max(facts.transfer.offers[0].mss or 1460, 536))
    return found | {
        "link": "path",
        "client_mss": mss,
        "server_mss": mss,
        "path_mtu": str(max(1500, int(mss) + 40)),
        "client_timestamps": stamps,
        "server_timestamps": stamps,
        "client_window_scale": "auto",
        "server_window_scale": "auto",
        "commands": str(told.commands),
        "echo": as_flag(told.echo),
        "command_text": str(told.text_B),
        "command_end": str(told.end_B),
        "command_write_time": f"{min(told.gap_s, SOON_S):.9f}s",
        "reply_writes": str(told.reply_writes),
        "reply_write": str(told.reply_B),
        "reply_write_time": f"{told.reply_gap_s:.9f}s",
        "path_queue": "1000p",
        "stall_time": stall_time(facts),
    }
