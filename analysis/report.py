# SPDX-License-Identifier: GPL-2.0-only
"""What `study run` prints: the result, what limited it, and the measured figures beside it."""

from analysis.quantities import compare
from analysis.reproduction import number, percent
from analysis.system import Result, System

INPUT_NOTE = (
    "input: a parameter was derived from this figure, alone or as one of a sample whose median was "
    "taken; prediction: nothing was taken from it"
)


def report(system: System, result: Result) -> str:
    """The whole answer as text."""
    blocks = [f"{system.name}: {system.title}", _changes(system), _outcome(result), _limits(result)]
    if system.measured and result.outcome == "finished":
        blocks.append(_measured(system, result))
    return "\n\n".join(block for block in blocks if block)


def _changes(system: System) -> str:
    lines = []
    for key, value in system.changes.items():
        setting = system.settings.get(key)
        before = f"{setting.value} {setting.unit}".strip() if setting else "the default"
        lines.append(f"changed       {key} = {value} (the system has {before})")
    return "\n".join(lines)


def _outcome(result: Result) -> str:
    lines = []
    if result.throughput_Bps is not None:
        lines.append(f"throughput    {result.throughput_Bps:,.1f} B/s")
    lines.append(f"duration      {result.duration_s:,.3f} s")
    lines.append(f"bytes         {result.bytes:,}")
    if result.outcome == "finished":
        lines.append("ended         finished")
    else:
        lines.append(
            f"ended         {result.outcome} after {result.duration_s:,.3f} s: {result.reason}"
        )
    return "\n".join(lines)


def _limits(result: Result) -> str:
    """Every limit that took time; the seconds add up to the duration and the percents to 100."""
    total_s = sum(result.limits_s.values())
    items = sorted(result.limits_s.items(), key=lambda item: -item[1])
    lines = [f"{'what limited it':<24}{'s':>12}{'%':>8}"]
    for key, time_s in [(key, time_s) for key, time_s in items if time_s] + [("all", total_s)]:
        share = time_s / total_s * 100 if total_s else 0.0
        lines.append(f"{key.replace('_', ' '):<24}{time_s:>12.3f}{share:>8.2f}")
    return "\n".join(lines)


def _measured(system: System, result: Result) -> str:
    """A residual compares like with like; once a parameter was changed the last column is only a
    difference."""
    from tabulate import tabulate

    changed = bool(system.changes)
    last = "difference %" if changed else "residual %"
    table = []
    for comparison in compare(system.measured, result):
        measured = comparison.measured
        table.append(
            [
                measured.quantity,
                "" if measured.unit == "1" else measured.unit,
                f"{measured.value}",
                number(comparison.closed_form, measured.unit),
                number(comparison.simulated, measured.unit) or "not sent",
                percent(comparison.residual_pct, "+.2f"),
                measured.used_as,
            ]
        )
    title = "measured, unchanged system" if changed else "measured"
    headers = ["quantity", "unit", title, "closed form", "simulated", last, "used as"]
    align = ("left", "left", "right", "right", "right", "right", "left")
    body = tabulate(table, headers, tablefmt="simple", colalign=align, disable_numparse=True)
    return f"{body}\n{INPUT_NOTE}"
