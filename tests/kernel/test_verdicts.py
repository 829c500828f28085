# SPDX-License-Identifier: GPL-2.0-only
"""How the diagnosis of captures of known cause is judged: the table as it is kept, and that those
captures which are kept say the same again, without a namespace."""

import shutil
from pathlib import Path

import pytest
from study import systems
from study.base.errors import StudyError
from study.base.project import ROOT
from study.diagnosis.diagnosis import diagnose
from study.diagnosis.near import TELLS
from study.kernel import DIAGNOSIS, KEPT, capture_cases, cases, verdicts
from study.kernel.capture_cases import SIDES
from study.kernel.case_changes import changes
from study.kernel.transfers import Point
from study.kit.systems import load

MOST_KEPT_B = 200_000
KEPT_CASES = [each for each in cases.cases() if each.is_kept]


@pytest.fixture(scope="module")
def rows() -> dict[tuple[str, str], dict[str, str]]:
    return {(row["case"], row["when"]): row for row in verdicts.read()}


def kept(case: cases.Case, when: str) -> Path:
    sender = "client" if case.before.is_from_client else "server"
    return KEPT / capture_cases.name_of(case, when, sender)


def test_every_case_has_two_rows_and_no_machine_is_named(rows):
    assert list(rows) == [(each.name, when) for each in cases.cases() for when in SIDES]
    for each in cases.cases():
        told = [(rows[each.name, when]["made"], rows[each.name, when]["cause"]) for when in SIDES]
        assert told == [(each.made, " or ".join(all_)) for all_ in (each.causes, each.causes_then)]
    assert str(ROOT) not in DIAGNOSIS.read_text()


def test_verdicts_follow_from_the_numbers(rows):
    for row in rows.values():
        assert row["right"] == ("yes" if row["found"] in row["cause"].split(" or ") else "no")
        if row["off_pct"]:
            off_pct = 100 * (float(row["simulated_Bps"]) / float(row["measured_Bps"]) - 1)
            assert float(row["off_pct"]) == pytest.approx(off_pct, abs=0.01)
            off, low, high = (float(row[key] or 0) for key in ("off_pct", "low_pct", "high_pct"))
            within = abs(off) <= verdicts.WHAT_IF_PCT
            holds = "yes" if within else "inside" if low < 0 < high else "no"
            if (100 + high) / (100 + low) > TELLS:
                holds = "refused"
            assert row["holds"] == holds, row
        else:
            assert row["note"], row


@pytest.mark.parametrize("case", KEPT_CASES, ids=lambda each: each.name)
def test_a_kept_case_is_judged_again_as_the_table_says(rows, case: cases.Case):
    """What its captures show, and what its system says of the change; what the other end saw is not
    kept."""
    table = [rows[case.name, when] for when in SIDES]
    again: list[dict] = []
    seen = []
    for when, row in zip(SIDES, table, strict=True):
        found = diagnose(kept(case, when))
        facts = capture_cases.Facts("", float(row["duration_s"]), 0, 0, "", {})
        seen.append(verdicts.Seen(facts, found, None))
        again.append(verdicts._found(dict(row), seen[-1]))
        del again[-1]["other_end_found"]
    verdicts._simulate(case, again, *seen)
    for made, row in zip(again, table, strict=True):
        assert made == {key: row[key] for key in made}


def test_the_kept_captures_are_small_and_carry_no_payload():
    files = sorted(KEPT.iterdir())
    assert sum(each.stat().st_size for each in files) < MOST_KEPT_B
    assert files == sorted(kept(each, when) for each in KEPT_CASES for when in SIDES)


def case_of(change: dict, **before: object) -> cases.Case:
    given = {"command_text": 9000, **before}
    first = Point("a", "test", given, "")
    second = Point("a", "test", given | change, "")
    return cases.Case("a", "after the rules", first, second, change, ("link",), ("link",))


def test_a_change_is_said_in_the_words_of_the_system():
    bulk, asking = systems["http2-go"], systems["telnet-ubuntu"]
    assert changes(case_of({"window": 9}), bulk, 8) == {"receive_window": 8}
    assert changes(case_of({"window": 9}), asking, 8) == {"server_window": 8}
    wide = changes(case_of({"window": 99999}), bulk, 80000)
    assert wide["device_window_scale"] == wide["host_window_scale"] == "auto"
    assert changes(case_of({"rtt": "5ms"}), bulk, 8) == {"rtt": "5ms"}
    assert changes(case_of({"losses": []}, losses=[4]), bulk, 8)["path_lost_packets"] == ""
    with pytest.raises(StudyError, match="request-reply has nothing for read pause"):
        changes(case_of({"read_pause": "5ms"}), asking, 8)


def test_a_buffer_is_changed_in_the_proportion_that_the_kernel_was_asked_for():
    bulk = systems["imagen-v3"]
    own = float(bulk.settings["send_buffer"].value)
    case = case_of({"so_sndbuf": 3000}, so_sndbuf=1000)
    assert changes(case, bulk, 8) == {"send_buffer": 3 * own}


def test_a_reader_that_is_seen_to_pause_pauses_in_the_proportion(program, tmp_path):
    path = tmp_path / "pauses.toml"
    path.write_text(
        'title = "a"\nscenario = "print-job"\n[parameters]\n'
        'drain_pause = { value = 50, unit = "ms", basis = "fitted", source = "a" }\n'
    )
    case = case_of({"read_time": "20ms"}, read_time="80ms")
    assert changes(case, load(path), 8) == {"drain_pause": "12.5ms"}


def test_what_fails_is_a_miss_that_says_why(monkeypatch):
    """Only a change that the model has not is refused."""
    facts = capture_cases.Facts(
        "client", 1, 0, 0, "Linux", {"rwnd_limited_us": 5, "sndbuf_limited_us": 6}
    )
    monkeypatch.setattr(capture_cases, "facts", lambda *_: facts)

    def fail(*_):
        raise StudyError("no data")

    monkeypatch.setattr(verdicts, "diagnose", fail)
    for row in verdicts.case_rows(KEPT_CASES[0]):
        assert (row["right"], row["holds"], row["note"]) == ("no", "no", "no data")


def test_what_was_not_measured_yet_is_one_line(monkeypatch, tmp_path):
    monkeypatch.setattr(capture_cases, "CAPTURES", tmp_path)
    with pytest.raises(StudyError, match="study kernel --captures measures it"):
        capture_cases.facts(KEPT_CASES[0], "before")
    shutil.rmtree(tmp_path)
