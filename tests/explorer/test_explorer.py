# SPDX-License-Identifier: GPL-2.0-only
"""What the explorer answers to its page; the page itself is in test_explorer_browser.py."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from study import StudyError, System, systems
from study.base.project import ROOT, SYSTEMS, scenarios
from study.drawing.kinds.limits import LOOKS
from study.explorer import curve, runner, session, svg
from study.explorer.session import Session
from study.explorer.still import still
from study.explorer.view import STUDY, Asked
from study.kit.scenario import plans
from study.programs import values
from study.programs.declaration import declaration
from study.scenarios.file_send import buffers
from study.scenarios.print_job import cycles
from study.scenarios.print_job.messages import PrintJob

from tests.waiting import HANG_S

HAWKING = "hawking-hps1u"
SMALL_B = 500_000
EXAMPLES = (HAWKING, "netware", "relook-400s", "telnet-xp")  # of each scenario


@pytest.fixture(scope="module")
def asked(program: Path) -> Iterator[Session]:
    """Without the limits of a user's patience: what a test sees is the same on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "LONGEST_S", HANG_S)
        patch.setattr(curve, "MARK_S", HANG_S)
        opened = session()
        yield opened
        opened.close()


def control(asked: Session, key: str, system: str = HAWKING) -> dict:
    sections = asked.form(system)["sections"]
    return next(each for section in sections for each in section["controls"] if each["key"] == key)


def all_marks(asked: Session, question: Asked) -> dict:
    answer = {"more": True}
    while answer["more"]:
        answer = asked.answer(question)
    return answer


@pytest.mark.parametrize("system", EXAMPLES)
def test_controls_are_the_declaration_s(asked: Session, system: str) -> None:
    declared = declaration(systems[system].scenario)
    for section in asked.form(system)["sections"]:
        for made in section["controls"]:
            parameter = declared.parameter(made["key"])
            assert made["allowed"] == parameter.allowed()
            assert made["help"] == parameter.help
            assert tuple(made["choices"]) == parameter.choices


def test_every_scenario_has_an_example() -> None:
    assert {systems[name].scenario for name in EXAMPLES} == set(scenarios())


def test_every_position_of_a_slider_is_a_value_that_the_program_takes(asked: Session) -> None:
    for system in asked.presets():
        declared = declaration(systems[system].scenario)
        for section in asked.form(system)["sections"]:
            for made in section["controls"]:
                parameter = declared.parameter(made["key"])
                numbers = [values.smallest(parameter, stop) for stop in made["stops"]]
                low, high = values.limits(parameter) if numbers else (0, 0)
                assert numbers == sorted(set(numbers)), (system, made["key"])
                assert all(low <= number <= high for number in numbers), (system, made["key"])
                assert not numbers or made["own"] in made["stops"], (system, made["key"])


def test_a_slider_ends_where_its_system_still_takes_the_value(asked: Session) -> None:
    """A larger window needs window scaling as well, and a larger MSS another path."""
    scaled = set()
    for system in asked.presets():
        for section in asked.form(system)["sections"]:
            for made in section["controls"]:
                if made["stops"] and made["key"].endswith(("_window", "mss")):
                    size = plans()[systems[system].scenario].size
                    least = {} if systems[system].scenario == "request-reply" else {size: "20000"}
                    largest = {**least, made["key"]: made["stops"][-1]}
                    answer = asked.answer(Asked(system, values=largest))
                    assert answer["errors"] == {}, (system, made["key"])
                    if made["key"] == "receive_window" and made["numbers"][-1] > 65535:
                        scaled.add(system)
    own = {name: systems[name].settings.get("device_window_scale") for name in asked.presets()}
    assert scaled == {name for name, scale in own.items() if scale and scale.text != "none"}
    assert scaled


def test_a_readable_value_is_the_same_value() -> None:
    latency = declaration("print-job").parameter("ack_latency")
    assert values.readable(latency, "116407400ns") == "116.4074ms"
    for text in ("1ns", "999ns", "1h", "3599999999999ns", "123456789ns"):
        readable = values.readable(latency, text)
        assert values.read(latency, readable) == values.read(latency, text)


def test_every_system_is_a_preset(asked: Session) -> None:
    assert list(asked.presets()) == list(systems)


def test_a_file_of_one_s_own_is_the_first_preset(program: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    shutil.copy(SYSTEMS / f"{HAWKING}.toml", mine)
    opened = session()
    opened.begin_with(str(mine))
    assert next(iter(opened.presets())) == str(mine)
    assert opened.answer(Asked(str(mine)))["command"] == f"{STUDY} run {mine}"
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
def test_the_explorer_s_number_is_the_run_s(asked: Session, system: str, given: dict) -> None:
    """From the same point by the same program: equal, not near."""
    own = systems[system].with_(**given).run()
    value = own.duration_s if system == "telnet-xp" else own.throughput_Bps
    assert asked.answer(Asked(system, values=given))["value"] == value


def own_commands(asked: Session, system: str) -> int:
    of_an_exchange = systems[system].scenario == "request-reply"
    return int(control(asked, "commands", system)["own"]) if of_an_exchange else 0


def has_formula(system: System) -> bool:
    """No formula of a print job knows frame relay, nor one window among random losses."""
    own = system.parameters()
    return own.get("link") != "frame-relay" and float(own.get("path_loss", "0")) == 0


@pytest.mark.parametrize("system", systems)
def test_every_system_is_explained_and_drawn(asked: Session, system: str) -> None:
    """Number, sentence, an exchange, and a curve with the chosen, simulated and measured points and
    a formula, where the source and the formulas have them."""
    # Of a small job, for the smallest window as well, which nothing may fast-forward.
    size = plans()[systems[system].scenario].size
    values = {size: str(min(int(control(asked, size, system)["own"]), SMALL_B))}
    answer = asked.answer(Asked(system, values=values))
    assert answer["errors"] == {}
    assert "limited by: " in answer["sentence"] and "(" in answer["sentence"]
    repeats = own_commands(asked, system) != 1
    assert ("goes on" in answer["exchange"]) == ("<svg" in answer["ladder"]) == repeats
    marks = {"more": True, "curve": ""}
    while marks["more"] and marks["curve"].count('class="simulated"') < 5:
        marks = asked.answer(Asked(system, values=values, marks=True))
    curve = marks["curve"]
    assert curve.count('class="simulated"') >= 5
    assert curve.count('class="chosen"') == 1
    kinds = {"cycle_rate", "whole_job_rate", "read_rate", "file_rate", "download_rate", "operation"}
    given = [row for row in systems[system].measured if row.kind in kinds and not row.compared]
    assert ('class="measured"' in curve) == any(not row.with_ for row in given)
    assert ("on paper" in curve) == has_formula(systems[system])


def test_a_job_simulated_packet_by_packet_begins_shortened_and_says_so(asked: Session) -> None:
    assert asked.form(HAWKING)["opening"] == {"values": {}, "why": ""}
    opening = asked.form("netware")["opening"]
    assert opening["values"] == {"file_size": "3000000"}
    assert "3,000,000 B instead of 10,000,000" in opening["why"]


def test_a_figure_measured_in_other_settings_is_shown_in_those(asked: Session) -> None:
    short = {"file_size": "500000"}
    own = asked.answer(Asked("netware", values=short))["curve"]
    assert own.count('class="measured"') == 2  # one packet a round trip, and the file by it
    burst = asked.answer(Asked("netware", values={**short, "protocol": "packet-burst"}))["curve"]
    assert burst.count('class="measured"') == 1
    assert "measured: file transfer, packet burst" in burst


def test_a_part_is_there_for_the_choice_that_it_belongs_to(asked: Session) -> None:
    when = {part["title"]: part["when"] for part in asked.form(HAWKING)["sections"]}
    assert when["Ethernet"] == ("link", "ethernet")
    assert when["Frame relay"] == ("link", "frame-relay")
    assert when["Device"] is None


@pytest.mark.parametrize("system", EXAMPLES)
def test_a_page_without_a_kernel_has_the_view(asked: Session, system: str) -> None:
    page = still(asked, system)
    assert systems[system].title in page
    assert ("begins shortened" in page) == (system in ("netware", "relook-400s"))
    assert page.count("<svg") == 3
    assert f"study run {system}" in page and "no kernel" in page
    assert "<script" not in page


def test_the_command_names_what_differs_and_nothing_else(asked: Session) -> None:
    same = {"receive_window": "2920", "nagle": "false", "ack_latency": "116407.4us"}
    assert asked.answer(Asked(HAWKING, values=same))["command"] == f"{STUDY} run {HAWKING}"
    changed = asked.answer(Asked(HAWKING, host="bsd-4.2", values={"nagle": "true", "mss": "536"}))
    words = shlex.split(changed["command"])
    given = ["--nagle", "true", "--mss", "536"]
    assert words == [STUDY, "run", HAWKING, "--host", "bsd-4.2", *given]
    run = [sys.executable, "-m", "study.commands.main", *words[1:], "--format", "json"]
    record = json.loads(subprocess.run(run, cwd=ROOT, capture_output=True, check=True).stdout)
    assert record["throughput_Bps"] == changed["value"]


def test_a_number_may_be_typed_with_spaces_and_its_unit(asked: Session) -> None:
    typed = {"receive_window": "5 840 B", "ack_latency": "10 ms", "link_rate": "100 Mbps"}
    answer = asked.answer(Asked(HAWKING, values=typed))
    assert answer["errors"] == {}
    options = "--receive-window 5840 --ack-latency 10ms --link-rate 100Mbps"
    assert answer["command"] == f"{STUDY} run {HAWKING} {options}"


def test_a_formula_that_does_not_know_what_was_turned_gives_no_number(asked: Session) -> None:
    """Neither beside the job nor as a curve, whatever the curve is over."""
    answer = asked.answer(Asked(HAWKING, values={"initial_window": "4", "host_window": "4096"}))
    assert answer["errors"] == {}
    assert answer["beside"].endswith(" On paper: not in this formula: host_window.")
    assert "on paper" not in answer["curve"]


def test_the_number_stands_beside_the_unchanged_one_and_the_one_on_paper(asked: Session) -> None:
    assert "unchanged" not in asked.answer(Asked(HAWKING))["beside"]
    own, doubled = (systems[HAWKING].with_(receive_window=size).run() for size in (2920, 5840))
    paper_Bps = cycles.steady_rate_Bps(PrintJob.of(doubled.parameters))
    assert asked.answer(Asked(HAWKING, values={"receive_window": "5840"}))["beside"] == (
        f"{doubled.throughput_Bps / own.throughput_Bps:.4g} times the {own.throughput_Bps:,.1f} B/s"
        f" of the unchanged job. On paper {paper_Bps:,.1f} B/s"
        f" ({(paper_Bps / doubled.throughput_Bps - 1) * 100:+.2f} %)."
    )
    whole = {"file_size": "10000000"}  # as the system has it; the page began with less
    assert "unchanged" not in asked.answer(Asked("netware", values=whole))["beside"]
    never = {"silly_window_avoidance": "whole-segment"}
    stalled = asked.answer(Asked("netgear-ps101", values=never))
    assert stalled["headline"] == "stalled" and stalled["beside"] == ""
    assert "the sender does not use a window that small" in stalled["sentence"]


def test_every_star_has_its_value_and_its_source(asked: Session) -> None:
    measured = {row.quantity: row for row in systems[HAWKING].measured}
    stars = asked.answer(Asked(HAWKING))["stars"]
    assert [star.partition(":")[0] for star in stars] == [
        "rate of the steady cycle",
        "rate of the whole job",
    ]
    for star in stars:
        row = measured[star.partition(":")[0]]
        assert f"{row.value} {row.unit}" in star and row.source in star


def test_the_line_is_dotted_where_simulated_jobs_say_otherwise(asked: Session) -> None:
    """A send buffer larger than the device's window, which the form makes half as fast again as
    the jobs are; below that it holds."""
    imagen = "imagen-v2"
    for buffer_B, off in (("5000", False), ("60000", True)):
        changed = asked.answer(Asked(imagen, values={"send_buffer": buffer_B}))
        on_paper = re.search(r"On paper ([\d,.]+) B/s", changed["beside"])[1].replace(",", "")
        assert (abs(float(on_paper) / changed["value"] - 1) > 0.02) == off
    curve = all_marks(asked, Asked(imagen, axis="send_buffer", marks=True))["curve"]
    assert "more than 2 % off" in curve
    own = all_marks(asked, Asked(HAWKING, axis="mss", marks=True))["curve"]
    assert "on paper" in own and "more than 2 % off" not in own


def test_a_zero_has_a_place_on_the_curve(asked: Session) -> None:
    lossless = asked.answer(Asked(HAWKING, axis="loss_to_host"))["curve"]
    assert 'class="chosen"' in lossless and 'class="measured"' in lossless
    lossy = {"loss_to_host": "0.01", "job_size": "200000"}
    assert "on paper" not in asked.answer(Asked(HAWKING, values=lossy))["curve"]


def test_every_number_can_be_the_curve_s(asked: Session) -> None:
    for system in (*EXAMPLES, "tcp-frame-relay"):
        values = asked.form(system)["opening"]["values"]
        for section in asked.form(system)["sections"]:
            for made in section["controls"]:
                if made["kind"] == "number":
                    answer = asked.answer(Asked(system, values=values, axis=made["key"]))
                    assert answer["errors"] == {}, (system, made["key"])


def test_the_bar_has_the_hatches_of_the_study_s_figures(asked: Session) -> None:
    bar = asked.answer(Asked("hp-jetdirect-610n"))["bar"]
    (drain,) = re.findall(r'id="([\w-]+-drain)"', bar)
    assert f'fill="url(#{drain})"' in bar
    for name, (colour, letters) in LOOKS.items():
        pattern = svg.hatch(name, colour, letters)
        assert colour in pattern
        assert ("<path" in pattern or "<circle" in pattern) == bool(letters), name


def test_two_explorers_on_a_page_share_no_id(asked: Session) -> None:
    """The second's bar would have the first one's hatches, or none where that is hidden."""
    bars = [asked.answer(Asked("hp-jetdirect-610n"))["bar"] for _ in range(2)]
    ids = [name for bar in bars for name in re.findall(r' id="([^"]+)"', bar)]
    assert len(set(ids)) == len(ids) > 2


def test_a_scenario_without_a_plan_is_told_in_one_sentence(program: Path) -> None:
    """Wherever it is asked for; among the presets it is not."""
    opened = Session({})
    assert opened.presets() == {}
    for ask in (opened.begin_with, opened.form, lambda name: opened.answer(Asked(name))):
        with pytest.raises(StudyError, match=f"^{HAWKING}: .*a print-job says nothing .*$") as told:
            ask(HAWKING)
        assert f"study run {HAWKING}" in str(told.value)


def test_a_request_is_no_ack(asked: Session) -> None:
    ladder = asked.answer(Asked("netware", values={"file_size": "100000"}))["ladder"]
    assert "asks for 1436 B from byte" in ladder and ">ack " not in ladder


def test_an_exchange_of_one_packet_is_told(asked: Session) -> None:
    small = {"file_buffer": "800", "job_size": "4000000"}
    exchange = asked.answer(Asked("relook-400s", values=small))["exchange"]
    assert "sends 1 packet of" in exchange and "from one to the next" not in exchange
    whole = systems["relook-400s"].with_(file_buffer=800, job_size=400_000).run(segments=True)
    pair = buffers.typical(whole, ("host", "device"))
    assert pair.buffers == 2  # a packet of 1460 B holds more than one
    assert "acknowledges nothing meanwhile" in "".join(pair.lines())
    # The processor of this box never rests, so its work is the time that a pair takes.
    assert sum(pair.processor_s.values()) == pytest.approx(1600 / whole.throughput_Bps, rel=0.01)


def test_every_error_stands_at_its_control(asked: Session) -> None:
    given = {"receive_window": "0", "ack_latency": "soon", "mss": "536"}
    errors = asked.answer(Asked(HAWKING, values=given))["errors"]
    assert set(errors) == {"receive_window", "ack_latency"}
    assert errors["receive_window"] == "0 is out of range; give 1 to 1073725440 B"
    assert "'soon' is not a time" in errors["ack_latency"]


def test_the_sentence_names_what_holds_the_job(asked: Session) -> None:
    """A window of one segment waits for ACKs; a large one before a quick ACK waits for the line."""
    assert "limited by: receive window" in asked.answer(Asked(HAWKING))["sentence"]
    quick = {"receive_window": "32120", "ack_latency": "100us", "send_buffer": "1000000"}
    assert "limited by: link" in asked.answer(Asked(HAWKING, values=quick))["sentence"]


def test_the_curve_is_drawn_over_any_number(asked: Session) -> None:
    over = asked.answer(Asked(HAWKING, axis="ack_latency"))["curve"]
    assert ">ACK latency<" in over and "100ms" in over
    marks = all_marks(asked, Asked(HAWKING, axis="ack_latency", marks=True))["curve"]
    assert marks.count('class="simulated"') > over.count('class="simulated"')


def test_there_is_no_formula_for_a_path_it_was_not_written_for(asked: Session) -> None:
    assert "on paper" in asked.answer(Asked(HAWKING))["curve"]
    assert "on paper" not in asked.answer(Asked("tcp-frame-relay"))["curve"]


def test_a_long_exchange_keeps_its_answer(asked: Session) -> None:
    """45 segments are more than there is room for; the ACK at the end is what matters."""
    ladder = asked.answer(Asked(HAWKING, values={"receive_window": "65535"}))["ladder"]
    assert "are left out" in ladder
    assert ">ack " in ladder


def test_a_failure_reaches_the_page(monkeypatch: pytest.MonkeyPatch, asked: Session) -> None:
    """What a callback raises is seen by nobody."""
    widget = pytest.importorskip("study.explorer.widget").Explorer(asked, HAWKING)
    sent = []
    monkeypatch.setattr(widget, "send", sent.append)
    monkeypatch.setattr(asked, "answer", lambda question: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        widget._on_question(widget, {"kind": "view", "system": HAWKING, "serial": 7}, [])
    assert sent[0]["serial"] == 7
    assert "the explorer failed" in sent[0]["errors"][""]
