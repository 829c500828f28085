# SPDX-License-Identifier: GPL-2.0-only
"""Thresholds of the diagnosis on both of their sides, each with its number: one that is moved is
red here."""

from dataclasses import replace
from math import log
from types import SimpleNamespace

import numpy as np
import pytest
from by_hand import by_hand
from study.captures.connection import ACK, PACKET
from study.diagnosis import compare, diagnosis, fit, near, printed, synthesis, tried_reliefs
from study.diagnosis.bench import Bench
from study.diagnosis.byte_curves import of_connection
from study.diagnosis.candidate import Candidate, Free
from study.diagnosis.candidates import candidates
from study.diagnosis.exchanges import exchange_candidates, is_exchange, replay
from study.diagnosis.facts import Fact, Facts
from study.diagnosis.fit import Fitted
from study.diagnosis.listing import Lines
from study.diagnosis.sentence import sentence
from study.diagnosis.stretch import beginning
from study.diagnosis.told import facts_told
from study.diagnosis.transfer import Transfer

from tests.diagnosis.test_curves import transfer
from tests.diagnosis.test_exchanges import talk
from tests.diagnosis.test_facts import AT_SENDER, SIZE, facts_of, names, paced
from tests.diagnosis.test_spurious import ROUND_MS, answer, data, job


def acks_after_a_pause(count):
    rows = [(n / 100, True, 1 + n * SIZE, SIZE, 1, 65535, ACK) for n in range(count)]
    rows += [(1000 + n, False, 1, 0, 1 + (n + 1) * SIZE, 65535, ACK) for n in range(count)]
    return Facts(Transfer(by_hand(rows, SIZE)), AT_SENDER)


def memory_of(flight_B):
    found = facts_of(per_flight=4, window=60_000)
    found.__dict__.update(usual_flight_B=flight_B, write_B=SIZE)
    writes = next(each for each in candidates(found) if each.name.endswith("Linux, writes"))
    return writes.at({})["send_buffer"]


def shut(shuts):
    """Windows that close so many times."""
    rows = []
    for n in range(12):
        rows.append((100.0 * n, True, 1 + n * SIZE, SIZE, 1, 65535, ACK))
        window = 0 if n < shuts else SIZE
        rows.append((100.0 * n + 40, False, 1, 0, 1 + (n + 1) * SIZE, window, ACK))
    return Facts(Transfer(by_hand(rows, SIZE)), AT_SENDER)


def rates_of_lines():
    """The ratio of the wide line to the other one."""
    found = {each.name: each.at({})["path_rate"] for each in candidates(shut(3))}
    wide, dry = (float(found[name].removesuffix("bps")) for name in ("drain, wide line", "drain"))
    return round(wide / dry, 3)


def line_is_proposed(segments):
    found = Facts(Transfer(talk([[SIZE] * segments + [1]] * 6)), AT_SENDER)
    return "request and reply over a line" in [each.name for each in exchange_candidates(found)]


@pytest.mark.parametrize(
    ("what", "below", "above"),
    [
        (lambda ms: paced(ms, SIZE, "sender").bursts.share > 0, 0.29, 0.31),  # SENDER_SOON_S
        (lambda acks: acks_after_a_pause(acks).line_Bps > 1e5, 6, 7),  # ACKS_OF_RATE
        (lambda acked: "path, counted ACKs" not in names(facts_of(12, acked)), 2, 3),  # RFC_ACKS
        (lambda flight_B: memory_of(flight_B) == "65536", 30_583, 31_239),  # MEMORY
        (lambda turns: is_exchange(talk([[300]] * 3, turns)), 2, 4),  # most bytes are in one
        (line_is_proposed, 2, 3),  # LARGE_TURN, and a byte
    ],
    ids=["own reaction", "rate", "ACK rule", "memory", "turns", "large turn"],
)
def test_what_facts_propose(program, what, below, above):
    assert (what(below), what(above)) == (False, True)


def test_a_line_is_wider_than_its_acks_by_a_factor(program):
    assert rates_of_lines() == 4


def test_a_list_of_writes_counts_as_farther(program):
    found = Facts(Transfer(talk([[300]] * 6)), AT_SENDER)
    ranks = {Fitted(each, {}, 0.01, None).rank for each in replay(found)}
    assert len(ranks) == 1 and ranks.pop() == pytest.approx(0.015)  # SELDOM


class Fake:
    """A bench whose runs are their settings."""

    def run(self, _scenario, points, _view):
        return [dict(point) for point in points]


def fitted(monkeypatch, far, count=1, free=True):
    """Fit candidates that are as far away as they say; none has a nearest place."""
    monkeypatch.setattr(fit, "apart", lambda _, run: far(run))
    numbers = (Free("receive_window", 1e6),) if free else ()
    proposed = [Candidate(f"{n}", "print-job", {"n": n}, numbers) for n in range(count)]
    return fit.fit(Fake(), SimpleNamespace(view=lambda _: None), proposed)


def test_a_fit_takes_so_many_runs_of_so_many_candidates(program, monkeypatch):
    _, tried = fitted(monkeypatch, lambda run: 1 + run["n"] + 1e-9 * int(run["receive_window"]), 7)
    runs = [sum(each.candidate.name == f"{n}" for each in tried) for n in range(7)]
    assert runs == [3 + 16] * 5 + [3] * 2  # RUNS, FITTED
    logs = [log(each.values["receive_window"] / 1e6) for each in tried[:3]]
    assert sorted(logs) == pytest.approx([-log(1.25), 0, log(1.25)])  # STEPS
    moved = [each.values["receive_window"] for each in tried if each.candidate.name == "0"][3:5]
    assert log(moved[1] / moved[0]) == pytest.approx(0.15)  # STEP


@pytest.mark.parametrize(("far", "runs"), [(0.0009, 3), (0.0011, 3 + 16)])
def test_what_is_close_is_not_fitted(program, monkeypatch, far, runs):
    def at(run):
        return far + 1e-12 * abs(int(run["receive_window"]) - 1e6)

    assert len(fitted(monkeypatch, at)[1]) == runs


@pytest.mark.parametrize(("times", "first"), [(1.019, "0"), (1.021, "1")])
def test_of_candidates_that_fit_alike_the_first_is_taken(monkeypatch, times, first):
    found, _ = fitted(monkeypatch, lambda run: (times, 1.0)[run["n"]], 2, free=False)
    assert found[0].candidate.name == first


@pytest.mark.parametrize(("used_s", "over"), [(19.9, False), (20.1, True)])
def test_all_runs_have_so_much_time(used_s, over):
    assert Bench(_programs={"a": SimpleNamespace(cpu_s=used_s)}).is_over == over


@pytest.mark.parametrize(("takes_s", "said"), [(1.4, b"{}"), (1.6, b"")])
def test_one_run_has_so_much_time(monkeypatch, takes_s, said):
    class Program:
        cpu_s = 0.0

        def answers(self, lines, most_s):
            yield [b"{}"] if takes_s <= most_s else []

        def kill(self):
            pass

    bench = Bench(_programs={"a": Program()})
    monkeypatch.setattr(bench, "_program", lambda _: bench._programs["a"])
    assert bench._answers("a", ["b"]) == [said]


@pytest.mark.parametrize(("takes_s", "ends"), [(59.0, True), (61.0, False)])
def test_the_one_run_of_a_comparison_has_a_minute(monkeypatch, takes_s, ends):
    connection = facts_of().transfer.connection
    run = SimpleNamespace(curves=of_connection(connection, False), limits_s={})

    class Slow(Bench):
        def run(self, *_):
            return [run if takes_s <= min(self.seconds, self.point_s) else None]

    monkeypatch.setattr(compare, "Bench", Slow)
    system = SimpleNamespace(
        name="a", scenario="print-job", settings={}, changes={}, run=lambda: None
    )
    if ends:
        assert compare.compare(system, connection).distance == 0
    else:
        with pytest.raises(compare.StudyError, match="does not end"):
            compare.compare(system, connection)


@pytest.mark.parametrize(("part", "tried"), [(0.049, 0), (0.051, 1)])
def test_a_limit_with_little_of_the_time_is_not_tried(monkeypatch, part, tried):
    monkeypatch.setattr(tried_reliefs, "changes", lambda *_: [{"nagle": "false"}])
    bench = SimpleNamespace(
        run=lambda _, points, __: [SimpleNamespace(record={"duration_s": 1.0})] * len(points)
    )
    found = tried_reliefs.reliefs(bench, "print-job", {}, {"link": part, "nagle": 1 - part})
    assert len(found) == 1 + tried


def answer_of(away, run=None, curves=None):
    best = Fitted(Candidate("a", "print-job", {}), {}, away, run)
    return synthesis.Answer(curves, False, (best,), (), None)


@pytest.mark.parametrize(
    ("away", "times", "fits"),
    [(0.149, 1.0, True), (0.151, 1.0, False), (0.1, 1.99, True), (0.1, 2.01, False)],
)
def test_so_far_away_nothing_fits(away, times, fits):
    """Or where it is twice as fast, or half as fast."""
    for rate in (times, 1 / times):
        run, curves = (SimpleNamespace(rate_Bps=each) for each in (rate, 1.0))
        assert answer_of(away, SimpleNamespace(curves=run), curves).fits == fits


@pytest.mark.parametrize(("late", "part"), [(3.5, False), (5.5, True)])
def test_transfers_part_by_a_fraction_of_all_bytes(late, part):
    """Of a hundred segments."""
    one, other = transfer(0.01), transfer(0.01)
    other.curves[0].time_s[1:] += late * 0.01
    assert (answer_of(0.0, SimpleNamespace(curves=other), one).parting_s is not None) == part


def said(gain=0.0, confidence=2.0, farther=0.1):
    run = SimpleNamespace(limits_s={"link": 1.0})
    best, rival = SimpleNamespace(rank=0.1), SimpleNamespace(run=run, rank=0.1 + farther)
    return sentence(
        SimpleNamespace(
            main="nagle", limit="nagle", limits_s={"nagle": 1.0}, fits=True,
            best=best, curves=SimpleNamespace(rate_Bps=1.0, duration_s=1.0), tells=lambda _: True,
            reliefs=[tried_reliefs.Relief("nagle", {}, gain)], confidence=confidence,
            rival=rival, ranges={"nagle": (gain, gain)},
        )
    )  # fmt: skip


def test_a_sentence_has_a_gain_and_a_rival_that_are_near_enough():
    assert "eased" in said(gain=0.011) and "eased" not in said(gain=0.009)  # SHOWN
    assert "fits as well" in said(confidence=1.049)  # NAMED_TOGETHER
    assert "fits as well" not in said(confidence=1.051)
    assert "fits as well" in said(farther=9.9e-4)  # CLOSE
    assert "fits as well" not in said(farther=10.1e-4)


def test_a_screen_has_so_many_facts_limits_and_packets(program):
    connection = facts_of().transfer.connection
    limits_s = {f"{n}": 0.011 for n in range(9)}
    found = SimpleNamespace(
        capture="a", connections=Lines([connection]), place=0, vantage=AT_SENDER, notes=(),
        facts=[Fact("a", n, "", f"fact {n}") for n in range(9)], full=False, answer=None,
        limits_s=limits_s | {"much": 1 - sum(limits_s.values())},
    )  # fmt: skip
    assert printed.facts_text(found).count("fact ") == 7  # MOST_FACTS
    assert len(list(printed._budget(found))) == 1 + 5  # FEW
    found.limits_s = {"little": 0.0099, "some": 0.0101, "much": 0.98}
    told = list(printed._budget(found))
    assert len(told) == 3 and "little" not in "".join(told)  # SHOWN
    told = next(each for each in facts_told(shut(6)) if each.name == "zero_windows")
    assert told.value == 6 and len(told.packets) == 5


@pytest.mark.parametrize(("after_ms", "lost"), [(49, []), (51, [3])])
def test_an_answer_that_comes_sooner_than_half_a_round_trip_is_the_first_copy_s(after_ms, lost):
    def middle(start):
        again = start + 350
        return [data(again, 3), answer(again + after_ms, 4), data(again + 60, 4),
                answer(again + 60 + ROUND_MS, 5)]  # fmt: skip

    assert lost_of(middle) == lost


@pytest.mark.parametrize(("after_ms", "lost"), [(830, []), (850, [3])])
def test_a_second_answer_comes_within_twice_the_time_of_the_first(after_ms, lost):
    def middle(start):
        again = start + 350
        late = again + after_ms
        return [data(again, 3), answer(again + 70, 4), answer(late, 4), data(late + 10, 4),
                answer(late + 10 + ROUND_MS, 5)]  # fmt: skip

    assert lost_of(middle) == lost


def lost_of(middle):
    found = job(middle)
    return [(int(each) - 1) // SIZE for each in found.packets["seq"][found.lost_rows]]


@pytest.mark.parametrize(("packets", "cut"), [(1 << 18, False), ((1 << 18) + 1, True)])
def test_so_many_packets_are_read_for_facts(packets, cut):
    many = replace(facts_of().transfer.connection, packets=np.zeros(packets, PACKET))
    assert (beginning(many) is not many) == cut


@pytest.mark.parametrize(("away", "asked"), [(0.024, False), (0.026, True)])
def test_phases_are_looked_for_where_no_one_system_gives_the_whole(monkeypatch, away, asked):
    looked = []
    monkeypatch.setattr(diagnosis, "phases_of", lambda seen: looked.append(seen) or [])
    seen = facts_of().transfer.connection
    found = diagnosis.Diagnosis("a", (), 0, seen, seen, AT_SENDER, ())
    found.__dict__["answer"] = answer_of(away)
    assert found.phases == [] and bool(looked) == asked


def test_a_pause_that_another_limit_hides_is_moved_far(program, monkeypatch):
    monkeypatch.setattr(fit, "apart", lambda *_: 0.0)
    best = Fitted(Candidate("a", "request-reply", {"reply_write_time": "1ms"}), {}, 0.0, None)
    target = SimpleNamespace(view=lambda _: None)
    moved = {each.settings["reply_write_time"] for each in near._moved(Fake(), target, best)}
    assert {"3ms", "10ms", "100ms", "2s", "500ns"} <= moved and len(moved) == 8


@pytest.mark.parametrize(
    ("gain", "farther", "limit", "first"),
    [
        (0.049, 1.99, "receive_window", "b"),
        (0.051, 1.99, "receive_window", "a"),  # SHARE
        (0.049, 2.01, "receive_window", "a"),  # NEAR
        (0.049, 1.99, "client_application", "a"),
    ],
)
def test_writes_that_nothing_makes_faster_are_passed_over(monkeypatch, gain, farther, limit, first):
    def fitted(name, distance):
        candidate = SimpleNamespace(name=name, scenario="print-job")
        run = SimpleNamespace(limits_s={limit: 1.0})
        return SimpleNamespace(
            candidate=candidate, distance=distance, settings={"turns": name}, run=run
        )

    gains = {"a": gain, "b": 1.0}

    def eased_of(_bench, _scenario, settings, _limits_s):
        return [tried_reliefs.Relief("link", {}, gains[settings["turns"]])]

    monkeypatch.setattr(synthesis, "reliefs", eased_of)
    found, eased = synthesis._with_a_cause(None, [fitted("a", 0.01), fitted("b", 0.01 * farther)])
    assert found[0].candidate.name == first and len(found) == 2
    assert eased[0].gain == gains[first]
