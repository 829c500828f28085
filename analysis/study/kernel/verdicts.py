# SPDX-License-Identifier: GPL-2.0-only
"""results/diagnosis.csv: what `study diagnose` says of each capture of known cause, beside what is
known."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from study.answers.bounds import rests_on_a_bound
from study.base.errors import StudyError
from study.base.project import shown
from study.captures.connection import SYN
from study.diagnosis.budget import CODE, Budget
from study.diagnosis.diagnosis import Diagnosis, diagnose
from study.diagnosis.hidden import both_ends
from study.diagnosis.judge import budget
from study.diagnosis.of_run import connection_of_run
from study.judging.table_file import from_csv, to_csv
from study.kernel import CAPTURES, DIAGNOSIS, captured
from study.kernel.captured import WHEN, Facts, name_of
from study.kernel.cases import Case
from study.kernel.changes import BULK, NoParameter, changes
from study.system.system import System

COLUMNS = ("case", "when", "made", "cause", "found", "right", "adds_up_off_pct")
COLUMNS += ("rwnd_limited_s", "before_window_s", "window_off_pct", "sndbuf_limited_s")
COLUMNS += ("other_end_points",)
COLUMNS += (
    "half_off_pct",
    "half_unlike",
    "scenario",
    "duration_s",
    "measured_Bps",
    "simulated_Bps",
    "off_pct",
)
COLUMNS += ("simulated_cause", "simulated_clock", "holds", "note", "kernel", "late_us", "load")

ADDS_UP_PCT, WINDOW_PCT, HALF_PCT, WHAT_IF_PCT = 0.1, 2.0, 5.0, 5.0  # the goals
ENDS_POINTS = 3.0
# The kernel's clock ticks in 4 ms (HZ=250), and starts and stops with the window's: 2 % of less
# are less than one tick.
LEAST_CLOCKED_S = 0.2
IN_A_FILE = re.compile(r"^\S*\.toml:\d+: ")  # of a system that was made for a moment
OR = " or "  # between two words of a cause
WINDOW = ("receive_window", "drain", "window_update")

Row = dict[str, object]


@dataclass(frozen=True)
class Seen:
    """A transfer of a case: what is known of it, and what its two captures say."""

    facts: Facts
    own: Diagnosis  # of the capture at the sender
    other: Diagnosis

    @classmethod
    def of(cls, case: Case, when: str) -> "Seen":
        facts = captured.facts(case, when)
        ends = {end: diagnose(CAPTURES / name_of(case, when, end)) for end in ("client", "server")}
        own = ends.pop(facts.sender)
        return cls(facts, own, *ends.values())


def judged(chosen: Iterable[Case], say: Callable[[str], None]) -> list[Row]:
    """Two rows a case."""
    rows = []
    for case in chosen:
        rows += case_rows(case)
        for row in rows[-2:]:
            say(line(row))
    return rows


def case_rows(case: Case) -> tuple[Row, Row]:
    """Before: the capture and the system made of it. After: the second capture, and what that
    system says of the change. What fails on the way is a miss that says why."""
    rows = tuple(_known(case, when) for when in WHEN)
    try:
        before, after = (Seen.of(case, when) for when in WHEN)
        for row, seen in zip(rows, (before, after), strict=True):
            row |= _found(row, seen)
        _simulate(case, rows, before, after)
    except StudyError as error:
        why = IN_A_FILE.sub("", str(error))
        for row in rows:
            row.setdefault("holds", "no")
            row.setdefault("note", why)
    return rows


def _known(case: Case, when: str) -> Row:
    facts = captured.facts(case, when)
    causes = case.causes if when == "before" else case.causes_then
    return {
        "case": case.name,
        "when": when,
        "made": case.made,
        "cause": OR.join(causes),
        "right": "no",
        "rwnd_limited_s": f"{facts.clocks['rwnd_limited_us'] / 1e6:.3f}",
        "sndbuf_limited_s": f"{facts.clocks['sndbuf_limited_us'] / 1e6:.3f}",
        "late_us": f"{facts.late_s * 1e6:.0f}",
        "load": f"{facts.load:.1f}",
        "kernel": facts.kernel,
    }


def _simulate(case: Case, rows: tuple[Row, Row], before: Seen, after: Seen) -> None:
    """Unchanged beside the first capture, changed beside the second, or why not."""
    system = before.own.system()
    rows[0].update(_simulated(rows[0], system, before))
    try:
        changed = system.with_(**changes(case, system, _largest_window_B(after.own)))
        why = changed.rests_on_no_model(system)
        why = why or rests_on_a_bound(system, changed, system.run(), changed.run())
    except NoParameter as error:
        why = str(error)
    if why:
        rows[1].update(holds="refused", note=why.removeprefix(f"{system.name}: "))
        return
    rows[1].update(_simulated(rows[1], changed, after))


def _found(row: Row, seen: Seen) -> Row:
    own = seen.own
    main = max(own.limits_s, key=own.limits_s.get)
    found: Row = {
        "found": main,
        "right": _yes(main in str(row["cause"]).split(OR)),
        "adds_up_off_pct": _pct(sum(own.limits_s.values()), own.connection.duration_s),
        "before_window_s": f"{before_window_s(own):.3f}",
        "other_end_points": f"{ends_apart(own.budget, seen.other.budget):.1f}",
        "half_off_pct": _half(own),
        "half_unlike": _half_unlike(own),
        "scenario": own.found.scenario,
        "duration_s": f"{seen.facts.duration_s:.9f}",
        "measured_Bps": f"{rate_Bps(own, seen.facts.duration_s):.7g}",
    }
    clocked_s = float(str(row["rwnd_limited_s"]))
    if clocked_s >= LEAST_CLOCKED_S:
        found["window_off_pct"] = _pct(before_window_s(own), clocked_s)
    return found


def before_window_s(found: Diagnosis) -> float:
    """How long the window had no room, whatever else held the sender meanwhile."""
    waits = found.budget.waits
    shut = np.isin(waits["room"], [CODE[limit] for limit in WINDOW])
    return float(waits["length_ns"][shut].sum()) / 1e9


def ends_apart(own: Budget, other: Budget) -> float:
    """How far the budgets of one transfer's two captures are apart, in percentage points: over the
    life that both saw, and in the limits that both can tell."""
    return points_apart(*both_ends(own, other))


def points_apart(one_s: Mapping[str, float], other_s: Mapping[str, float]) -> float:
    """The largest difference of two splits' shares, in percentage points."""
    whole, others = sum(one_s.values()), sum(other_s.values())
    keys = one_s.keys() | other_s.keys()
    return 100 * max(abs(one_s.get(k, 0) / whole - other_s.get(k, 0) / others) for k in keys)


def rate_Bps(found: Diagnosis, duration_s: float) -> float:
    """The bytes of the bulk over the time from the SYN to the ACK of the last of them, or of
    request and reply to the last byte of the last reply at the client, which a capture at the
    server does not show (`duration_s`): as the simulated jobs count it."""
    packets, sender = found.seen.packets, found.seen.bulk_from_client
    if found.found.scenario != BULK:
        return found.seen.carried_B(sender) / duration_s
    data = packets[packets["length"] > 0]
    end = (data["seq"] + data["length"])[data["from_client"] == sender].max()
    acks = packets[(packets["from_client"] != sender) & (packets["ack"] >= end)]
    return found.seen.carried_B(sender) / (int(acks["time_ns"][0]) / 1e9)


def _simulated(row: Row, system: System, measured: Seen) -> Row:
    """What a run of the system says, beside a capture: of both the judge finds the cause, in their
    packets. The run's own clocks know more than packets tell."""
    run = system.run(segments=True)
    if run.outcome != "finished":
        raise StudyError(f"the simulated transfer {run.outcome}: {run.reason}")
    carried_B = measured.own.seen.carried_B(measured.own.seen.bulk_from_client)
    rate, own = carried_B / run.duration_s, rate_Bps(measured.own, measured.facts.duration_s)
    main, off_pct = budget(connection_of_run(run)).main, 100 * (rate / own - 1)
    return {
        "simulated_Bps": f"{rate:.7g}",
        "off_pct": f"{off_pct:.2f}",
        "simulated_cause": main,
        "simulated_clock": max(run.limits_s, key=run.limits_s.get),
        "holds": _yes(abs(off_pct) <= WHAT_IF_PCT and main in str(row["cause"]).split(OR)),
    }


def _largest_window_B(found: Diagnosis) -> int:
    packets = found.connection.packets
    own = packets["from_client"] != found.connection.bulk_from_client
    return int(packets["window"][own & (packets["flags"] & SYN == 0)].max())


def _half(found: Diagnosis) -> str:
    half = found.compared.half if found.compared else None
    if half is None:
        return ""
    return f"{half.residual_pct:.2f}"


def _half_unlike(found: Diagnosis) -> str:
    """What the first half does not show as the whole does, where its prediction misses."""
    half = found.compared.half if found.compared else None
    return half.unlike if half and abs(half.residual_pct) > HALF_PCT else ""


def line(row: Row) -> str:
    """A row as it is said while they are made."""
    said = f"{row['case']}, {row['when']}: {row.get('found', 'nothing')}"
    if row["right"] != "yes":
        said += f" (it is {row['cause']})"
    if row.get("off_pct"):
        said += f"; simulated {float(str(row['off_pct'])):+.1f} %"
    return f"{said}; {row['note']}" if row.get("note") else said


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _pct(one: float, other: float) -> str:
    return f"{100 * (one / other - 1):.2f}"


def table_csv(rows: Iterable[Row]) -> str:
    """The file's text."""
    return to_csv(COLUMNS, rows)


def read() -> list[dict[str, str]]:
    """results/diagnosis.csv as it is kept."""
    try:
        text = DIAGNOSIS.read_text()
    except OSError as error:
        raise StudyError(f"{shown(DIAGNOSIS)} is not there: study kernel --captures") from error
    return from_csv(text, COLUMNS, shown(DIAGNOSIS), "study kernel --captures --again")
