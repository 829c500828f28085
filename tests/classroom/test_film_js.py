# SPDX-License-Identifier: GPL-2.0-only
"""The film that the page's script makes of a run says what the run did: windows, bytes in flight,
waits, steps; and the player's clock shortens waiting alone."""

import json
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from study.catalogue import systems
from study.classroom.films import Film, films, tables_of
from study.classroom.page import shortened
from study.classroom.page_units import Unit, read
from study.system.system import Result, System

from tests.front.scripts import NODE, in_node

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node")
SCRIPTS = ["words.js", "small.js", "film.js"]
# A stall: the device stops reading for a while, longer than the first probes wait.
STALLED = {"port_rate": "100kbps", "drain_pause_every": 20000, "drain_pause": "3s"}
JOBS = {
    "hawking": systems["hawking-hps1u"].with_(job_size=60_000),
    "telnet": systems["telnet-xp"].with_(commands=4),
    "stall with probes": systems["hawking-hps1u"].with_(job_size=60_000, **STALLED),
    "frame relay, one lost": systems["hawking-hps1u"].with_(
        link="frame-relay", job_size=200_000, receive_window=32_768, loss_to_branch=0.02
    ),
    "path, some lost": systems["http2-go"].with_(job_size=400_000, path_lost_packets="30,31,90"),
}


def ends_of(system: System) -> list[str]:
    return {"request-reply": ["client", "server"]}.get(system.scenario, ["host", "device"])


@pytest.fixture(scope="module")
def results(program: Path) -> dict[str, Result]:
    return {name: system.run(segments=True, waits=True) for name, system in JOBS.items()}


def whole(result: Result, system: System) -> Film:
    (made,) = films([tables_of(result, ends_of(system), (0, len(result.packets)))])
    return made | {"title": "whole"}


def asked(films: list[dict], code: str) -> object:
    made = "const films = data.map(filmOf);"
    return in_node(SCRIPTS, f"{made} const answer = (() => {{ {code} }})()", films)


@pytest.mark.parametrize("name", JOBS)
def test_the_waits_add_up_to_the_limits_of_the_record(results: dict, name: str):
    """To the microsecond that a film's instants are rounded to, each beginning of a wait once."""
    result = results[name]
    told = whole(result, JOBS[name])
    found: dict[str, int] = {}
    for (since, limit, _), (until, *_) in pairwise(told["waits"]):
        found[limit] = found.get(limit, 0) + until - since
    expected = {limit: time_s for limit, time_s in result.limits_s.items() if time_s}
    assert set(found) <= set(expected)
    counts = [limit for _, limit, _ in told["waits"]]
    for limit, time_s in expected.items():
        rounded = counts.count(limit) + 1
        assert found.get(limit, 0) == pytest.approx(time_s * 1e6, abs=rounded), limit


@pytest.mark.parametrize("name", JOBS)
def test_the_program_s_waits_add_up_to_the_nanosecond(results: dict, name: str):
    result = results[name]
    found: dict[str, int] = {}
    for wait, after in pairwise(result.waits):
        lasts_ns = round(after.from_s * 1e9) - round(wait.from_s * 1e9)
        assert lasts_ns > 0
        found[wait.limit] = found.get(wait.limit, 0) + lasts_ns
    assert result.waits[-1].limit == ""
    expected = {limit: round(time * 1e9) for limit, time in result.limits_s.items() if time}
    assert found == expected


@pytest.mark.parametrize("name", JOBS)
def test_in_flight_and_window_are_those_of_the_segment_table(results: dict, name: str):
    result = results[name]
    near = ends_of(JOBS[name])[0]
    stamps = [packet.time_s for packet in result.packets]
    moments = [(a + b) / 2 for a, b in pairwise(stamps) if b - a > 4e-6]
    found = asked(
        [whole(result, JOBS[name])],
        f"return {json.dumps([at * 1e6 for at in moments])}"
        ".map((at) => stateAt(films[0], at).sides[0]);",
    )
    for at_s, state in zip(moments, found, strict=True):
        before = [packet for packet in result.packets if packet.time_s < at_s]
        own = [p for p in before if p.sender == near]
        heard = [p for p in before if p.sender != near and p.ack is not None]
        end = max((p.seq + p.length for p in own if p.length), default=0)
        acked = max((p.ack for p in heard), default=0)
        window = next((p.window for p in reversed(heard) if p.ack == acked), 0)
        assert (state["inFlight"], state["window"]) == (max(0, end - acked), window), at_s


def test_the_send_buffer_holds_what_the_program_says(results: dict):
    result = results["hawking"]
    told = whole(result, JOBS["hawking"])
    moments = [wait.from_s * 1e6 + 1.5 for wait in result.waits[:-1]]
    found = asked(
        [told], f"return {json.dumps(moments)}.map((at) => stateAt(films[0], at).sides[0].held);"
    )
    assert max(found) > 10 * 2920  # far more than the window lets go
    expected = []
    for moment in moments:
        now = [wait for wait in result.waits if round(wait.from_s * 1e6) <= moment]
        expected.append(now[-1].buffers_B["host"])
    assert found == expected


@pytest.mark.parametrize("name", JOBS)
def test_a_packet_is_seen_from_its_leaving_to_its_arrival(results: dict, name: str):
    found = asked(
        [whole(results[name], JOBS[name])],
        """const [film] = films;
        const each = Math.ceil(film.packets.length / 200);
        const some = film.packets.filter((_, n) => n % each === 0);
        const places = (packets) => packets.map(({ place }) => place).sort((a, b) => a - b);
        const under = (at) => film.packets.filter(({ sent, came }) => sent <= at && at <= came);
        return some.flatMap(({ sent, came }) => [sent, (sent + came) / 2, came])
          .map((at) => [places(inView(film, at)), places(under(at))]);""",
    )
    assert found
    for seen, expected in found:
        assert seen == expected


def test_a_lost_packet_never_arrives_and_is_said_to_be_lost(results: dict):
    name = "path, some lost"
    result = results[name]
    assert sum(packet.lost for packet in result.packets) == 3
    said = asked(
        [whole(result, JOBS[name])],
        "return stepsOf(films, {}).flatMap(({ events }) => events.map(({ said }) => said()));",
    )
    assert len([each for each in said if each.endswith("is lost")]) == 3
    arrived = [each for each in said if each.endswith("arrives at device")]
    assert len(arrived) == sum(not p.lost for p in result.packets if p.sender == "host")


@pytest.mark.parametrize("name", JOBS)
def test_the_clock_runs_on_and_back_and_keeps_the_order(results: dict, name: str):
    found = asked(
        [whole(results[name], JOBS[name])],
        """const clock = clockOf(films);
        const steps = stepsOf(films, {}).map(({ at }) => at);
        return { total: clock.total, pauses: clock.pauses, shown: steps.map(clock.shown),
          back: steps.map((at) => clock.instant(clock.shown(at)) - at) };""",
    )
    shown = found["shown"]
    assert shown == sorted(shown)
    assert max(map(abs, found["back"])) < 1
    assert found["total"] > 0


def test_waiting_is_shortened_and_says_how_long_it_was(results: dict):
    """The Hawking's 115 ms in which nothing moves take less than four times as long on the screen
    as the 1.2 ms of a packet; side by side none is shortened in which the other one moves."""
    quick = JOBS["hawking"].with_(ack_latency="10ms")
    fast = quick.run(segments=True, waits=True)
    slow = whole(results["hawking"], JOBS["hawking"])
    code = """const clock = clockOf(films);
    const long = ({ from, until }) => [until - from, clock.shown(until) - clock.shown(from)];
    const packets = films.flatMap((film) => film.packets);
    const moves = (at) => packets.some(({ sent, came }) => sent < at && at < came);
    return { pauses: clock.pauses.map(long),
      broken: clock.pauses.some(({ from, until }) => moves((from + until) / 2)) };"""
    alone = asked([slow], code)
    longest_us, longest_s = max(alone["pauses"])
    assert longest_us > 110_000
    assert longest_s <= 2
    both = asked([slow, whole(fast, quick)], code)
    assert not both["broken"]
    assert len(both["pauses"]) > len(alone["pauses"])


@pytest.mark.parametrize("unit", read(), ids=lambda unit: unit.id)
def test_a_unit_s_film_is_of_its_run(unit: Unit, program: Path):
    """A few round trips: rows of the segment table, each end's in order, with the waits between the
    first and the last; what was known before them is what the rows before say."""
    point = Random(unit.id).choice(unit.points)
    near, far = unit.data["ends"]
    result = unit.system.with_(**shortened(unit, point)).run(segments=True, waits=True)
    (told,) = films([tables_of(result, [near, far])])
    rows = [(p.sender == near, p.seq, p.length, p.ack, p.window) for p in result.packets]
    shown = [
        (row[2] == 1, *row[3:5], None if row[5] < 0 else row[5], row[6]) for row in told["packets"]
    ]
    for side in (True, False):
        own = iter(row for row in rows if row[0] == side)
        assert all(row in own for row in shown if row[0] == side)  # in this order
    assert {row[0] for row in shown} == {True, False}
    stamps = {round(p.time_s * 1e6) for p in result.packets}
    near_us = [row[0] if row[2] else row[1] for row in told["packets"]]
    origins = [
        o for o in stamps if all({o + at - 1, o + at, o + at + 1} & stamps for at in near_us)
    ]
    assert origins
    assert len(shown) <= 3 * 32
    named = {limit for _, limit, _ in told["waits"] if limit}
    assert named and named <= set(result.limits_s)


def test_a_film_is_of_the_middle_of_a_job_where_no_ack_is_withheld_too(program: Path):
    """Each command came behind an ACK of the client's own, and none was taken for a beginning: the
    film was of the handshake."""
    system = systems["telnet-xp"].with_(commands=50, client_nagle=False, server_nagle=False)
    result = system.run(segments=True, waits=True)
    (made,) = films([tables_of(result, ends_of(system))])
    assert not any("S" in str(packet[8:]) for packet in made["packets"])
    assert 200 < made["begin"][0][0] < 500  # of the 600 bytes that the client sends
