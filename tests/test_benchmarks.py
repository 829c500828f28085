# SPDX-License-Identifier: GPL-2.0-only
"""The machinery of ./waf benchmark, at next to no size: how fast anything is, no test says."""

import csv
import os
import platform
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from study.base.errors import StudyError
from study.base.project import BUILD, RESULTS, ROOT
from study.commands import site
from study.publishing import tables

from benchmarks import capture, command, in_page, instructions, redraw, with_sem
from benchmarks.__main__ import QUICK, as_csv, chosen, machine, others
from benchmarks.command import Build, build_of
from benchmarks.comparisons import benchmarks, plain, stock_program
from benchmarks.measuring import Benchmark, Figure, NotMeasured, cost, rows
from tests.waiting import until

COLUMNS = ["name", "what", "value", "unit", "target", "met", "clock", "rounds", "min", "max"]
KEPT = RESULTS / "benchmarks.csv"


@pytest.fixture
def built(program: Path) -> Path:
    if not (BUILD / "stock-transfer").is_file():
        pytest.fail("there is no build/stock-transfer: run ./waf test")
    return program


def no_sem() -> Path:
    raise NotMeasured("sem cannot be installed: there is no network")


def no_module() -> None:
    raise NotMeasured("the WebAssembly module: ./waf browser has not built it")


def no_browser() -> None:
    raise NotMeasured("Chromium is not installed")


def test_each_figure_is_a_row_and_what_cannot_be_measured_says_why(built, monkeypatch):
    monkeypatch.setattr(with_sem, "packages", no_sem)
    monkeypatch.setattr(redraw, "browser_of_tests", no_browser)
    monkeypatch.setattr(in_page, "_module", no_module)
    monkeypatch.setattr(instructions, "LINKS", {"Ethernet": ()})  # one of three is counted
    said = []
    first, table = rows(benchmarks(QUICK), 2, said.append)
    assert [row["rounds"] for row in first] == [str(int(row["rounds"]) // 2) for row in table]
    assert [list(row) for row in table] == [COLUMNS] * len(table)
    names = [row["name"] for row in table]
    assert len(set(names)) == len(names) >= 12
    for row in table:
        if row["name"].startswith("sweep against sem"):
            assert row["met"] == "not measured: sem cannot be installed: there is no network"
            assert (row["value"], row["rounds"]) == ("", "0")
        elif row["name"].startswith("page with ns-3 inside"):
            assert row["met"].startswith("not measured: the WebAssembly module")
        elif row["name"].startswith("redraw"):
            assert row["met"] == "not measured: Chromium is not installed"
        elif row["clock"] == "instructions" and not shutil.which("valgrind"):
            assert row["met"] == "not measured: valgrind is not installed"
        else:
            assert row["rounds"] == "2"
            assert float(row["min"]) <= float(row["value"]) <= float(row["max"])
            assert row["met"] == ("" if row["target"] == "" else row["met"])
            assert row["met"] in ("yes", "no", "")
    assert any(line.startswith("round 2 of 2") for line in said)


def test_a_sweep_counts_as_the_whole_command(
    built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Python's start is in it: five seconds of the processor's that come before all else count."""
    (tmp_path / "sitecustomize.py").write_text("import time\nwhile time.process_time() < 5: pass\n")
    ours = command._environment(ROOT)["PYTHONPATH"]
    slow = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ours}"}
    monkeypatch.setattr(command, "_environment", lambda root: slow)
    assert cost(lambda: Build().sweep(1460, 2)).cpu_s > 5


def test_another_build_s_program_is_the_one_that_runs(built, tmp_path: Path):
    """It is named in its rows, and has the targets of its ns-3."""
    own = tmp_path / "print-job"
    own.write_text(
        f"#!/bin/sh\necho \"$@\" >> '{own}.ran'\n"
        f'exec \'{built}\' "$@" | sed -u \'s/"ns3":"/"ns3":"9.9, static; /\'\n'
    )
    own.chmod(0o755)
    build = build_of(own)
    build.sweep(1460, 3)
    assert "--batch" in Path(f"{own}.ran").read_text()
    assert build.is_own and not Build().is_own
    names = {f.name: f.target() for b in benchmarks(QUICK, [build]) for f in b.figures}
    assert names["sweep of 64 kB, by CPU"] == ">= 12"
    (other,) = (name for name in names if name.startswith("sweep of 64 kB, by CPU, with"))
    assert "9.9, static" in other and names[other] == ">= 25"
    with pytest.raises(StudyError, match="there is no program"):
        build_of(tmp_path / "none")


def test_a_busy_machine_is_busy_as_long_as_it_is_measured():
    def spinning() -> int:
        return sum(b"while True: pass" in each for each in _command_lines())

    before = spinning()
    with others(2):
        until(lambda: spinning() == before + 2)  # what has just begun may not yet have its name
    assert spinning() == before


def _command_lines() -> list[bytes]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if f"PPid:\t{os.getpid()}\n" in (path.parent / "status").read_text():
                found.append(path.read_bytes())
    return found


def test_the_redraw_is_measured_in_a_browser(program: Path):
    pytest.importorskip("tests.browser")
    whole_ms, server_ms = redraw.slowest_ms(steps=2)
    assert whole_ms > server_ms > 0


def test_without_chromium_the_redraw_says_so(monkeypatch):
    monkeypatch.delitem(sys.modules, "tests.browser", raising=False)
    monkeypatch.delitem(sys.modules, "tests.explorer.pages", raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(NotMeasured, match="Chromium is not installed"):
        redraw.slowest_ms(steps=1)


def test_a_row_has_the_median_and_is_judged_by_it():
    numbers = iter([3.0, 100.0, 1.0])
    figure = Figure("f", "w", "x", at_most=3.0)
    *_, (row,) = rows([Benchmark((figure,), lambda _: [next(numbers)])], 3, lambda _: None)
    assert (row["value"], row["min"], row["max"]) == ("3", "1", "100")
    assert (row["target"], row["met"]) == ("<= 3", "yes")
    assert (figure.met(3.1), Figure("f", "w", "x", at_least=12).met(11.9)) == ("no", "no")


def test_both_programs_put_the_same_data_segments_on_the_wire(built):
    for size_B in (1460, 65_536, 1_000_000):
        ours = plain(size_B).run(fast_forward=False)
        command = [stock_program(), f"--size={size_B}", "--count=true"]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        data, back = (int(re.search(rf"(\d+) {word}", said)[1]) for word in ("data", "back"))
        assert ours.record["retransmissions"] == 0
        assert ours.record["segments"] == data == -(-size_B // 1460)
        # An ACK for every second segment, and the handshake; stock ns-3 has an ARP exchange too.
        assert abs(ours.record["device_segments"] - back) <= 4 + data // 100


def test_the_site_shows_the_table_and_its_machine():
    table = [
        {"name": "n", "value": "12.5", "unit": "x", "min": "12", "max": "13", "target": ">= 12",
         "met": "yes", "rounds": "5", "machine": "a machine", "load": "0.1 to 2.0"},
    ]  # fmt: skip
    made = tables.benchmarks(table)
    assert "| n           | 12.5 x   | 12 to 13        | >= 12    | yes   |" in made
    assert "5 rounds on a machine; load average 0.1 to 2.0." in made


def test_the_site_has_a_busy_machine_s_table_and_the_builds_as_soon_as_they_are_measured(
    tmp_path: Path, monkeypatch
):
    monkeypatch.setattr(site, "RESULTS", tmp_path)
    assert site.TABLES["busy benchmarks"]() == "Not measured on a busy machine yet."
    assert site.TABLES["builds of ns-3"]() == "Not measured yet."
    shutil.copy(KEPT, tmp_path / "benchmarks-busy.csv")
    shutil.copy(RESULTS / "ns3-builds.csv", tmp_path)
    assert "| sweep of 64 kB, by wall" in site.TABLES["busy benchmarks"]()
    assert "| 22 MB with fast-forward" in site.TABLES["builds of ns-3"]()
    page = (ROOT / "docs" / "results" / "benchmarks.md").read_text()
    assert {"benchmarks", "busy benchmarks", "builds of ns-3"} == set(site.MARK.findall(page))


def test_only_what_one_asks_for_is_measured():
    everything = benchmarks(QUICK)
    (one,) = chosen(everything, "Python over")
    assert [figure.clock for figure in one.figures] == ["wall", "CPU"]
    assert chosen(everything, "") == everything
    with pytest.raises(StudyError, match="no benchmark has that in its name"):
        chosen(everything, "perl")


def test_the_kept_table_is_of_enough_rounds():
    with KEPT.open(newline="") as file:
        table = list(csv.DictReader(file))
    assert list(table[0]) == [*COLUMNS, "machine", "load"]
    assert as_csv(table) == KEPT.read_bytes()
    assert all(int(row["rounds"]) >= 5 or row["met"].startswith("not measured") for row in table)


def test_the_machine_is_described_without_its_name():
    assert platform.node() not in machine()
    assert re.search(r"\d+ cores, \d+ GB, Linux, Python 3\.\d+", machine())


def test_builds_are_compared_in_turns_and_must_give_the_same(program: Path, tmp_path: Path):
    from click.testing import CliRunner

    from benchmarks.builds import main

    same, other, table = tmp_path / "same", tmp_path / "other", tmp_path / "table.csv"
    shutil.copy(program, same)
    few = ["--rounds", "2", "--share", "0.01", "-o", str(table)]
    done = CliRunner().invoke(main, [str(program), str(same), *few])
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [row["ratio"] for row in rows[::2]] == ["1.00"] * 3 and len(rows) == 6
    for row in rows:
        assert float(row["min"]) <= float(row["cpu_ms"]) <= float(row["max"])
        assert row["ns3"].startswith("3.")
    assert "ns-3" in tables.builds(rows) and rows[0]["machine"] in tables.builds(rows)
    other.write_text(f'#!/bin/sh\nexec "{program}" "$@" | sed s/finished/stalled/\n')
    other.chmod(0o755)
    table.unlink()
    done = CliRunner().invoke(main, [str(program), str(other), *few])
    assert done.exit_code == 2 and not table.exists()


def test_a_capture_s_memory_is_the_reader_s_own(program: Path):
    """Not that of the program which measures, however large it is."""
    (whole, _) = capture.reading(200_000)
    alone_MB = whole.sample(0)[1]
    held = b"x" * 400_000_000
    assert len(held) and whole.sample(0)[1] < alone_MB + 100
