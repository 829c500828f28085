# SPDX-License-Identifier: GPL-2.0-only
"""Films for the page's player: packets with their times at both ends, each end's waits, and the
bytes in the send buffers. The page's own maker, exchange.js, makes them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import quickjs

from study.base.linking import linked
from study.front.words import FOLDER
from study.programs.segments import COLUMNS, Segment
from study.system.system import Result

MAKER = FOLDER / "exchange.js"
Film = dict[str, Any]  # as film.js reads it


@dataclass(frozen=True)
class Tables:
    """Input of a film: tables in CSV, and the rows of the segment table to show; by default a few
    round trips from the middle."""

    table: str
    waits: str | None
    parameters: Mapping[str, Any]
    ends: Sequence[str]
    shown: tuple[int, int] | None = None


def films(tables: Sequence[Tables]) -> list[Film]:
    """Return a film for each set of tables."""
    page = quickjs.Context()
    page.eval(f"const {{ filmOfTables }} = {linked(MAKER)};")
    page.set("given", json.dumps([asdict(each) for each in tables]))
    return json.loads(page.eval("JSON.stringify(JSON.parse(given).map(filmOfTables))"))


def tables_of(result: Result, ends: Sequence[str], shown: tuple[int, int] | None = None) -> Tables:
    """Return the tables of a run."""
    return Tables(result.segments_csv or "", result.waits_csv, result.parameters, ends, shown)


def segment_table(segments: Sequence[Segment]) -> str:
    """Return segments in the form of a run's table."""
    rows = [",".join("" if each is None else str(each) for each in row[:8]) for row in segments]
    return "\n".join([",".join(COLUMNS), *rows]) + "\n"
