# SPDX-License-Identifier: GPL-2.0-only
"""Claims about a sweep's CSV, which is written without pandas: it is what pandas would write of the
same rows, byte for byte, and pandas is not even loaded."""

import csv
import subprocess
import sys
from pathlib import Path

import numpy as np
import orjson
import pytest
from study import systems
from study.programs.declaration import declaration
from study.programs.values import Value
from study.runs import csv_file
from study.runs.csv_file import CsvFile
from study.runs.outcomes import Failure
from study.runs.rows import Table

HARD = [0.0, -0.0, 1e-5, 0.0001, 1e15, 1e16, 1.5e300, 5e-324, 0.1 + 0.2, 1 / 3, 7.0, float("inf")]
REASONS = ['said "no"', "one, two", "two\nlines", "a return\rin it", "", " ", "'", "ü", "#1", "\ta"]
VARIED = {
    "job_size": [Value(str(n), n) for n in range(1, 41)],
    "ack_latency": [Value("", number) for number in (HARD * 4)[:40]],
    "nagle": [Value("", n % 3 == 0) for n in range(40)],
    "host": [Value(name, name) for name in ["linux-2.2", "none", 'a "b", c', "none"] * 10],
}


def records(declared, draw: np.random.Generator) -> list:
    """Results of which some are missing, whole at some points and not at others, and split."""

    def number(unit: str) -> object:
        kind = draw.integers(4)
        if kind == 0:
            return None
        return draw.choice(HARD).item() if unit in ("s", "B/s") else int(draw.integers(2**40))

    def record() -> dict:
        said = {"outcome": str(draw.choice(["finished", "stalled", "cut-off"])), "reason": ""}
        said["method"] = str(draw.choice(["full", "fast-forwarded"]))
        for key, unit in declared.results.items():
            said[key] = number(unit)
        said["limits_s"] = {part: number("s") for part in ("link", "nagle", "cpu")}
        return said

    answers: list = [orjson.dumps(record()) for _ in range(40)]
    for place, reason in enumerate(REASONS):
        answers[4 * place] = Failure(reason)
    return answers


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("at_once", [1, 2, 7, 50_000])
def test_it_is_what_pandas_writes_of_the_same_rows(program: Path, monkeypatch, seed, at_once):
    monkeypatch.setattr(csv_file, "ROWS_AT_ONCE", at_once)
    declared = declaration("print-job")
    varied = {key: VARIED[key] for key in VARIED if key in declared.parameters}
    assert len(varied) > 2
    answers = records(declared, np.random.default_rng(seed))
    of_pandas, ours = Table(declared, varied, 40), CsvFile(None, declared, varied, 40)
    for start in range(0, 40, 10):
        of_pandas.add(start, answers[start : start + 10])
        ours.add(start, answers[start : start + 10])
    assert "".join(ours.parts()) == of_pandas.frame().to_csv(index=False, lineterminator="\n")


def test_a_sweep_into_a_csv_does_without_pandas(program: Path, tmp_path: Path):
    command = [
        "sweep",
        "hawking-hps1u",
        "--job-size",
        "20000",
        "--vary",
        "receive-window=1024,2048",
    ]
    command += ["--store", str(tmp_path), "-o", str(tmp_path / "x.csv")]
    code = "import sys; from study.commands.main import main; status = main(sys.argv[1:]);"
    code += " sys.exit(status or bool({'pandas', 'pyarrow', 'tqdm'} & {*sys.modules}))"
    subprocess.run([sys.executable, "-c", code, *command], check=True)
    with (tmp_path / "x.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    made = systems["hawking-hps1u"].with_(job_size=20000).sweep(receive_window=[1024, 2048])
    assert [float(row["duration_s"]) for row in rows] == made.duration_s.tolist()
