# SPDX-License-Identifier: GPL-2.0-only
"""results/kernel-comparison.csv: the kernel's transfers beside the simulated ones, with the first
packets of both, and beside those of stock ns-3's TCP."""

import tempfile
from itertools import takewhile
from pathlib import Path

from study.base.project import shown
from study.judging import table_file
from study.kernel import COMPARISON, capture, measure, simulated
from study.kernel.transfers import Point, points
from study.programs import segments
from study.programs.noted import remembered
from study.runs.batch import run_batch

COLUMNS = ("point", "family", "measured_s", "simulated_s", "off_pct", "within", "packets")
COLUMNS += ("sizes", "reason", "out_of_the_box_s", "out_of_the_box_off_pct")
COLUMNS += ("out_of_the_box_outcome", "stock_s", "stock_off_pct", "stock_outcome")
WITHIN_PCT = 5.0

Row = dict[str, str]


@remembered  # the table and the figure of one `reproduce` share the runs
def rows() -> list[Row]:
    """Run every point that was measured and return the rows."""
    kept = {row["point"]: row for row in measure.read_table()}
    seen = measure.read_packets()
    chosen = [each for each in points() if kept.get(each.name, {}).get("duration_s")]
    with tempfile.TemporaryDirectory() as folder:
        tables = [Path(folder, f"{number}.csv") for number in range(len(chosen))]
        flags = [simulated.flags(each, kept[each.name]) for each in chosen]
        records = run_batch(simulated.SCENARIO, flags, "kernel's points", tables)
        flags = [simulated.out_of_the_box_flags(each) for each in chosen]
        untold = run_batch(simulated.SCENARIO, flags, "kernel's points out of the box")
        flags = [simulated.stock_flags(each, kept[each.name]) for each in chosen]
        stock = run_batch(simulated.SCENARIO, flags, "kernel's points with stock ns-3")
        return [
            row(each, kept[each.name], seen.get(each.name, []), record, table.read_text())
            | columns("out_of_the_box", kept[each.name], of_box)
            | columns("stock", kept[each.name], of_stock)
            for each, record, of_box, of_stock, table in zip(
                chosen, records, untold, stock, tables, strict=True
            )
        ]


def row(
    point: Point, kept: dict[str, str], seen: list[str], record: dict, segment_table: str
) -> Row:
    """Return a point's row."""
    measured_s, simulated_s = float(kept["duration_s"]), float(record["duration_s"])
    off_pct = 100 * (simulated_s / measured_s - 1)
    is_within = record["outcome"] == "finished" and abs(off_pct) <= WITHIN_PCT
    ours, theirs = words(segment_table), [unfolded(each) for each in seen]
    best = max(theirs, key=lambda each: in_order(ours, each))
    return {
        "point": point.name,
        "family": point.family,
        "measured_s": f"{measured_s:.6f}",
        "simulated_s": f"{simulated_s:.6f}",
        "off_pct": f"{round(off_pct, 2) + 0.0:.2f}",
        "within": "yes" if is_within else "no",
        "packets": f"{in_order(ours, best)} of {max(len(ours), len(best))}",
        "sizes": "equal" if same_sizes(ours, best) else "differ",
        "reason": "" if is_within else point.reason,
    }


def columns(of: str, kept: dict[str, str], record: dict) -> Row:
    """Return the columns of another simulation of a point; no duration if it did not finish."""
    simulated_s = float(record["duration_s"])
    off_pct = 100 * (simulated_s / float(kept["duration_s"]) - 1)
    is_finished = record["outcome"] == "finished"
    return {
        f"{of}_s": f"{simulated_s:.6f}" if is_finished else "",
        f"{of}_off_pct": f"{round(off_pct, 2) + 0.0:.2f}" if is_finished else "",
        f"{of}_outcome": record["outcome"],
    }


def count_within(rows: list[Row], of: str) -> int:
    """Return how many points of a column are within WITHIN_PCT of the kernel."""
    return sum(abs(float(row[f"{of}_off_pct"] or "inf")) <= WITHIN_PCT for row in rows)


def words(segment_table: str) -> list[str]:
    """Return the first packets that the simulated client saw, in the form of the kernel's."""
    found = segments.read(segment_table)
    client = found[0].sender
    seen = [capture.word(each.sender == client, "S" in each.flags, each.length) for each in found]
    return capture.first_words(seen)


def unfolded(text: str) -> list[str]:
    """Return the packets of a text made by capture.folded."""
    pairs = (each.partition("*") for each in text.split())
    return [word for word, _, times in pairs for _ in range(int(times or 1))]


def in_order(ours: list[str], theirs: list[str]) -> int:
    """Return how many of the first packets agree in direction and size."""
    pairs = zip(ours, theirs, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def same_sizes(ours: list[str], theirs: list[str]) -> bool:
    """Return whether the data segments of each direction have equal sizes, in whatever order the
    two directions alternate."""
    return all(
        one == other
        for way in "><"
        for one, other in zip(_data(ours, way), _data(theirs, way), strict=False)
    )


def _data(seen: list[str], way: str) -> list[str]:
    return [each for each in seen if each[0] == way and each[1:].strip("S0")]


def kernel() -> str:
    """Return the kernel that was measured, from the table."""
    return measure.read_table()[0]["kernel"]


def to_csv(table: list[Row]) -> str:
    """Return the rows as the file's text."""
    return table_file.to_csv(COLUMNS, table)


def from_csv(text: str) -> list[Row]:
    """Return the rows of the file's text."""
    return table_file.from_csv(text, COLUMNS, shown(COMPARISON), "run ./waf reproduce")
