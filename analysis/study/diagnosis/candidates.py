# SPDX-License-Identifier: GPL-2.0-only
"""Candidate systems: from the facts of a capture a few systems that could give its packets, each
with one or two free numbers that begin at simple arithmetic. A proposal is no verdict."""

from collections.abc import Iterator
from math import log2

import numpy as np

from study.diagnosis.candidate import PRINT_JOB, SELDOM, WIDE, Candidate, Free
from study.diagnosis.facts import FULL, SLACK, SOON_S, Facts
from study.diagnosis.fit import STEPS
from study.diagnosis.readers import readers
from study.diagnosis.vantage import LEAST_SEEN
from study.kit.wire import HEADERS_B, PATH_HEADERS_B, RFC_ACKS
from study.programs.declaration import declaration
from study.programs.values import SECOND, smallest
from study.system.hosts import hosts

MEMORY = 1.5  # times its data, what a send buffer of Linux counts; who sets it takes a power of 2
LEAST_OVERRIDE_S = 0.1  # RFC 1122, 4.2.3.4
FEW_SEGMENTS = 8  # in flight: more bring ACKs of their own accord


def host_profile(facts: Facts) -> str:
    """Return the profile of a host whose SYN looks like the sender's."""
    offer = facts.transfer.offers[0]
    if facts.transfer.has_timestamps or (offer.seen and offer.timestamps):
        return "linux-6"
    if offer.seen and offer.sack and offer.window_scale is not None:
        return "windows-11"
    if offer.seen and offer.sack:
        return "windows-xp"
    return "linux-6" if not offer.seen else "linux-2.2"


def profile_settings(profile: str, scenario: str, end: str) -> dict[str, str]:
    """Return what a host profile sets at one end."""
    return {key: each.text for key, each in hosts[profile].settings(scenario, end).items()}


def _base(facts: Facts) -> dict[str, str]:
    """Return what all candidates of a bulk transfer have: the facts, and behind them host
    profiles."""
    host = profile_settings(host_profile(facts), PRINT_JOB, "host")
    device = profile_settings("linux-6", PRINT_JOB, "device")
    sender, receiver = facts.transfer.offers
    stamps = as_flag(facts.transfer.has_timestamps)
    usual = facts.mss_B + facts.transfer.options_B
    mss = sender.mss if sender.seen and sender.mss else usual
    mss = min(mss, usual) if usual >= 536 else mss
    window, first = facts.window_B, facts.first_window_B
    total = facts.transfer.total_B
    told = {
        "link": "path",
        "protocol": "raw",
        "mss": str(mss),
        "device_mss": str(receiver.mss if receiver.seen and receiver.mss else max(mss, 536)),
        "path_mtu": str(max(1500, mss + 40)),
        "host_timestamps": stamps,
        "device_timestamps": stamps,
        "host_sack": as_flag(sender.sack or not sender.seen),
        "device_sack": as_flag(receiver.sack or not receiver.seen),
        "host_window_scale": "auto",
        "device_window_scale": "auto" if window > 65535 else "none",
        "receive_window": str(window),
        "device_first_window": str(first) if first < 0.8 * window else "0",
        "job_size": str(total),
        "first_write": "16777216",
        "write_size": "16777216",
        "write_time": "1us",
        "think_time": "1us",
        "reply_time": "15us",
        "segment_time": "1us",
        "ack_latency": "15us",
        "syn_ack_latency": "15us",
        "path_queue": "1000p",
        "stall_time": stall_time(facts),
    }
    # No segment waits for Nagle's algorithm; and the rest of a cut job does not end it.
    if facts.has_no_nagle or facts.transfer.connection.whole is not None:
        told["nagle"] = "false"
    if facts.lost_syns:  # whose timeout doubles in a run: all of them take as long
        syns_s = facts.transfer.time_s[facts.transfer.client_syns]
        first_s = float(syns_s[-1] - syns_s[0]) / (2**facts.lost_syns - 1)
        told["initial_rto"] = Free("initial_rto", first_s).text(first_s)
        told["path_lost_packets"] = ",".join(map(str, range(1, facts.lost_syns + 1)))
    override_s = _override_s(facts)
    if override_s:
        told["override_timeout"] = Free("override_timeout", override_s).text(override_s)
    found = {**host, **device, **told}
    found["send_buffer"] = send_buffer(facts, found["send_buffer"])
    if facts.begins_inside:
        found["initial_window"] = str(min(max(-(-facts.usual_flight_B // facts.mss_B), 1), 1000))
    elif facts.first_flight_is_free and facts.lost_syns < 2:  # or they decide
        found["initial_window"] = str(max(min(facts.first_flight, 100), 1))
    return found


def _override_s(facts: Facts) -> float:
    """Return how long the sender left a window of less than a segment unused, before it filled it;
    0 where it never did."""
    transfer = facts.transfer
    data, acks = transfer.data, transfer.acks
    place = np.searchsorted(acks, data.row) - 1
    is_fill = (data.length < facts.mss_B) & (transfer.room_B == 0) & (place >= 0)
    waits_s = data.time_s[is_fill] - transfer.time_s[acks[place[is_fill]]]
    waits_s = waits_s[waits_s >= LEAST_OVERRIDE_S]
    return float(np.median(waits_s)) if len(waits_s) else 0.0


def send_buffer(facts: Facts, usual: str) -> str:
    """Return a host's usual send buffer; the window where the flight shows that it was larger."""
    return str(max(facts.window_B, facts.flight_B)) if facts.flight_B > int(usual) else usual


def stall_time(facts: Facts) -> str:
    """Return how long nothing may be acknowledged in a run: a program's pause is no stall."""
    return f"{max(_default_s('stall_time'), 2 * facts.transfer.connection.duration_s):.0f}s"


def _default_s(key: str) -> float:
    parameter = declaration(PRINT_JOB).parameter(key)
    return smallest(parameter, parameter.default) / SECOND


def _counted(facts: Facts) -> dict[str, str]:
    """Return the receiver's ACK rule by what its ACKs cover; empty where they are few."""
    answers = facts.transfer.answers
    per = answers.segments
    if len(per) < LEAST_SEEN:
        return {}
    single = np.append(np.flatnonzero(per > 1), len(per))[0]  # at the start
    usual = int(np.median(per))
    if usual > RFC_ACKS:  # which no host counts, but a reader or a line brings about
        return {}
    found = {"device_ack_rule": "counted", "device_quick_acks": str(min(single, 100))}
    found |= {"ack_frequency": str(max(usual, 1)), "ack_pushed": "true"}
    wait_s = answers.since_last_s[-1] - facts.data_rtt_s
    # A last segment that is fewer than usual waits for the timer (RFC 9293, 3.8.6.3).
    latest_s = _default_s("delayed_ack_timeout")
    if per[-1] < usual and answers.clean[-1] and facts.data_rtt_s < wait_s <= latest_s:
        timer = Free("delayed_ack_timeout", float(wait_s))
        found |= {"delayed_ack_timeout": timer.text(wait_s), "ack_pushed": "false"}
    return found


def as_flag(value: bool) -> str:
    """Return it as a flag takes it."""
    return "true" if value else "false"


def candidates(facts: Facts) -> Iterator[Candidate]:
    """Propose systems for a bulk transfer."""
    base = _base(facts)
    counted = _counted(facts)
    rate = max(facts.line_Bps * 8, 1000.0)
    rtt = max(facts.way_s, 1e-6)
    # The line may carry more than the whole transfer shows: what its close ACKs do, or less.
    close = max(facts.pair_Bps / facts.line_Bps, 1.0)
    more = tuple(close**part for part in (1, 2 / 3, 1 / 3)) if close > STEPS[-1] else (close,)
    line = Free("path_rate", rate, more)
    if facts.has_return_queue:
        line, ahead = _return_line(facts, rate), line.text(WIDE * rate)
        base |= {"path_rate": ahead}
    way = Free("rtt", rtt)
    lost = facts.lost
    lossy = base | ({"path_lost_packets": ",".join(map(str, lost))} if lost else {})
    yield Candidate("path", PRINT_JOB, lossy, (line, way))
    if counted:
        yield Candidate("path, counted ACKs", PRINT_JOB, lossy | counted, (line, way))
    fixed_way = {"rtt": way.text(rtt)}
    plain, base, lossy = lossy | fixed_way, base | counted | fixed_way, lossy | counted
    if facts.may_have_return_queue:
        wide = {"path_rate": line.text(WIDE * rate)}
        numbers = (_return_line(facts, rate), way)
        yield Candidate("return line", PRINT_JOB, lossy | wide, numbers, SELDOM)
    # What leaves between ACKs may be paced.
    may_pace = facts.bursts.share > 0 or facts.vantage.at != "sender"
    controls = ("reno", "bbr") if lost else ("bbr",) if may_pace else ()
    for control in controls:
        yield Candidate(
            f"path, {control}", PRINT_JOB, lossy | {"congestion_control": control}, (line, way)
        )
    if lost:
        queue = Free("path_queue", max(facts.flight_B / (facts.mss_B + HEADERS_B) / 2, 4.0))
        yield Candidate("queue", PRINT_JOB, base, (line, queue))
        reno = base | {"congestion_control": "reno"}
        yield Candidate("queue, reno", PRINT_JOB, reno, (line, queue))
    lossy = lossy | fixed_way
    usual = facts.usual_window_B
    if usual < facts.window_B:  # which is told once or twice, as where memory is counted
        told = Free("receive_window", float(usual))
        yield Candidate("path, usual window", PRINT_JOB, lossy, (told, line))
    # A flight that stays below the window: the send buffer's.
    if facts.leaves_room:
        size = Free("send_buffer", float(facts.usual_flight_B), low=facts.mss_B)
        plainly = lossy | {"send_buffer_rule": "bytes", "send_buffer_grows": "false"}
        yield Candidate("send buffer", PRINT_JOB, plainly, (size, line))
        linux = plainly | {"send_buffer_rule": "linux"}
        yield Candidate("send buffer of Linux", PRINT_JOB, linux, (size, line))
        if facts.write_B > 0:
            memory = 2.0 ** round(log2(MEMORY * facts.usual_flight_B))
            size = Free("send_buffer", memory, (0.5, 1.0, 2.0))
            writes = _writes_of(facts.write_B) | {"write_returns": "all-fits"}
            name = "send buffer of Linux, writes"
            yield Candidate(name, PRINT_JOB, linux | writes, (size, line))
    yield from _late_acks(facts, lossy, line)
    yield from readers(facts, plain, line)
    yield from _writers(facts, lossy, line)


def _writes_of(size_B: int) -> dict[str, str]:
    return {"first_write": str(size_B), "write_size": str(size_B)}


def _return_line(facts: Facts, rate: float) -> Free:
    """Return the line back, which carries an ACK in the time in which the data that it acknowledges
    come at `rate`, in bit/s with headers."""
    segments = max(float(np.median(facts.transfer.answers.segments)), 1.0)
    covered_B = segments * (facts.mss_B + HEADERS_B)
    ack_B = PATH_HEADERS_B + facts.transfer.options_B
    return Free("path_rate_back", rate * ack_B / covered_B)


def _late_acks(facts: Facts, base: dict, line: Free) -> Iterator[Candidate]:
    """Yield a device that answers late, or withholds its ACKs: with few segments in flight, or with
    one ACK for most of them."""
    late = facts.data_rtt_s - facts.rtt_s
    few = facts.flight_B <= FEW_SEGMENTS * facts.mss_B
    per = facts.transfer.answers.segments
    at_once = len(per) and 2 * np.median(per) * facts.mss_B >= facts.usual_flight_B
    if not (few or at_once) or late <= max(2 * SOON_S, SLACK * facts.rtt_s):
        return
    settings = base | {"device_ack_rule": "counted", "device_quick_acks": "0"}
    settings["path_rate"] = line.text(facts.pair_Bps * 8)
    if facts.leaves_room:
        settings |= {"send_buffer": str(facts.usual_flight_B), "send_buffer_rule": "bytes"}
        settings["send_buffer_grows"] = "false"
    slow = Free("ack_latency", late)
    once = settings | {"ack_frequency": "0"}
    yield Candidate("slow ACK", PRINT_JOB, once, (slow,))
    yield Candidate("slow ACK, line", PRINT_JOB, once, (slow, line))
    timer = Free("delayed_ack_timeout", late)
    never = {"ack_frequency": "255", "ack_pushed": "false"}
    yield Candidate("withheld ACK", PRINT_JOB, settings | never, (timer,))


def _writers(facts: Facts, base: dict, line: Free) -> Iterator[Candidate]:
    """Yield a program that writes at its own pace, where waits that no ACK ended are much of the
    time."""
    # What is written at a pace is acknowledged at it: the line may carry more.
    wide = {"path_rate": line.text(WIDE * facts.pair_Bps * 8)}
    pieces = facts.transfer.pieces.length
    small = pieces[pieces < FULL * facts.wire_mss_B]
    if len(pieces) and len(small) > len(pieces) / 2:
        # Held until an ACK, as Nagle's algorithm holds what is not a whole segment.
        goodput = facts.transfer.total_B / max(facts.transfer.until_acknowledged_s, 1e-6)
        size = max(int(small.min()), 1)
        every = Free("write_time", size / goodput)
        settings = base | wide | _writes_of(size) | {"nagle": "true"}
        settings |= {"mss": str(facts.wire_mss_B + facts.transfer.options_B)}
        yield Candidate("small writes", PRINT_JOB, settings, (every,))
    bursts = facts.bursts
    if bursts.share < 0.3 or bursts.every_s <= 0 or facts.own_queue_s:
        return
    settings = base | {"write_returns": "all-fits"} | _writes_of(max(round(bursts.size_B), 1))
    every = Free("write_time", bursts.every_s)
    close = Free("path_rate", facts.pair_Bps * 8)
    for nagle in facts.nagles:
        name = "application" if nagle == "true" else "application without Nagle"
        yield Candidate(name, PRINT_JOB, settings | wide | {"nagle": nagle}, (every,))
    yield Candidate("application, line", PRINT_JOB, settings, (every, close))
