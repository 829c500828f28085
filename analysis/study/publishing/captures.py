# SPDX-License-Identifier: GPL-2.0-only
"""Markdown tables of the captures of known cause, for the site: how well each was diagnosed, the
worst first, and the captures that are kept for readers to try."""

from collections import Counter
from collections.abc import Callable, Sequence

from study.kernel import KEPT, capture_cases, verdicts
from study.kernel.cases import MADE, cases
from study.publishing.tables import table

Row = dict[str, str]
GOALS: tuple[tuple[str, str, Callable[[Row], bool | None]], ...] = (
    (
        f"seconds before the window within {verdicts.WINDOW_PCT:.0f} % of `rwnd_limited`",
        "window_off_pct",
        lambda row: _within(row["window_off_pct"], verdicts.WINDOW_PCT),
    ),
    ("main cause right", "found", lambda row: row["right"] == "yes"),
    (
        "the same cause from both ends",
        "other_end_found",
        lambda row: row["other_end_found"] == row["found"] if row["other_end_found"] else None,
    ),
    (
        f"what-if within {verdicts.WHAT_IF_PCT:.0f} % or its interval, or refused",
        "off_pct",
        lambda row: None if row["when"] == "before" else row["holds"] != verdicts.NO,
    ),
)
SHOWN = ("case", "made", "when", "cause", "found", "other_end_found", "distance", "confidence")
SHOWN += ("window_off_pct", "off_pct", "interval_pct", "holds")
LIMITS = ("cause", "found", "other_end_found")
NAMES = dict(zip(MADE, ("known", "fresh"), strict=True))
KEPT_SHOWN = ("capture", "what it is", "after the change", "measured, kB/s")


def goals(rows: Sequence[Row]) -> str:
    """Return a table of how many rows meet each goal, by when a case was made."""
    lines = []
    for name, _, holds in GOALS:
        cells = [name]
        for made in MADE:
            judged = [holds(row) for row in rows if row["made"] == made]
            told = [each for each in judged if each is not None]
            refused = sum(row["made"] == made and row["holds"] == "refused" for row in rows)
            also = f", {refused} refused" if refused and name.endswith("refused") else ""
            cells.append(f"{sum(told)} of {len(told)}{also}")
        lines.append(cells)
    return table(lines, ["goal", *(f"{NAMES[made]}: made {made}" for made in MADE)])


def confused(rows: Sequence[Row]) -> str:
    """Return a table of causes that were mistaken for others."""
    pairs = Counter((row["cause"], row["found"]) for row in rows if row["right"] != "yes")
    if not pairs:
        return "No cause was taken for another."
    lines = [[_code(cause), _code(found), times] for (cause, found), times in pairs.most_common()]
    return table(lines, ["the cause", "taken for", "captures"])


def worst_first(rows: Sequence[Row]) -> str:
    """Return a table of all rows: most missed goals first, then the largest error."""
    ordered = sorted(rows, key=lambda row: (-_missed(row), -abs(float(row["off_pct"] or 0))))
    whys = {case.name: case.why for case in cases()}
    lines = [
        [
            *(_spelt(row, column) for column in SHOWN),
            row["note"] or (whys[row["case"]] if _missed(row) else ""),
        ]
        for row in ordered
    ]
    heads = (column.replace("_", " ").replace("confidence", "next") for column in SHOWN)
    return table(lines, [*heads, "why"])


def _spelt(row: Row, column: str) -> str:
    """Return a cell's text: a limit in words that can wrap, or whether the rules knew the case."""
    if column == "made":
        return NAMES[row["made"]]
    if column == "interval_pct":
        return f"{row['low_pct']} to {row['high_pct']}" if row["low_pct"] else ""
    return row[column].replace("_", " ") if column in LIMITS else row[column]


def kept(rows: Sequence[Row]) -> str:
    """Return a table of the captures in git, with their causes."""
    by_name = {(row["case"], row["when"]): row for row in rows}
    lines = []
    for case in (each for each in cases() if each.is_kept):
        links, rates = [], []
        sender = "client" if case.before.is_from_client else "server"
        for when in capture_cases.SIDES:
            name = capture_cases.name_of(case, when, sender)
            links.append(f"[{when}](results/{KEPT.name}/{name})")
            rate_Bps = by_name[case.name, when]["measured_Bps"]
            rates.append(f"{float(rate_Bps) / 1000:,.1f}" if rate_Bps else "not told")
        change = ", ".join(
            f"`{key}` {case.before.given.get(key, 'default')} to {value if value != [] else 'none'}"
            for key, value in case.change.items()
        )
        about = f"{case.name}: {' or '.join(map(_code, case.causes))}"
        lines.append([" ".join(links), about, change, " to ".join(rates)])
    return table(lines, KEPT_SHOWN)


def _missed(row: Row) -> int:
    return sum(holds(row) is False for _, _, holds in GOALS)


def _within(text: str, bound: float) -> bool | None:
    return abs(float(text)) <= bound if text else None


def _code(words: str) -> str:
    return " or ".join(f"`{word}`" for word in words.split(" or "))
