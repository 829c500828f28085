# SPDX-License-Identifier: GPL-2.0-only
"""Claims about system files: each value says where it comes from, and a file that can't be meant
is refused in one line that names the place."""

from pathlib import Path

import pytest
from study import StudyError, System, systems
from study.base import read_once
from study.base.toml_file import TomlFiles
from study.kit.systems import Systems, load
from study.system.hosts import load_host

HOST_LINE = 'initial_window = {{ value = {}, unit = "1", basis = "assumed", source = "a test" }}'
GOOD = """\
title = "A device"
scenario = "print-job"
[parameters]
receive_window = { value = 1460, unit = "B", basis = "assumed", source = "a test" }
[[measured]]
quantity = "rate"
kind = "whole_job_rate"
value = 24
unit = "kB/s"
basis = "published"
source = "a test"
used_as = "prediction"
"""

BAD = {
    "not TOML": ("title = ", "title == ", r":1: not TOML: "),
    "no value": ("value = 1460, ", "", r":4: receive_window has no value"),
    "value of no type": ("1460", "[1]", r":4: receive_window: value = \[1\] has to be a number"),
    "value that is no number": ("1460", "nan", r":4: receive_window: value = nan has to be a num"),
    "wrong unit": (
        'unit = "B"',
        'unit = "ms"',
        r":4: receive_window: '1460ms' is not a whole number",
    ),
    "no unit of time": (
        'receive_window = { value = 1460, unit = "B"',
        'ack_latency = { value = 10, unit = "kg"',
        r":4: ack_latency: '10kg' is not a time: a number and ns, us, ms, s, min or h",
    ),
    "a unit where there is none": (
        'receive_window = { value = 1460, unit = "B"',
        'nagle = { value = true, unit = "s"',
        r":4: nagle: 'trues' is not one of the choices; give true or false",
    ),
    "missing trace": (
        "[parameters]",
        'trace = "tests/print-job/timelines/none.txt"\n[parameters]',
        r":3: trace names tests/print-job/timelines/none.txt, which is no file of the project",
    ),
    "a bound without an end": (
        'value = 1460, unit = "B", basis = "assumed"',
        'value = 1460, unit = "B", basis = "bound"',
        r":4: receive_window is a bound; give its low, its high or both",
    ),
    "a bound on the other side": (
        'value = 1460, unit = "B", basis = "assumed"',
        'value = 1460, low = 2000, unit = "B", basis = "bound"',
        r":4: receive_window = 1460 has to lie within low = 2000",
    ),
    "a bound that is no number": (
        'value = 1460, unit = "B", basis = "assumed"',
        'value = 1460, low = "much", unit = "B", basis = "bound"',
        r":4: receive_window: low = 'much' has to be a number",
    ),
    "nothing that is not modelled": (
        "[[measured]]",
        '[not_modelled]\nlosses = { blocks = ["nagle"] }\n[[measured]]',
        r":6: losses in \[not_modelled\] has no what; say it in a sentence",
    ),
    "blocks no parameter": (
        "[[measured]]",
        '[not_modelled]\nlosses = { what = "some", blocks = ["colour"] }\n[[measured]]',
        r":6: losses: blocks 'colour', which is no parameter",
    ),
    "unknown host": (
        "[parameters]",
        'host = "linux-22"\n[parameters]',
        r":3: there is no host 'linux-22'; did you mean linux-2.2",
    ),
    "measured zero": ("value = 24", "value = 0", r":6: rate: value = 0 has to be above 0"),
    "measured nothing": ("value = 24", "value = nan", r":6: rate: value = nan has to be a number"),
    "unknown kind": (
        "whole_job_rate",
        "hole_job_rate",
        r":6: rate: there is no kind 'hole_job_rate'; did you mean whole_job_rate",
    ),
    "unknown entry of a packet": (
        "value = 24",
        'value = 24\npacket = { form = "device" }',
        r":6: rate: packet: there is no entry 'form'; did you mean from",
    ),
    "packet from nowhere": (
        "value = 24",
        "value = 24\npacket = { ack = 6 }",
        r":6: rate: packet has no from; it has to be host or device",
    ),
    "packet from elsewhere": (
        "value = 24",
        'value = 24\npacket = { from = "printer" }',
        r":6: rate: packet has from 'printer'; it has to be host or device",
    ),
    "packet of other flags": (
        "value = 24",
        'value = 24\npacket = { from = "device", flags = "P" }',
        r":6: rate: packet has flags 'P'; they have to be of S, F and R",
    ),
    "not a table": (
        'receive_window = { value = 1460, unit = "B", basis = "assumed", source = "a test" }',
        "receive_window = [1460]",
        r":4: receive_window = \[1460\] has to be a table",
    ),
    "unknown parameter": (
        "receive_window",
        "recieve_window",
        r":4: there is no parameter 'recieve_window'; did you mean receive_window",
    ),
    "no basis": (
        'basis = "assumed", ',
        "",
        r":4: receive_window has no basis; it has to be measured,",
    ),
    "invalid basis": (
        "assumed",
        "guessed",
        r":4: receive_window has basis 'guessed'; it has to be measured,",
    ),
    "no source": (', source = "a test" }', " }", r":4: receive_window has no source; say where"),
    "unknown entry": (
        'unit = "B"',
        'units = "B"',
        r":4: receive_window: .*'units'; did you mean unit",
    ),
    "unknown table": (
        "[parameters]",
        "[params]",
        r":3: there is no entry 'params'; did you mean parameters",
    ),
    "no scenario": ('scenario = "print-job"\n', "", r": has no scenario; give one"),
    "scenario elsewhere": (
        '"print-job"',
        '"../waf"',
        r":2: scenario '../waf' is not the name of a program",
    ),
    "unknown unit": (
        '"kB/s"',
        '"kb/s"',
        r":6: rate: unit 'kb/s' has to be one of B/s, kB/s, kbit/s",
    ),
    "another kind's unit": ('"kB/s"', '"ms"', r":6: rate: unit 'ms' has to be one of B/s, kB/s"),
    "unknown use": (
        '"prediction"',
        '"hope"',
        r":6: rate: used_as 'hope' has to be one of input, prediction",
    ),
}


@pytest.fixture
def write(tmp_path: Path):
    def write(text: str) -> Path:
        path = tmp_path / "device.toml"
        path.write_text(text)
        return path

    return write


DEEP = 3000
NESTED = {
    "lists": "[" * DEEP + "]" * DEEP,
    "tables": "{a=" * DEEP + "1" + "}" * DEEP,
}


@pytest.mark.parametrize("value", NESTED.values(), ids=NESTED.keys())
def test_what_is_nested_too_deep_is_refused_in_one_line(program: Path, write, value: str):
    with pytest.raises(StudyError) as refused:
        load(write(GOOD + f"value = {value}\n"))
    assert "nested too deep" in str(refused.value) and "\n" not in str(refused.value)


def test_a_key_of_many_parts_is_refused_in_one_short_line(program: Path, write):
    """This nests without brackets, and is read; but it is no value of a parameter."""
    deep = "receive_window.value" + ".a" * DEEP + " = 1"
    with pytest.raises(
        StudyError, match=r":4: receive_window: value = .* has to be a number"
    ) as no:
        load(write(GOOD.replace("receive_window = { value = 1460", deep + "\nx = { value = 1460")))
    assert len(str(no.value)) < 400 and "\n" not in str(no.value)


def test_a_file_may_begin_with_a_byte_order_mark(program: Path, write):
    """As Windows' Notepad writes it."""
    marked = load(write("\ufeff" + GOOD))
    assert marked.title == "A device"
    with pytest.raises(StudyError, match=r":4: receive_window has no basis"):
        load(write("\ufeff" + GOOD.replace('basis = "assumed", ', "")))


@pytest.mark.parametrize("settled_s", (0.0, 2.0))
def test_a_file_that_changes_is_read_again_and_so_is_its_host_s(
    program: Path, write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settled_s: float
):
    """Whether it was written just now, and is not remembered, or long ago."""
    monkeypatch.setattr(read_once, "SETTLED_S", settled_s)
    host = tmp_path / "box.toml"
    host.write_text('title = "x"\n[parameters]\n' + HOST_LINE.format(4))
    monkeypatch.setattr("study.kit.systems.hosts", TomlFiles("host", tmp_path, load_host))
    mine = str(write(GOOD.replace("[parameters]", 'host = "box"\n[parameters]')))
    kept = Systems(System)
    assert kept[mine].given == {"initial_window": "4", "receive_window": "1460"}
    assert (kept[mine] is kept[mine]) == (settled_s == 0)
    host.write_text('title = "x"\n[parameters]\n' + HOST_LINE.format(10))
    assert kept[mine].given["initial_window"] == "10"
    write(GOOD.replace("1460", "14600"))
    assert kept[mine].given == {"receive_window": "14600"}
    Path(mine).unlink()
    with pytest.raises(StudyError, match="cannot read"):
        kept[mine]


def test_a_good_file_is_read_and_runs(program: Path, write):
    system = load(write(GOOD))
    assert system.name == "device"
    assert system.with_(job_size=100_000).run().outcome == "finished"


@pytest.mark.parametrize("case", BAD.values(), ids=BAD.keys())
def test_a_file_that_cannot_be_meant_is_refused_at_its_line(program: Path, write, case: tuple):
    old, new, message = case
    assert old in GOOD
    with pytest.raises(StudyError, match=rf"^\S*device\.toml{message}") as error:
        load(write(GOOD.replace(old, new, 1)))
    assert "\n" not in str(error.value)


def test_a_value_that_the_program_refuses_is_refused_at_its_line(program: Path, write):
    message = r"^\S*device\.toml:4: receive_window: -2920B is out of range; give 1 to 1073725440 B$"
    with pytest.raises(StudyError, match=message):
        load(write(GOOD.replace("value = 1460", "value = -2920")))
    with pytest.raises(StudyError, match=r"^receive_window: 0 is out"):  # not the file's value
        load(write(GOOD)).with_(receive_window=0).run()


def test_a_bare_value_is_an_assumed_one(program: Path, write):
    bare = GOOD.replace("[parameters]", '[parameters]\nrtt = "45 ms"\nnagle = false\nmss = 1000')
    settings = load(write(bare)).settings
    told = {key: (settings[key].text, settings[key].basis) for key in ("rtt", "nagle", "mss")}
    assert told == {
        "rtt": ("45ms", "assumed"),
        "nagle": ("false", "assumed"),
        "mss": ("1000", "assumed"),
    }
    with pytest.raises(StudyError, match=r"^\S*device\.toml:4: rtt: '45' is not a time"):
        load(write(bare.replace('"45 ms"', "45")))


@pytest.mark.parametrize(
    ("kind", "packet", "message"),
    [
        ("syn_ack", "", "there is no packet; this kind needs one, as in packet ="),
        ("probe", 'packet = { from = "host" }', "packet has no probes; this kind needs one, as in"),
    ],
)
def test_a_packet_that_its_kind_needs_is_asked_for(program: Path, write, kind, packet, message):
    from study.judging.comparison import compare

    text = GOOD.replace("whole_job_rate", kind).replace('"kB/s"', f'"us"\n{packet}')
    system = load(write(text)).with_(job_size=10_000)
    with pytest.raises(StudyError, match=rf"device\.toml:6: rate: {message}"):
        compare(system, system.run(segments=True))


def test_a_capture_that_cannot_be_written_is_refused_and_makes_no_folder(
    hawking: System, tmp_path: Path
):
    with pytest.raises(StudyError, match="there is no folder"):
        hawking.run(pcap=str(tmp_path / "none" / "x.pcap"))
    assert list(tmp_path.iterdir()) == []


def test_bytes_that_are_no_text_and_files_that_are_not_there_are_refused(
    tmp_path: Path, program: Path
):
    (tmp_path / "x.toml").write_bytes(b'title = "\xff"')
    for name in ("x.toml", "none.toml", ""):
        with pytest.raises(StudyError, match=r"^cannot read "):
            load(tmp_path / name)


def test_an_unknown_system_names_the_near_ones():
    with pytest.raises(StudyError, match="did you mean hawking-hps1u"):
        systems["hawking"]
    with pytest.raises(StudyError, match=r"there is no system 'zzz'; there are: .*hawking-hps1u"):
        systems["zzz"]


def test_every_system_runs_and_every_measured_figure_can_be_read_off_it(program: Path):
    from study.kit.scenario import judges

    for system in systems.values():
        assert system.flags()
        assert {row.kind for row in system.measured} <= judges(system.scenario).quantities.keys()
        assert system.trace is None or system.trace.is_file()


def test_a_changed_parameter_takes_numbers_texts_and_booleans(hawking: System):
    changed = hawking.with_(receive_window=5840, ack_latency="10ms", nagle=True)
    assert {"--receive-window=5840", "--ack-latency=10ms", "--nagle=true"} <= set(changed.flags())
    assert hawking.changes == {}
