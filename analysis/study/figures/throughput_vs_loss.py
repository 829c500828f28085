# SPDX-License-Identifier: GPL-2.0-only
"""Throughput against the fraction of packets lost, under three congestion controls, with what was
measured under each and the laws for two of them."""

from study.base.units import MEASURED
from study.catalogue import systems
from study.drawing import gaps, marks, style
from study.drawing.job_table import between, line, rates, swept
from study.drawing.system_facts import said, value
from study.judging.draws import DRAWS, SEED
from study.scenarios.print_job import lossy_path
from study.system.measured import Measured
from study.system.system import System

SYSTEM = "rebbr"
NAMES = {"reno": "Reno", "cubic": "CUBIC", "bbr": "BBR"}
# Number of losses of a transfer that was not measured, as many as time allows. A measured one has
# the size that its system's file says, and shares its runs with the table of results.
LOSSES = {0.0003: 10, 0.001: 25, 0.003: 50, 0.01: 150, 0.02: 150, 0.05: 150}
PACED_LOSSES = (0.0001, 0.05)  # of BBR, with the measured size: its start counts the same in all
SAID_LOSS = 0.01  # of which the title speaks
MBPS = 1e6 / 8
LEAST_MBPS = 0.25  # below the curves, for the legend in a narrow column
# Windows of 8 and of 12 segments: the ends of table 1 of RFC 3649 and of those of RFC 9438, 5.1.
LAW_HOLDS_TO_PCT = {"reno": 2, "cubic": 1}
TITLE = (
    "With {loss:g} % of the packets lost CUBIC gets {cubic:.1f} Mbit/s ({low:.1f} to {high:.1f} "
    "with {draws} seeds), and BBR {bbr:.0f} Mbit/s of {rate}"
)
CAPTION = (
    "Throughput of a transfer over {rate} with a propagation of {rtt} there and back, against the "
    "fraction of packets lost at random, under three congestion controls. Markers: one simulated "
    "transfer each. At a star it carries the octets of the measured minute, BBR's those of ten "
    "seconds. Elsewhere Reno's and CUBIC's have {few} losses or more. Broad lines: the range over "
    "{draws} seeds. BBR has one seed, except at {said} %. Stars and thin lines: rates measured for "
    "a minute and the ranges of four runs, all of them predictions (source: ReBBR, Linux 4.11). "
    "{ranges} Lines: Reno's square-root law, 1.22 / sqrt(loss) segments a round trip (RFC 3649, 2),"
    " up to {reno} %, and CUBIC's law (RFC 9438, 5.1), up to {cubic} %. With more losses the "
    "windows are so small that timeouts decide. Reno and CUBIC slow down after each loss, whatever "
    "lost the packet. BBR follows the rate at which data arrive."
)


def draw() -> style.Drawing:
    """Draw a curve a congestion control, with its law and its stars."""
    system = systems[SYSTEM]
    table = sweep(system)
    figure, axes = style.one(4.2)
    for control, points, look in marks.families(table, "congestion_control"):
        of = points.groupby("path_loss").throughput_Bps.agg(["first", "min", "max"]) / MBPS
        simulated = of.index * 100, of["first"]
        axes.vlines(of.index * 100, of["min"], of["max"], color=look[0], linewidth=2.5, alpha=0.45)
        marks.curve(axes, look, simulated, label=NAMES[control])
        if law := _law(system, control):
            axes.plot(*law, color=look[0], linestyle=look[1], label=f"{NAMES[control]}'s law")
        for row in _measured(system, control):
            _star(axes, system, row, look)
    full = value(system, "path_rate") / 1e6
    marks.level(axes, full, f"{said(system, 'path_rate')}", 0.012)
    axes.set(xlabel="packets lost (%)", ylabel="throughput of the transfer (Mbit/s)")
    marks.scales(axes, "xy", x=[0.01, 0.03, 0.1, 0.3, 1, 2, 5], y=[0.3, 1, 3, 10, 30, 100])
    axes.set_ylim(bottom=LEAST_MBPS)
    marks.star(axes, ([], []), label="as measured", **_open("black"))
    axes.legend(*gaps.entries(axes), title="congestion control", loc="lower left")
    words = {
        "draws": DRAWS,
        "few": min(LOSSES.values()),
        "said": f"{SAID_LOSS * 100:g}",
        "rate": said(system, "path_rate"),
        "rtt": said(system, "rtt"),
    }
    caption = CAPTION.format(ranges=_ranges(system, table), **LAW_HOLDS_TO_PCT, **words)
    return style.Drawing(figure, table, caption, _title(table, words["rate"]))


def sweep(system: System) -> style.Table:
    """Run a transfer a control, loss and seed."""
    first = value(system, SEED)
    jobs = {
        (control, loss, seed): system.with_(
            congestion_control=control, path_loss=loss, job_size=job_B, seed=seed
        )
        for control in NAMES
        for loss, job_B in sorted(_jobs_B(system, control).items())
        for seed in range(first, first + _draws(control, loss))
    }
    names = ("congestion_control", "path_loss", SEED)
    return swept("throughput against losses", names, jobs, rates(lossy_path.law_rate_Bps))


def _title(table: style.Table, rate: str) -> str:
    of = table[table.path_loss == SAID_LOSS].groupby("congestion_control").throughput_Bps
    own, low, high = (found["cubic"] / MBPS for found in (of.first(), of.min(), of.max()))
    words = {"cubic": own, "low": low, "high": high, "bbr": of.first()["bbr"] / MBPS}
    return TITLE.format(loss=SAID_LOSS * 100, draws=DRAWS, rate=rate, **words)


def _jobs_B(system: System, control: str) -> dict[float, int]:
    """Return the size of a control's transfer for each fraction that is lost."""
    measured = {
        _loss_pct(system, row) / 100: value(system.with_(**row.with_), "job_size")
        for row in _measured(system, control)
    }
    if control == "bbr":
        return dict.fromkeys([*PACED_LOSSES, *measured], max(measured.values()))
    segments = {loss: many / loss for loss, many in LOSSES.items()}
    jobs_B = {loss: round(count * value(system, "mss")) for loss, count in segments.items()}
    return jobs_B | measured


def _draws(control: str, loss: float) -> int:
    """Return the number of seeds: a transfer of BBR's takes two seconds of processor time."""
    return 1 if control == "bbr" and loss in PACED_LOSSES else DRAWS


def _measured(system: System, control: str) -> list[Measured]:
    """Return what was measured under a control over the path as it is."""
    own = {"congestion_control": system.settings["congestion_control"].text}
    return [
        row
        for row in system.measured
        if (own | row.with_)["congestion_control"] == control and "rtt" not in row.with_
    ]


def _law(system: System, control: str) -> tuple | None:
    if control not in LAW_HOLDS_TO_PCT:
        return None
    first = min(_jobs_B(system, control))
    losses = between(first, LAW_HOLDS_TO_PCT[control] / 100, 50)
    changed = system.with_(congestion_control=control, job_size=100_000)
    _, on_paper = line(changed, "path_loss", losses, lossy_path.law_rate_Bps, MBPS)
    return [loss * 100 for loss in losses], on_paper


def _loss_pct(system: System, row: Measured) -> float:
    return float(row.with_.get("path_loss", value(system, "path_loss"))) * 100


def _ranges(system: System, table: style.Table) -> str:
    """Return which markers lie in the range that was measured, and which do not."""
    rates_Bps = table.groupby(["congestion_control", "path_loss"]).throughput_Bps.first()
    found: dict[tuple[str, str], list[float]] = {}
    for control, row in ((name, row) for name in NAMES for row in _measured(system, name)):
        at_pct = _loss_pct(system, row)
        if row.low is None or row.high is None:
            continue
        rate = rates_Bps[control, at_pct / 100] / MEASURED[row.unit]
        place = "below" if rate < row.low else "above" if rate > row.high else "within"
        found.setdefault((control, place), []).append(at_pct)
    parts = []
    for (control, place), pcts in sorted(found.items()):
        losses = ", ".join(f"{at_pct:g}" for at_pct in sorted(pcts))
        parts.append(f"{NAMES[control]}'s markers lie {place} the measured range at {losses} %.")
    return " ".join(parts)


def _star(axes: style.Axes, system: System, row: Measured, look: tuple) -> None:
    """In the colour of its curve, with its range."""
    x = _loss_pct(system, row)
    size = MEASURED[row.unit] / MBPS
    marks.star(axes, (x, row.value * size), **_open(look[0]))
    if row.low is not None:
        axes.vlines(x, row.low * size, row.high * size, color=look[0], linewidth=0.8)


def _open(colour: str) -> dict[str, object]:
    """Return a star that hides no marker."""
    return {"color": "none", "markeredgecolor": colour, "markersize": 10}
