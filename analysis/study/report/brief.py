# SPDX-License-Identifier: GPL-2.0-only
"""First pages of a report: findings, useful changes and accuracy, in sentences whose numbers are
counted here."""

from collections import Counter
from collections.abc import Sequence
from statistics import median

from study.answers import caveats
from study.answers.overview import headline
from study.base.project import in_project
from study.drawing.flow import name_of
from study.drawing.kinds.limits import duration, three
from study.drawing.system_facts import listed
from study.judging import reproduction
from study.judging.reproduction import Row
from study.kernel import COMPARISON, kernel_comparison
from study.programs.labels import spelt
from study.report.system_section import Told, read
from study.system.measured import QUOTED

NEAR_PCT = 5  # percent of the measured value
ON_PAPER_PCT = 1  # percent of the simulated value
TWICE_PCT = 100  # gain of a job that is twice as fast
MINUS, NO_BREAK = "\N{MINUS SIGN}", "\N{NO-BREAK SPACE}"


def opening(told: Sequence[Told]) -> str:
    """Return why a graph of the link's use does not show it: how many links are mostly idle, and
    how many jobs spend no time on recovery from losses."""
    idle = [each for each in told if dict(each.shares).get("link", 0) < 50]
    lossless = [each for each in told if not each.limits_s.get("loss_recovery")]
    if len(told) == 1:
        use, lost = "idle" if idle else "busy", "no" if lossless else "some"
        links = f"In this transfer the link is mostly {use}, and {lost} time is"
    else:
        links = (
            f"In {len(idle)} of these {len(told)} transfers the link is idle for more than half of "
            f"the time, and in {len(lossless)} no time is"
        )
    return (
        f"{links} spent on recovery from losses. Where the link is idle, one side waits for the "
        "other, and for how long is often a matter of two or three numbers in a device."
    )


def found(told: Sequence[Told]) -> list[str]:
    """Return sentences on what limits the transfers."""
    most = Counter(each.shares[0][0] for each in told)
    parts = [f"the {spelt(each)} in {count}" for each, count in most.most_common()]
    lines = []
    if len(told) > 1:
        lines.append(
            f"Few things make these {len(told)} transfers slow. What the sender waits for most of "
            f"the time is {listed(parts)}."
        )
    else:
        lines += [why(each) for each in told]
    alone = [each for each in told if each.shares[0][1] >= 90]
    if len(told) > 1 and alone:
        lines.append(
            f"In {len(alone)} of {len(told)} that one thing takes more than nine tenths of the "
            "time: there is one number to change, and all others may stay."
        )
    return lines


def why(told: Told) -> str:
    """Return a sentence on what one job waits for."""
    shares = [part for part in told.shares if part[1] >= 1][:3]
    parts = [
        f"{three(share)} % {'of the time ' if not place else ''}for: {_limit(told, limit)}"
        for place, (limit, share) in enumerate(shares)
    ]
    return (
        f"The job of {name_of(told.system)} takes {duration(told.duration_s)}; it waits "
        f"{listed(parts)}."
    )


def changing(told: Sequence[Told]) -> list[str]:
    """Return sentences on the gain of single changes."""
    best = {each.system.name: (each.changed("helps") or [None])[0] for each in told}
    gains = [float(row["gain_pct"]) for row in best.values() if row and row["gain_pct"]]
    twice = sum(round(gain) >= TWICE_PCT for gain in gains)
    nothing = sum(len(each.changed("does_nothing")) for each in told)
    every = sum(len(each.changes) for each in told)
    most = "; most of what one would buy does not help" if 2 * nothing > every else ""
    lines = [
        f"Of {every} single changes that were tried {nothing} make a difference of less than one "
        f"per cent{most}."
    ]
    if len(told) > 1:
        lines[0] += (
            f" But in {len(gains)} of {len(told)} systems some change does, and in {twice} of them "
            "the best one makes the transfer at least twice as fast."
        )
    return lines


def table(told: Sequence[Told]) -> list[dict]:
    """Return a line for each system."""
    return [
        {
            "name": each.system.name,
            "title": name_of(each.system),
            "row": headline_cells(each),
            "limit": f"{_limit(each, each.shares[0][0])}, {three(each.shares[0][1])}{NO_BREAK}%",
            "best": best(each),
        }
        for each in told
    ]


def best(told: Told) -> str:
    """Return the most helpful change and its gain."""
    rows = told.changed("helps")
    if not rows:
        return "nothing that was tried"
    return f"{rows[0]['change']}: {worth(rows[0])}"


def worth(row: dict[str, str]) -> str:
    """Return a change's gain, as a factor if it is large."""
    if not row["gain_pct"]:
        return row["outcome"]
    gain_pct = float(row["gain_pct"])
    if round(gain_pct) >= TWICE_PCT:
        return f"{gain_pct / 100 + 1:,.1f} times as fast"
    return f"{gain_pct:+.1f}{NO_BREAK}%".replace("-", MINUS)


def headline_cells(told: Told) -> Row | None:
    """Return the cells of a system's headline figure, or None without one."""
    measured = headline(told.system)
    quantity = measured.quantity if measured else ""
    row = next((each for each in told.rows if each["quantity"] == quantity), None)
    return row and cells(row | {"draws": "", "draws_low": "", "draws_high": ""})


def cells(row: Row) -> Row:
    """Return a row of results/reproduction.csv as a document prints it."""
    made = reproduction.cells(row)
    return made | {"residual": made["residual"].replace("-", MINUS)}


def trust(told: Sequence[Told]) -> list[str]:
    """Return sentences on how far the simulation is from measurements, formulas and the Linux
    kernel, and on where not to trust it."""
    rows = [row for each in told for row in each.rows if row["basis"] != QUOTED]
    lines = [*_measured(rows), *_on_paper(rows), _by_the_kernel()]
    drawn = [row for row in rows if row["draws_low"]]
    if drawn:
        lines.append(
            f"{len(drawn)} of the figures rest on chance, on which packets are lost; they stand "
            "with what other seeds give."
        )
    named = sum(len(each.system.disagreements) for each in told)
    if named:
        lines.append(
            f"{named} things do not agree. Each is named with its reason in its system's section; "
            "what the model leaves out is listed in the appendix, and a change that rests on it is "
            "refused."
        )
    return lines


def _measured(rows: Sequence[Row]) -> list[str]:
    """Return sentences on predictions and their measurements."""
    off = [row for row in rows if row["used_as"] == "prediction" and row["residual_pct"]]
    inputs = sum(row["used_as"] == "input" for row in rows)
    if not off:
        return ["Nothing was measured on it that could be held against the simulation."]
    sizes = [abs(float(row["residual_pct"])) for row in off]
    worst = max(off, key=lambda row: abs(float(row["residual_pct"])))
    near = sum(size <= NEAR_PCT for size in sizes)
    return [
        f"{len(off)} measured figures were predicted, that is, no parameter was set from them. "
        f"Half of the predictions are within {median(sizes):.1f} % of the measurement and {near} "
        f"within {NEAR_PCT} %; the furthest off is {worst['quantity']} of {worst['system']} "
        f"({float(worst['residual_pct']):+.0f} %). {inputs} more figures were inputs: that they "
        "come out right says little.".replace("(-", f"({MINUS}")
    ]


def _on_paper(rows: Sequence[Row]) -> list[str]:
    """Return sentences on formulas and their runs."""
    both = [
        (float(row["closed_form"]), float(row["simulated"]))
        for row in rows
        if row["closed_form"] and row["simulated"] and float(row["simulated"])
    ]
    near = sum(abs(paper / run - 1) * 100 <= ON_PAPER_PCT for paper, run in both)
    if not both:
        return []
    return [
        f"A closed form, written down without looking at a run, gives {near} of {len(both)} "
        f"figures within {ON_PAPER_PCT} % of the simulation; where it is further off, the table "
        "says by how much."
    ]


def _by_the_kernel() -> str:
    rows = kernel_comparison.from_csv(read(COMPARISON))
    inside = sum(row["within"] == "yes" for row in rows)
    return (
        f"Beside a real kernel's TCP over the same path the simulator gives {inside} of "
        f"{len(rows)} transfers within {kernel_comparison.WITHIN_PCT:.0f} %; "
        f"{in_project(COMPARISON)} names the reason of each other one."
    )


def _limit(told: Told, limit: str) -> str:
    """Return a limit's name, with what its rate stands for in this system."""
    return caveats.limit(told.system, limit)
