# SPDX-License-Identifier: GPL-2.0-only
"""What the WebAssembly module says is what the native programs say, to the byte; a run that takes
too long, or that is given up, costs its worker and nothing else.

Without the module, which `./waf browser` makes in minutes, these are skipped."""

from pathlib import Path
from typing import Any

import pytest
from study import engine

from tests.engine.points import NODE, Point, in_node, native, sample

if reason := engine.why_not() or ("" if NODE else "there is no node"):
    pytest.skip(f"the WebAssembly module: {reason}", allow_module_level=True)

HAWKING = ("--system=hawking-hps1u",)
LONG = Point("print-job", (*HAWKING, "--job-size=1000000000", "--fast-forward=false"))
SHORT = Point("print-job", (*HAWKING, "--job-size=20000"))


@pytest.fixture(scope="module")
def module(program: Path) -> engine.Module:
    found = engine.built()
    assert found
    return found


def differences(
    points: list[Point], theirs: list[dict[str, Any]], ours: list[dict[str, Any]]
) -> list[tuple[Point, object, object]]:
    assert len(ours) == len(theirs) == len(points)
    both = zip(points, theirs, ours, strict=True)
    return [
        (point, native_said, {key: said.get(key) for key in native_said})
        for point, native_said, said in both
        if any(said.get(key) != value for key, value in native_said.items())
    ]


def test_records_files_and_refusals_are_the_native_ones(module: engine.Module, tmp_path: Path):
    points = sample()
    theirs, ours = native(points, tmp_path), in_node(module, points, tmp_path)
    assert differences(points, theirs, ours) == []
    assert {said["restarts"] for said in ours} == {0}  # all by one instance
    assert sum("record" in said for said in theirs) > len(points) / 2
    assert sum(bool(point.files) for point in points) > 5


def test_a_run_is_the_same_before_and_after_others(module: engine.Module, tmp_path: Path):
    """The cache would answer it, so another file makes it another request. Both ask for one: then a
    run is made in full, and the record says so."""
    first, last = (Point(SHORT.program, SHORT.flags, (file,)) for file in ("pcap", "segments"))
    said = in_node(module, [first, *sample()[:5], last], tmp_path)
    assert said[0]["record"] == said[-1]["record"]


def test_a_run_of_too_long_is_ended_and_the_next_goes_on(module: engine.Module, tmp_path: Path):
    (expected,) = native([SHORT], tmp_path)
    before, ended, after = in_node(module, [SHORT, LONG, SHORT_TOO], tmp_path, limit_ms=3000)
    assert before["record"] == expected["record"] and before["restarts"] == 0
    assert ended["kind"] == "too long" and "longer than 3 s" in ended["said"]
    assert after["restarts"] == 1
    assert after["record"] == native([SHORT_TOO], tmp_path)[0]["record"]


SHORT_TOO = Point("print-job", (*HAWKING, "--job-size=30000"))
