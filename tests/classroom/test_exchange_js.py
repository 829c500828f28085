# SPDX-License-Identifier: GPL-2.0-only
"""The page that simulates makes the same film of a run's packets as the study does."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from study.classroom import exchange
from study.classroom.page import shortened
from study.classroom.units import Unit, read
from study.runs.batch import run_batch

NODE = shutil.which("node")
SCRIPT = Path(exchange.__file__).with_name("exchange.js")
EACH = 4  # points of a unit
ASK = """
const fs = require("fs");
const asked = JSON.parse(fs.readFileSync(0, "utf8"));
const found = ({ table, waits, parameters, ends }) =>
  exchangeOf(packetsOf(table), waitsOf(waits), parameters, ends);
console.log(JSON.stringify(asked.map(found)));
"""
UNITS = read()[1]
AS_USUAL = {"every": 1, "buffers": [0, 0]}  # what a film does not say


@pytest.mark.skipif(NODE is None, reason="there is no node")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.id)
def test_both_make_the_same_film(unit: Unit, program: Path, tmp_path: Path):
    asked, expected = [], []
    for point in Random(unit.id).sample(unit.points, EACH):
        system = unit.system.with_(**shortened(unit, point))
        table, waits = tmp_path / "segments.csv", tmp_path / "waits.csv"
        (record,) = run_batch(system.scenario, [system.flags()], unit.id, [table], [waits])
        result = system.result(record, table.read_text(), waits.read_text())
        ends = unit.data["ends"]
        expected.append(exchange.exchange(result, ends).data())
        files = {"table": table.read_text(), "waits": waits.read_text()}
        asked.append(files | {"parameters": result.parameters, "ends": ends})
    code = SCRIPT.read_text() + ASK
    done = subprocess.run(
        [NODE, "-e", code], input=json.dumps(asked), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for ours, theirs in zip(json.loads(done.stdout), expected, strict=True):
        assert theirs["waits"]
        for name in ("begin", "every", "rate", "buffers"):
            assert ours.get(name) == theirs.get(name, AS_USUAL.get(name)), name
        for name, times in (("packets", 2), ("waits", 1)):
            _check_same(ours[name], theirs[name], times)
        for side, other in zip(ours["held"], theirs.get("held", [[], []]), strict=True):
            _check_same(side, other, 1)


def _check_same(ours: list, theirs: list, times: int) -> None:
    """But for a microsecond of what ends in half of one."""
    assert [row[times:] for row in ours] == [row[times:] for row in theirs]
    for row, other in zip(ours, theirs, strict=True):
        assert row[:times] == pytest.approx(other[:times], abs=1)
