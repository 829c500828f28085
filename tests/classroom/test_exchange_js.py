# SPDX-License-Identifier: GPL-2.0-only
"""The page that simulates finds the same packets for its ladder diagram as the study does."""

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
const found = ({ table, parameters, ends }) => exchangeOf(packetsOf(table), parameters, ends);
console.log(JSON.stringify(asked.map(found)));
"""
UNITS = [unit for unit in read()[1] if unit.system.scenario != "file-read"]


@pytest.mark.skipif(NODE is None, reason="there is no node")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.id)
def test_both_draw_the_same_packets(unit: Unit, program: Path, tmp_path: Path):
    asked, expected = [], []
    for point in Random(unit.id).sample(unit.points, EACH):
        system = unit.system.with_(**shortened(unit, point))
        table = tmp_path / "segments.csv"
        (record,) = run_batch(system.scenario, [system.flags()], unit.id, [table])
        result = system.result(record, table.read_text())
        ends = unit.data["ends"]
        expected.append(exchange.exchange(result, ends))
        parameters = result.parameters
        asked.append({"table": table.read_text(), "parameters": parameters, "ends": ends})
    code = SCRIPT.read_text() + ASK
    done = subprocess.run(
        [NODE, "-e", code], input=json.dumps(asked), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for ours, theirs in zip(json.loads(done.stdout), expected, strict=True):
        assert ours["every"] == theirs.every
        labels = [list(arrow[2:]) for arrow in theirs.arrows]
        assert [arrow[2:] for arrow in ours["arrows"]] == labels
        for arrow, other in zip(ours["arrows"], theirs.arrows, strict=True):
            assert arrow[:2] == pytest.approx(
                other[:2], abs=1
            )  # of what ends in half a microsecond
