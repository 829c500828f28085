# SPDX-License-Identifier: GPL-2.0-only
"""Caveats of an answer: a parameter stands for something else in this system, a host profile is
unjudged, losses given by packet number meet other packets after a change, or a default decides."""

from dataclasses import replace

from study.base.called import called
from study.kit.link import CHOICE, other_link
from study.programs.declaration import declaration
from study.programs.labels import spelt
from study.programs.values import for_a_reader
from study.system.hosts import hosts
from study.system.system import Result, System
from study.trials.reliefs import first_key

# Percentage of the job's time: below it, losses do not matter.
LITTLE_PCT = 1.0
MAIN_SHARE = 0.5  # of the time: a limit with this fraction is the job's main limit
LOSSES = ("loss_recovery", "congestion_window")
LINE = "link"  # the limit that a line's rate belongs to
ROOM = ("drain", "window_update")  # the limits of a sender that waits for the device
CHOSEN = ("B", "bit/s")  # units of what somebody chooses: sizes and rates
SAME_RATE = "0bps"  # of the other direction
LESS_B = 64  # a smaller size for a port
OTHERS = (
    "after the change other packets may have these numbers, and their loss may cost more or less"
)


def of_change(system: System, changed: System, before: Result, after: Result) -> list[str]:
    """Return the caveats of a change from one system into another, a sentence each."""
    differing = _differing(system, changed)
    told = [f"the change is of {what}, not of a line" for what in _standing(system, differing)]
    by_numbers = filter(None, [by_number(system, changed, before, after)])
    return [*of_hosts(changed), *told, *by_numbers]


def by_number(system: System, changed: System, before: Result, after: Result) -> str:
    """Return the caveat for losses given by packet number if something else changes, empty if
    losses take little of the time."""
    differing, lists = _differing(system, changed), lost_by_number(changed)
    if not differing or not set(lists) - set(differing):
        return ""
    weigh = any(map(_losses_weigh, (before, after)))
    return f"losses by packet number ({', '.join(lists)}): {OTHERS}" if weigh else ""


def of_system(system: System) -> list[str]:
    """Return caveats of a system: parameters that stand for something else, unjudged host profiles,
    and what its file gives of a link that it does not use."""
    standing = _standing(system, list(system.settings))
    return [*of_hosts(system), *standing, *_of_another_link(system)]


def _of_another_link(system: System) -> list[str]:
    declared, own = declaration(system.scenario), replace(system, changes={}).parameters()
    links = {key: other_link(declared.parameter(key), own) for key in system.settings}
    return [
        f"{key}: no effect, because it belongs to --link {link} and this system uses {own[CHOICE]}:"
        f" give --link {link}"
        for key, link in links.items()
        if link
    ]


def of_hosts(system: System) -> list[str]:
    """Return a sentence for each of the system's host profiles that no measurement has judged."""
    named = {system.host, system.peer}
    found = {name: hosts[name].unjudged for name in hosts if name in named}
    return [f"the host profile {name} is unjudged: {why}" for name, why in found.items() if why]


def of_default(system: System, result: Result) -> str:
    """Return the caveat for a port whose chunk size is not given, on which its window updates
    depend, empty if it is given or takes little time."""
    own = system.parameters()
    if "port_rate" not in system.given or "port_chunk" in system.given:
        return ""
    took_s = sum(result.limits_s.get(key, 0.0) for key in ROOM)
    is_whole = int(own["port_chunk"]) >= int(own["receive_window"])
    if not is_whole or took_s * 100 < LITTLE_PCT * result.duration_s:
        return ""
    name = system.typed or system.name
    return (
        "port_chunk is not given: the port takes the whole window at a time, and then all of it is"
        " free; a port that takes less may have another rate:"
        f" {called()} what-if {name} --port-chunk {LESS_B}"
    )


def of_unchosen(system: System, result: Result) -> str:
    """Return the caveat for sizes and rates that the main limit rests on and that are defaults of a
    host profile or the program, empty if there are none."""
    declared, total_s = declaration(system.scenario), sum(result.limits_s.values()) or 1.0
    name = max(result.limits_s, key=result.limits_s.__getitem__, default="")
    share = result.limits_s.get(name, 0.0) / total_s
    if share < MAIN_SHARE or name not in declared.limits:
        return ""
    entry, own = declared.limits[name], system.parameters()
    firsts = [first_key(each) for each in (*entry.reliefs, *entry.behind)]
    told = []
    for key in dict.fromkeys(firsts):
        parameter = declared.parameter(key)
        says_nothing = own[key] in (parameter.word, SAME_RATE) or other_link(parameter, own)
        if parameter.unit in CHOSEN and not says_nothing and (whose := _whose(system, key)):
            told.append(f"{key} {for_a_reader(parameter, own[key])} ({whose})")
    if not told:
        return ""
    return (
        f"{spelt(name)} {share * 100:.0f} % of the time. This limit depends on values that neither "
        f"you nor the system's file gave: {', '.join(told)}"
    )


def _whose(system: System, key: str) -> str:
    """Return the origin of a value that is a default, empty if the user or the system gave it."""
    if key in system.changes:
        return ""
    setting = system.settings.get(key)
    if setting is None:
        return "the default"
    profiles = [name for name in (system.host, system.peer) if name]
    return next((f"of {name}" for name in profiles if f"/{name}.toml" in setting.place), "")


def in_words(system: System, changed: System, words: str) -> str:
    """Return the change's name, or what its parameter stands for."""
    standing = _standing(system, _differing(system, changed))
    return "; ".join(f"another {what}" for what in standing) or words


def limit(system: System, name: str) -> str:
    """Return a limit's name, with what its rate stands for in this system."""
    told = [
        setting.stands_for
        for key, setting in system.settings.items()
        if setting.stands_for and name == LINE and key.endswith("_rate")
    ]
    return f"{spelt(name)}: {told[0]}" if told else spelt(name)


def lost_by_number(system: System) -> list[str]:
    """Return the keys of the system's lists of lost packets."""
    return [key for key, text in system.parameters().items() if "lost_packets" in key and text]


def _differing(system: System, changed: System) -> list[str]:
    own = system.parameters()
    return [key for key, text in changed.parameters().items() if own[key] != text]


def _standing(system: System, keys: list[str]) -> list[str]:
    found = {key: system.settings[key].stands_for for key in keys if key in system.settings}
    return [f"{key}, which stands for {what}" for key, what in found.items() if what]


def _losses_weigh(result: Result) -> bool:
    took_s = sum(result.limits_s.get(key, 0.0) for key in LOSSES)
    return took_s * 100 >= LITTLE_PCT * result.duration_s
