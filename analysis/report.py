# SPDX-License-Identifier: GPL-2.0-only
"""What `study run` prints: for a system as measured the result, what limited it, and the measured
figures beside it; for a what-if the job before and after the change."""

from collections.abc import Callable, Mapping

from analysis.declaration import declaration
from analysis.quantities import compare
from analysis.reproduction import inside, number, percent
from analysis.system import Result, System

INPUT_NOTE = (
    "input: a parameter was set from this figure, alone or as one of a sample whose median was "
    "taken; prediction: no parameter was set from it"
)
LIMITS = "what limited it"
PROCESSOR = "what the processor did"


def as_measured(system: System, result: Result) -> str:
    """The system as its file has it."""
    blocks = [_title(system), _outcome(result), _split(LIMITS, result.limits_s)]
    if "cpu_s" in result.record:
        blocks.append(_split(PROCESSOR, result.record["cpu_s"]))
    if system.measured and result.outcome == "finished":
        blocks.append(_measured(system, result))
    return "\n\n".join(blocks)


def what_if(system: System, before: Result, changed: System, after: Result) -> str:
    """The job before and after a change. The measured figures belong to the system as it is: in
    another job the packets that they were read off are not there, or are others."""
    note = f"measured figures are compared with the unchanged system: study run {system.name}"
    blocks = [_title(system), _changes(system, changed), _jobs(before, after)]
    blocks.append(_splits_compared(LIMITS, before.limits_s, after.limits_s))
    if "cpu_s" in after.record:
        done = (before.record["cpu_s"], after.record["cpu_s"])
        blocks.append(_splits_compared(PROCESSOR, *done))
    return "\n\n".join([*blocks, note] if system.measured else blocks)


def _title(system: System) -> str:
    return f"{system.name}: {system.title}"


def _changes(system: System, changed: System) -> str:
    lines = []
    if changed.host != system.host:
        before = system.host or "a host of its own"
        lines.append(f"changed       host = {changed.host} (the system has {before})")
    for key, value in changed.changes.items():
        setting = system.settings.get(key)
        parameter = declaration(system.scenario).parameter(key)
        before = (
            f"{setting.value} {setting.unit}".strip()
            if setting
            else f"the default, {parameter.with_unit(parameter.default)}"
        )
        lines.append(f"changed       {key} = {value} (the system has {before})")
    return "\n".join(lines)


def _outcome(result: Result) -> str:
    return "\n".join(f"{name:<14}{text}" for name, text in _facts(result).items())


def _facts(result: Result) -> dict[str, str]:
    """What a job comes to; without a rate unless it finished."""
    rate = {"throughput": f"{result.throughput_Bps:,.1f} B/s"} if result.throughput_Bps else {}
    ended = (
        "finished"
        if result.outcome == "finished"
        else f"{result.outcome} after {result.duration_s:,.3f} s: {result.reason}"
    )
    return rate | {
        "duration": f"{result.duration_s:,.3f} s",
        "bytes": f"{result.bytes:,}",
        "ended": ended,
    }


def _jobs(before: Result, after: Result) -> str:
    first, second = _facts(before), _facts(after)
    ended = dict.fromkeys([first.pop("ended"), second.pop("ended")])  # once, when both are the same
    wide = max(map(len, first.values()))
    names = max(first, second, key=len)  # only a finished job has a rate
    lines = [
        f"{name:<14}{first.get(name, 'none'):>{wide}} → {second.get(name, 'none')}"
        for name in names
    ]
    return "\n".join([*lines, f"{'ended':<14}{' → '.join(ended)}"])


def _share(parts_s: Mapping[str, float]) -> tuple[float, Callable[[float], float]]:
    """All of the time, and what percentage of it a part is."""
    total_s = sum(parts_s.values())
    return total_s, lambda part_s: part_s / total_s * 100 if total_s else 0.0


def _split(title: str, parts_s: Mapping[str, float]) -> str:
    """Every part that took time; the seconds add up to the duration and the percents to 100."""
    total_s, share = _share(parts_s)
    items = sorted(parts_s.items(), key=lambda item: -item[1])
    lines = [f"{title:<24}{'s':>12}{'%':>8}"]
    for key, time_s in [(key, time_s) for key, time_s in items if time_s] + [("all", total_s)]:
        lines.append(f"{key.replace('_', ' '):<24}{time_s:>12.3f}{share(time_s):>8.2f}")
    return "\n".join(lines)


def _splits_compared(title: str, before: Mapping[str, float], after: Mapping[str, float]) -> str:
    """The same for two runs side by side, in the order of the larger share of either."""
    (before_s, share_before), (after_s, share_after) = _share(before), _share(after)
    rows = [(key.replace("_", " "), before.get(key, 0.0), time_s) for key, time_s in after.items()]
    rows = [row for row in rows if row[1] or row[2]]
    rows.sort(key=lambda row: -max(share_before(row[1]), share_after(row[2])))
    lines = [f"{title:<24}{'s':>12}{'%':>8} →{'s':>12}{'%':>8}"]
    for name, first_s, second_s in [*rows, ("all", before_s, after_s)]:
        first = f"{first_s:>12.3f}{share_before(first_s):>8.2f}"
        second = f"{second_s:>12.3f}{share_after(second_s):>8.2f}"
        lines.append(f"{name:<24}{first} →{second}")
    return "\n".join(lines)


def _measured(system: System, result: Result) -> str:
    from tabulate import tabulate

    table = []
    for comparison in compare(system, result):
        measured = comparison.measured
        table.append(
            [
                measured.quantity,
                "" if measured.unit == "1" else measured.unit,
                measured.text,
                number(comparison.closed_form, measured.unit),
                number(comparison.simulated, measured.unit) or "not sent",
                percent(comparison.residual_pct, "+.2f")
                + inside(comparison, ", inside", ", outside"),
                measured.used_as,
            ]
        )
    headers = [
        "quantity",
        "unit",
        "measured",
        "closed form",
        "simulated",
        "residual %",
        "used as",
    ]
    align = ("left", "left", "right", "right", "right", "right", "left")
    body = tabulate(table, headers, tablefmt="simple", colalign=align, disable_numparse=True)
    return f"{body}\n{INPUT_NOTE}"
