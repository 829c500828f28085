# SPDX-License-Identifier: GPL-2.0-only
"""Output of `study run`: the result and the limit."""

from collections.abc import Mapping, Sequence

from study.answers import caveats
from study.answers.on_paper import on_paper
from study.base.called import called
from study.base.project import HOSTS, shown
from study.kit.chance import LEAST_LOSSES, one_draw
from study.kit.lost import lost
from study.programs import values
from study.programs.declaration import declaration
from study.system.system import Result, System
from study.system.unscaled import that_followed
from study.trials.job_sizes import losses_of

LIMITS = "what limited it"
PROCESSOR = "what the processor did"
# A smaller part would read 0.00 %, or 0.000 s and almost nothing.
SHOWN_PCT, SHOWN_S, LITTLE_PCT = 0.005, 0.0005, 0.05


def own_job(system: System, result: Result) -> str:
    """Return the text for the unchanged job."""
    told = "\n".join(f"{'note':<14}{each}" for each in caveats.of_system(system))
    head = f"{system.name}: {system.title}"
    return "\n\n".join([head, *filter(None, [told]), *_job(system, result)])


def as_changed(system: System, changed: System, result: Result, idle: Sequence[str] = ()) -> str:
    """Return the text for a changed job. Measured figures are left out: they belong to the
    unchanged one, whose packets differ."""
    told = changes(system, changed) or ["nothing: these are the system's own values"]
    head = "\n".join(f"{'changed':<14}{change}" for change in told)
    head += "".join(f"\n{'note':<14}{text}" for text in (*caveats.of_hosts(changed), *idle))
    name = system.typed or system.name
    note = f"beside the unchanged job: study what-if {name} with the same options"
    return "\n\n".join([f"{system.name}: {system.title}", head, *_job(changed, result), note])


def in_part(system: System, of_B: int, *others: System) -> str:
    """Return a note on how much of a long job was run, and the command that runs all, empty for a
    whole run. It warns if the system, or another one, loses too few packets for an average."""
    if not of_B:
        return ""
    same = " with the same options" if system.changes else ""
    run = f"{called()} run {system.typed or system.name}{same}"
    first = f"estimated from the first {of_B:,} B: the rest goes at the rate of their second half"
    rare = [number for each in (system, *others) if (number := losses_of(each, of_B))]
    if rare and min(rare) < LEAST_LOSSES:
        first += f". The number of random losses in it, about {min(rare):.0f}, is too small for an"
        first += " average, so the whole job can be several times slower"
    return f"{first}; the whole job: {run}"


def changes(system: System, changed: System) -> list[str]:
    """Return a line for each change with the original value, or an empty list without changes."""
    lines = []
    if changed.host != system.host:
        lines.append(f"host = {changed.host} (the system has {system.host or 'one of its own'})")
    if changed.peer != system.peer:
        own = system.peer or "one of its own"
        lines.append(f"{system.peer_end} = {changed.peer} (the system has {own})")
    for key, (own, value) in differences(system, changed).items():
        default = "" if key in system.settings else "the default, "
        lines.append(f"{key} = {value} (the system has {default}{own})")
    return lines


def differences(system: System, changed: System) -> dict[str, tuple[str, str]]:
    """Return the original and the new value of each parameter that differs."""
    declared, own, new = declaration(system.scenario), system.parameters(), changed.parameters()
    said_otherwise = [key for each in changed.changes if (key := declared.alternative(each))]
    return {
        key: values.both_for_a_reader(declared.parameter(key), own[key], new[key])
        for key in dict.fromkeys(
            [
                *changed.changes,
                *said_otherwise,
                *that_followed(changed.settings),
                *_replaced(system, changed),
            ]
        )
        if own[key] != new[key]
    }


def _replaced(system: System, changed: System) -> list[str]:
    """Return the parameters of the system's own file that a host profile has replaced, such as the
    size of the program's writes."""
    profiles = shown(HOSTS)
    own = [key for key, each in system.settings.items() if not each.place.startswith(profiles)]
    kept = changed.settings
    return [key for key in own if key not in kept or kept[key].place.startswith(profiles)]


def _job(system: System, result: Result) -> list[str]:
    """Return how the job ended, its caveats and where its time went."""
    ended = "\n".join(f"{name:<14}{text}" for name, text in facts(result).items())
    notes = [one_draw(system, result.record), caveats.of_default(system, result)]
    notes.append(caveats.of_unchosen(system, result))
    if result.throughput_Bps:
        notes.append(on_paper(system.scenario, result, system.parameters()).short())
    return [ended, *filter(None, notes), *split_tables(result)]


def facts(result: Result) -> dict[str, str]:
    """Return the job's results by name; the throughput only if it finished."""
    found = {"throughput": f"{result.throughput_Bps:,.1f} B/s"} if result.throughput_Bps else {}
    found |= {"duration": f"{result.duration_s:,.3f} s", "bytes": f"{result.bytes:,}"}
    if command_s := result.record.get("command_s"):
        found["a command"] = f"{command_s * 1000:,.3f} ms"
    if needless := result.record.get("needless_retransmissions"):
        found["spurious"] = f"{needless:,} retransmitted packets that had arrived"
    if missing := lost(result.record):
        found["not arrived"] = f"\n{'':<14}".join(missing)
    ended = result.outcome
    if ended != "finished":
        ended += f" after {result.duration_s:,.3f} s: {result.reason}"
    return found | {"ended": ended}


def share_pct(parts_s: Mapping[str, float], key: str) -> float:
    """Return a part's percentage of the total time."""
    total_s = sum(parts_s.values())
    return parts_s.get(key, 0.0) / total_s * 100 if total_s else 0.0


def splits(result: Result) -> dict[str, dict[str, float]]:
    """Return the job's time by limit, and the processor's by activity if one is modelled."""
    named = {LIMITS: result.limits_s, PROCESSOR: result.record.get("cpu_s")}
    return {title: parts_s for title, parts_s in named.items() if parts_s is not None}


def split_tables(result: Result) -> list[str]:
    """Return a table for each split. Seconds add up to the duration and percentages to 100, except
    for parts too small to show."""
    tables = []
    for title, parts_s in splits(result).items():
        lines = [f"{title:<24}{'s':>12}{'%':>8}"]
        for key, part_s in sorted(parts_s.items(), key=lambda part: -part[1]):
            if _is_shown(parts_s, key):
                name = key.replace("_", " ")
                lines.append(f"{name:<24}{part_s:>12.3f}{share_pct(parts_s, key):>8.2f}")
        lines.append(f"{'all':<24}{sum(parts_s.values()):>12.3f}{100:>8.2f}")
        tables.append("\n".join(lines))
    return tables


def _is_shown(parts_s: Mapping[str, float], key: str) -> bool:
    share = share_pct(parts_s, key)
    return share >= SHOWN_PCT and (parts_s[key] >= SHOWN_S or share >= LITTLE_PCT)
