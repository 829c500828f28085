# SPDX-License-Identifier: GPL-2.0-only
"""What the explorer's page is made of and what it is answered; the page itself is in
test_explorer_served.py and test_explorer_page.py."""

import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from study import StudyError, System, systems
from study.base.project import SYSTEMS, scenarios
from study.explorer import runner
from study.explorer.backend import Backend
from study.explorer.still import still
from study.front import forms
from study.kit import paper
from study.kit.scenario import plans
from study.programs import values
from study.programs.declaration import declaration
from study.scenarios.file_send import buffers
from study.scenarios.print_job import cycles
from study.scenarios.print_job.messages import PrintJob

from tests.waiting import HANG_S

HAWKING = "hawking-hps1u"
EXAMPLES = (HAWKING, "netware", "relook-400s", "telnet-xp")  # of each scenario


@pytest.fixture(scope="module")
def asked(program: Path) -> Iterator[Backend]:
    """Without the limits of a user's patience: what a test sees is the same on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "LONGEST_S", HANG_S)
        opened = Backend()
        yield opened
        opened.close()


def flags_of(system: str, given: dict) -> list[str]:
    changes = [f"--{key.replace('_', '-')}={text}" for key, text in given.items()]
    return [f"--system={system}", *changes]


def run(asked: Backend, system: str, **given: str) -> dict:
    question = {"program": systems[system].scenario, "flags": flags_of(system, given)}
    answer = asked.answer({"kind": "run", **question})
    return json.loads(answer["printed"]) if answer.get("status") == 0 else answer


def on_paper(asked: Backend, system: str, axis: str = "", **given: str) -> dict:
    axis = axis or forms.plan_of(systems[system]).axis
    return asked.answer({"kind": "paper", "flags": flags_of(system, given), "axis": axis})


def controls(system: str) -> list[dict]:
    return [each for section in forms.form(system)["sections"] for each in section["controls"]]


def test_every_scenario_has_an_example() -> None:
    assert {systems[name].scenario for name in EXAMPLES} == set(scenarios())


def test_every_position_of_a_slider_is_a_value_that_the_program_takes(program: Path) -> None:
    """And one of them is the system's own; each mark is a known device's, within the slider."""
    for system in forms.names():
        declared = declaration(systems[system].scenario)
        for made in controls(system):
            parameter = declared.parameter(made["key"])
            numbers = [values.smallest(parameter, stop) for stop in made["stops"]]
            low, high = values.limits(parameter) if numbers else (0, 0)
            assert numbers == sorted(set(numbers)), (system, made["key"])
            # A word for no limit is infinite; JSON has no such number, and a slider draws it behind
            # the last.
            if numbers and numbers[-1] == math.inf:
                assert parameter.word and numbers.pop() > made["numbers"].pop() > numbers[-1]
            assert numbers == made["numbers"], (system, made["key"])
            assert all(low <= number <= high for number in numbers), (system, made["key"])
            assert not numbers or made["own"] in made["stops"], (system, made["key"])
            for text, number, who in made.get("marks", []):
                assert numbers[0] <= number <= numbers[-1], (system, made["key"])
                for name in who:
                    known = systems[name].parameters()[made["key"]]
                    assert values.readable(parameter, known) == text


def test_a_slider_stays_near_known_devices(program: Path) -> None:
    """ "1ns to 1h" is a range of the program's, not of anything that was seen."""
    made = next(each for each in controls(HAWKING) if each["key"] == "ack_latency")
    known = [number for _, number, _ in made["marks"] if number]
    assert len(known) > 2 and made["allowed"].startswith("1ns to 1h")
    positive = [number for number in made["numbers"] if number]
    assert positive[0] >= min(known) / forms.SLIDER_REACH
    assert positive[-1] <= max(known) * forms.SLIDER_REACH


@pytest.mark.parametrize("system", EXAMPLES)
def test_three_or_four_controls_stand_first(program: Path, system: str) -> None:
    made = forms.form(system)
    keys = [each["key"] for each in controls(system)]
    assert 3 <= len(made["leading"]) <= 4
    assert set(made["leading"]) <= set(keys)
    assert len(set(made["leading"])) == len(made["leading"])


def test_a_slider_ends_where_its_system_still_takes_the_value(asked: Backend) -> None:
    """A larger window needs window scaling as well, and a larger MSS another path. The largest
    window without scaling is no round value, and a user can choose it."""
    window = next(each for each in controls(HAWKING) if each["key"] == "receive_window")
    assert window["stops"][-1] == "65535"
    for system in forms.names():
        for made in controls(system):
            if made["stops"] and made["key"].endswith(("_window", "mss")):
                size = plans()[systems[system].scenario].size
                least = {} if systems[system].scenario == "request-reply" else {size: "20000"}
                answer = run(asked, system, **least, **{made["key"]: made["stops"][-1]})
                assert "outcome" in answer, (system, made["key"], answer)


def test_a_readable_value_is_the_same_value() -> None:
    latency = declaration("print-job").parameter("ack_latency")
    assert values.readable(latency, "116407400ns") == "116.4074ms"
    for text in ("1ns", "999ns", "1h", "3599999999999ns", "123456789ns"):
        readable = values.readable(latency, text)
        assert values.read(latency, readable) == values.read(latency, text)


def test_every_system_is_a_preset(program: Path) -> None:
    assert list(forms.names()) == list(systems)


def test_a_file_of_one_s_own_can_be_begun_with_and_no_other_asked_for(
    program: Path, tmp_path: Path
) -> None:
    mine, other = str(tmp_path / "mine.toml"), str(tmp_path / "other.toml")
    for path in (mine, other):
        shutil.copy(SYSTEMS / f"{HAWKING}.toml", path)
    opened = Backend()
    opened.begin_with(mine)
    assert next(iter(forms.names([mine]))) == mine
    assert run(opened, mine)["outcome"] == "finished"
    assert opened.answer({"kind": "form", "system": mine})["form"]["system"] == mine
    for asked in (
        {"kind": "form", "system": other},
        {"kind": "run", "program": "print-job", "flags": [f"--system={other}"]},
    ):
        assert opened.answer(asked) == {"status": 2, "said": f"there is no system {other} here"}
    with pytest.raises(StudyError, match="nothing"):
        opened.begin_with("nothing")
    opened.close()


@pytest.mark.parametrize(
    ("system", "given"),
    [
        (HAWKING, {"receive_window": "5840", "ack_latency": "10ms"}),
        ("tcp-frame-relay", {"job_size": "200000", "cloud_delay": "10ms"}),
        ("netware", {"protocol": "packet-burst", "file_size": "500000"}),
        ("telnet-xp", {"server_nagle": "false"}),
        ("relook-400s", {"interface_transfer": "dma", "job_size": "1000000"}),
    ],
)
def test_the_record_is_the_run_s(asked: Backend, system: str, given: dict) -> None:
    """From the same point by the same program: equal, not near."""
    own = systems[system].with_(**given).run().record
    assert run(asked, system, **given) == own


@pytest.mark.parametrize("host", ["bsd-4.2", "linux-2.2"])
def test_a_host_s_profile_is_the_flags_that_it_sets(asked: Backend, host: str) -> None:
    profile = forms.form(HAWKING)["hosts"][host]
    own = systems[HAWKING].with_host(host).with_(mss=536).run().record
    assert run(asked, HAWKING, **profile | {"mss": "536"}) == own


def test_the_page_marks_the_unjudged_among_the_profiles(program: Path) -> None:
    form = forms.form(HAWKING, is_patient=False)
    assert {"lwip", "windows-11"} <= set(form["unjudged"]) < set(form["hosts"])
    assert "linux-6" not in form["unjudged"]


def test_a_job_simulated_packet_by_packet_begins_shortened_and_says_so(program: Path) -> None:
    assert forms.form(HAWKING)["opening"] == {"values": {}, "shortened": []}
    opening = forms.form("netware")["opening"]
    assert opening["values"] == {"file_size": "3000000"}
    assert opening["shortened"][1:] == ["3,000,000", "B", "10,000,000"]


def test_a_figure_measured_in_other_settings_has_those(program: Path) -> None:
    stars = forms.form("netware")["stars"]
    burst = [star for star in stars if star["with"].get("protocol") == "packet-burst"]
    assert [star["name"] for star in burst] == ["file transfer, packet burst"]
    assert len([star for star in stars if not star["with"]]) == 2


@pytest.mark.parametrize("system", EXAMPLES)
def test_a_page_without_a_kernel_has_the_view(program: Path, system: str) -> None:
    page = still(system)
    assert systems[system].title in page
    assert ("begins shortened" in page) == (system in ("netware", "relook-400s"))
    assert page.count("<img") == page.count(' alt="') == 3
    assert f"study run {system}" in page and "no kernel" in page
    assert "<script" not in page


def test_a_formula_that_does_not_know_what_was_turned_gives_no_number(asked: Backend) -> None:
    """Neither beside the job nor as a curve, whatever the curve is over."""
    answer = on_paper(asked, HAWKING, initial_window="4", host_window="4096")
    assert answer["lacks"] == "not in this formula: host_window"
    assert answer["here"] is None and answer["line"] == []


def test_the_number_on_paper_is_the_formula_s(asked: Backend) -> None:
    doubled = systems[HAWKING].with_(receive_window=5840)
    paper_Bps = cycles.steady_rate_Bps(PrintJob.of(doubled.parameters()))
    answer = on_paper(asked, HAWKING, receive_window="5840")
    assert answer["here"] == pytest.approx(paper_Bps / 1000)
    by_window = dict(answer["line"])
    assert by_window[5840] == pytest.approx(paper_Bps / 1000)
    unchanged_Bps = cycles.steady_rate_Bps(PrintJob.of(systems[HAWKING].parameters()))
    assert by_window[2920] == pytest.approx(unchanged_Bps / 1000)
    assert len(by_window) > 100


def test_a_formula_that_is_off_the_run_is_so_on_the_page(asked: Backend) -> None:
    """A send buffer larger than the device's window, which the form makes half as fast again as
    the jobs are; below that it holds. The page dots the line where the two part."""
    imagen = "imagen-v2"
    for buffer_B, off in (("5000", False), ("60000", True)):
        simulated = run(asked, imagen, send_buffer=buffer_B)["throughput_Bps"] / 1000
        here = on_paper(asked, imagen, send_buffer=buffer_B)["here"]
        assert paper.holds(here, simulated) != off


def test_there_is_no_formula_for_a_path_it_was_not_written_for(asked: Backend) -> None:
    assert on_paper(asked, HAWKING)["line"]
    assert not on_paper(asked, "tcp-frame-relay")["line"]
    assert not on_paper(asked, HAWKING, loss_to_host="0.01")["line"]


def has_formula(system: System) -> bool:
    """No formula of a print job knows frame relay, nor one window among random losses."""
    own = system.parameters()
    return own.get("link") != "frame-relay" and float(own.get("path_loss", "0")) == 0


@pytest.mark.parametrize("system", systems)
def test_every_system_has_its_stars_and_its_line(asked: Backend, system: str) -> None:
    kinds = {"cycle_rate", "whole_job_rate", "read_rate", "file_rate", "download_rate", "operation"}
    rows = [row for row in systems[system].measured if row.kind in kinds and row.is_at_hand]
    given = [row for row in rows if not row.compared]
    stars = forms.form(system)["stars"]
    assert [star["name"] for star in stars] == [row.quantity for row in given]
    for star, row in zip(stars, given, strict=True):
        told = (star["figure"], star["used"], star["source"])
        assert told == (f"{row.text} {row.unit}", row.used_as, row.source)
    assert bool(on_paper(asked, system)["line"]) == has_formula(systems[system])


def test_every_number_can_be_the_curve_s(asked: Backend) -> None:
    for system in (*EXAMPLES, "tcp-frame-relay"):
        for made in controls(system):
            if made["kind"] == "number":
                assert on_paper(asked, system, made["key"])["status"] == 0, (system, made["key"])


def test_a_scenario_without_a_plan_is_told_in_one_sentence(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it is asked for; among the presets it is not."""
    monkeypatch.setattr(forms, "plans", dict)
    assert forms.names() == {}
    opened = Backend()
    for ask in (opened.begin_with, forms.form):
        with pytest.raises(StudyError, match=f"^{HAWKING}: .*a print-job says nothing .*$") as told:
            ask(HAWKING)
        assert f"study run {HAWKING}" in str(told.value)
    opened.close()


def test_an_exchange_of_one_packet_is_told(program: Path) -> None:
    whole = systems["relook-400s"].with_(file_buffer=800, job_size=400_000).run(segments=True)
    pair = buffers.typical(whole, ("host", "device"))
    assert pair.buffers == 2  # a packet of 1460 B holds more than one
    assert "acknowledges nothing meanwhile" in "".join(pair.lines())
    # The processor of this box never rests, so its work is the time that a pair takes.
    assert sum(pair.processor_s.values()) == pytest.approx(1600 / whole.throughput_Bps, rel=0.01)


def test_an_error_names_the_control_that_it_belongs_to(asked: Backend) -> None:
    for given, said in (
        ({"receive_window": "0"}, "receive-window: 0 is out of range; give 1 to 1073725440 B"),
        ({"ack_latency": "soon"}, "ack-latency: 'soon' is not a time"),
        ({"colour": "1"}, "--colour: a print-job has no such parameter"),
    ):
        answer = run(asked, HAWKING, **given)
        assert answer["status"] == 2 and answer["said"].startswith(said)


def test_a_failure_reaches_the_page(monkeypatch: pytest.MonkeyPatch, asked: Backend) -> None:
    """What a callback raises is seen by nobody."""
    widget = pytest.importorskip("study.explorer.widget").Explorer(asked, HAWKING)
    sent = []
    monkeypatch.setattr(widget, "send", sent.append)
    monkeypatch.setattr(asked, "answer", lambda question: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        widget._on_question(widget, {"kind": "run", "serial": 7}, [])
    assert sent[0]["serial"] == 7
    assert "the explorer failed" in sent[0]["gone"]
