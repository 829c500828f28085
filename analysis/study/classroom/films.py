# SPDX-License-Identifier: GPL-2.0-only
"""Films for the page's player: packets with their times at both ends, each end's waits, and the
bytes in the send buffers. The page's own maker, exchange.js, makes them in node."""

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from study.base.errors import StudyError
from study.programs.segments import COLUMNS, Segment
from study.system.system import Result

MAKER = Path(__file__).with_name("exchange.js")
IN_NODE = """
const tables = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(tables.map(filmOfTables)));
"""
Film = dict[str, Any]  # as film.js reads it


@dataclass(frozen=True)
class Tables:
    """What a film is made of: tables in CSV, and which rows of the first; a few round trips from
    the middle if it does not say."""

    table: str
    waits: str | None
    parameters: Mapping[str, Any]
    ends: Sequence[str]
    shown: tuple[int, int] | None = None


def why_not() -> str:
    """Why no film can be made, in half a sentence; nothing if it can."""
    return "" if shutil.which("node") else "there is no node, which runs the page's script for it"


def films(tables: Sequence[Tables]) -> list[Film]:
    """One of each."""
    if missing := why_not():
        raise StudyError(f"a film of packets cannot be made: {missing}")
    done = subprocess.run(
        ["node", "-e", MAKER.read_text(encoding="utf-8") + IN_NODE],
        input=json.dumps([asdict(each) for each in tables]).encode(),
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise StudyError(f"node made no film: {done.stderr.decode(errors='replace').strip()}")
    return json.loads(done.stdout)


def tables_of(result: Result, ends: Sequence[str], shown: tuple[int, int] | None = None) -> Tables:
    """Those of a run."""
    return Tables(result.segments_csv or "", result.waits_csv, result.parameters, ends, shown)


def segment_table(segments: Sequence[Segment]) -> str:
    """Segments as a run's table has them."""
    rows = [",".join("" if each is None else str(each) for each in row[:8]) for row in segments]
    return "\n".join([",".join(COLUMNS), *rows]) + "\n"
