# SPDX-License-Identifier: GPL-2.0-only
"""results/diagnosis.csv: the answer of `study diagnose` for each capture of known cause, beside
that cause."""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from study.base.errors import StudyError
from study.base.project import shown
from study.captures.connection import SYN
from study.diagnosis.compare import Compared, compare
from study.diagnosis.diagnosis import Diagnosis, diagnose
from study.diagnosis.fit import Fitted
from study.diagnosis.near import agree, interval
from study.diagnosis.waits_seen import WINDOW, waits_seen
from study.judging.table_file import from_csv, to_csv
from study.kernel import CAPTURES, DIAGNOSIS, capture_cases
from study.kernel.capture_cases import SIDES, Facts, name_of
from study.kernel.case_changes import NoParameter, changes
from study.kernel.cases import Case

COLUMNS = ("case", "when", "made", "cause", "found", "right", "candidate", "distance", "confidence")
COLUMNS += ("rwnd_limited_s", "before_window_s", "window_off_pct", "sndbuf_limited_s")
COLUMNS += ("other_end_found", "scenario", "duration_s", "measured_Bps", "simulated_Bps", "off_pct")
COLUMNS += ("low_pct", "high_pct", "simulated_cause", "holds", "note", "kernel", "late_us", "load")

WINDOW_PCT, WHAT_IF_PCT = 2.0, 5.0  # the goals
# The kernel's clock has ticks of 4 ms (HZ=250), and starts and stops with the window's: 2 % of a
# shorter time are less than a tick.
LEAST_CLOCKED_S = 0.2
IN_A_FILE = re.compile(r"^\S*\.toml:\d+: ")  # prefix of an error about a temporary file
# Verdicts on a prediction: within 5 %, only in its interval, wrong, or none is made.
YES, INSIDE, NO, REFUSED = "yes", "inside", "no", "refused"
OR = " or "  # between two names of a cause

Row = dict[str, object]


@dataclass(frozen=True)
class Seen:
    """A transfer of a case: its recorded facts and the diagnoses of its captures."""

    facts: Facts
    own: Diagnosis  # of the capture at the sender
    other: Diagnosis | None  # at the receiver, only for cases in git, since it doubles the time

    @classmethod
    def of(cls, case: Case, when: str) -> "Seen":
        facts = capture_cases.facts(case, when)
        receiver = "server" if facts.sender == "client" else "client"
        ends = (facts.sender, receiver) if case.is_kept else (facts.sender,)
        own, *other = (diagnose(CAPTURES / name_of(case, when, end)) for end in ends)
        return cls(facts, own, other[0] if other else None)


def judged(chosen: Iterable[Case], say: Callable[[str], None]) -> list[Row]:
    """Return two rows for each case."""
    rows = []
    for case in chosen:
        rows += case_rows(case)
        for row in rows[-2:]:
            say(line(row))
    return rows


def case_rows(case: Case) -> tuple[Row, Row]:
    """Return a case's rows. Before: the capture, and the system fitted to it. After: the second
    capture, and the system's prediction for the change. A failure is a miss with its reason."""
    rows = tuple(_known(case, when) for when in SIDES)
    try:
        before, after = (Seen.of(case, when) for when in SIDES)
        for row, seen in zip(rows, (before, after), strict=True):
            row |= _found(row, seen)
        _simulate(case, rows, before, after)
    except StudyError as error:
        why = IN_A_FILE.sub("", str(error))
        for row in rows:
            row.setdefault("holds", NO)
            row.setdefault("note", why)
    return rows


def _known(case: Case, when: str) -> Row:
    facts = capture_cases.facts(case, when)
    causes = case.causes if when == "before" else case.causes_then
    return {
        "case": case.name,
        "when": when,
        "made": case.made,
        "cause": OR.join(causes),
        "right": NO,
        "rwnd_limited_s": f"{facts.clocks['rwnd_limited_us'] / 1e6:.3f}",
        "sndbuf_limited_s": f"{facts.clocks['sndbuf_limited_us'] / 1e6:.3f}",
        "late_us": f"{facts.late_s * 1e6:.0f}",
        "load": f"{facts.load:.1f}",
        "kernel": facts.kernel,
    }


def _simulate(case: Case, rows: tuple[Row, Row], before: Seen, after: Seen) -> None:
    """Fill both rows with the simulation, unchanged beside the first capture and changed beside the
    second, or with the reason why not."""
    system, *others = before.own.near_systems()
    rows[0].update(_beside(compare(system, before.own.seen)))
    if not before.own.answer.fits:
        rows[1].update(holds=REFUSED, note="nothing that was tried gives these packets")
        return
    window_B = _largest_window_B(after.own)
    try:
        changed = system.with_(**changes(case, system, window_B))
    except NoParameter as error:
        rows[1].update(holds=REFUSED, note=str(error))
        return
    found = [compare(changed, after.own.seen)]
    for each in others:
        with suppress(StudyError):  # a system without such a parameter says nothing
            found.append(compare(each.with_(**changes(case, each, window_B)), after.own.seen))
    rows[1].update(_beside(found[0]), **_interval(before.own.answer.best, found))


def _interval(best: Fitted, found: list[Compared]) -> Row:
    """Return the verdict on the second capture's rate by the predicted interval."""
    parts = [1 + (each.residual_pct or 0.0) / 100 for each in found]
    low, high = interval(best, parts)
    told: Row = {"low_pct": _pct(low, 1), "high_pct": _pct(high, 1)}
    if not agree(low, high):
        return told | {"holds": REFUSED, "note": "the packets leave open what it brings"}
    near = abs(parts[0] - 1) * 100 <= WHAT_IF_PCT
    return told | {"holds": YES if near else INSIDE if low < 1 < high else NO}


def _found(row: Row, seen: Seen) -> Row:
    own = seen.own
    answer = own.answer
    if answer is None:
        raise StudyError(own.why_not_simulated)
    found: Row = {
        "found": own.main,
        "right": _yes(own.main in str(row["cause"]).split(OR)),
        "candidate": answer.best.candidate.name,
        "distance": f"{answer.best.distance:.4f}",
        "confidence": "" if answer.confidence is None else f"{answer.confidence:.2f}",
        "before_window_s": f"{before_window_s(own):.3f}",
        "other_end_found": seen.other.main if seen.other else "",
        "scenario": own.scenario,
        "duration_s": f"{seen.facts.duration_s:.9f}",
        "measured_Bps": f"{answer.curves.rate_Bps:.7g}",
    }
    clocked_s = float(str(row["rwnd_limited_s"]))
    if clocked_s >= LEAST_CLOCKED_S:
        found["window_off_pct"] = _pct(before_window_s(own), clocked_s)
    return found


def before_window_s(found: Diagnosis) -> float:
    """Return how long the window had no room for a segment in seconds, whatever else the sender
    waited for: the same definition as the kernel's clock."""
    return waits_seen(found.seen).get(WINDOW, 0.0)


def _beside(compared: Compared) -> Row:
    """Return the simulated columns of a row, beside a capture."""
    limits_s = dict(compared.limits_s)
    main, off_pct = max(limits_s, key=lambda name: limits_s[name]), compared.residual_pct or 0.0
    return {
        "measured_Bps": f"{compared.measured.rate_Bps:.7g}",
        "simulated_Bps": f"{compared.simulated.rate_Bps:.7g}",
        "off_pct": f"{off_pct:.2f}",
        "simulated_cause": main,
        "holds": _yes(abs(off_pct) <= WHAT_IF_PCT),
    }


def _largest_window_B(found: Diagnosis) -> int:
    packets = found.connection.packets
    own = packets["from_client"] != found.connection.bulk_from_client
    return int(packets["window"][own & (packets["flags"] & SYN == 0)].max())


def line(row: Row) -> str:
    """Return a row as one line of progress."""
    said = f"{row['case']}, {row['when']}: {row.get('found', 'nothing')}"
    if row["right"] != "yes":
        said += f" (it is {row['cause']})"
    if row.get("off_pct"):
        said += f"; simulated {float(str(row['off_pct'])):+.1f} %"
    return f"{said}; {row['note']}" if row.get("note") else said


def _yes(holds: bool) -> str:
    return YES if holds else NO


def _pct(one: float, other: float) -> str:
    return f"{100 * (one / other - 1):.2f}"


def table_csv(rows: Iterable[Row]) -> str:
    """Return the rows as the file's text."""
    return to_csv(COLUMNS, rows)


def read() -> list[dict[str, str]]:
    """Return the rows of results/diagnosis.csv. Raise StudyError if it is missing."""
    try:
        text = DIAGNOSIS.read_text()
    except OSError as error:
        raise StudyError(f"{shown(DIAGNOSIS)} is not there: study kernel --captures") from error
    return from_csv(text, COLUMNS, shown(DIAGNOSIS), "study kernel --captures --again")
