# SPDX-License-Identifier: GPL-2.0-only
"""The fitted system as a file that `study run`, `explain` and `what-if` take like any other."""

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

from study.base.errors import StudyError
from study.diagnosis.candidate import PRINT_JOB
from study.diagnosis.finding import Finding, finding
from study.diagnosis.synthesis import EXCHANGE, Answer
from study.kit.systems import load
from study.programs.declaration import declaration
from study.programs.values import read
from study.system.hosts import hosts
from study.system.system import System

LICENCE = "# SPDX-License-Identifier: GPL-2.0-only"
MADE = "# Made by `study diagnose` of "  # by which a file that may be made again is known
# What a candidate takes from the packets themselves.
FROM_PACKETS = {
    "mss", "device_mss", "client_mss", "server_mss", "host_timestamps", "device_timestamps",
    "host_sack", "device_sack", "receive_window", "device_first_window", "client_window",
    "server_window", "job_size", "turns", "commands", "command_text", "command_end", "echo",
    "reply_writes", "reply_write", "path_lost_packets", "path_lost_packets_back",
}  # fmt: skip
DERIVED = {
    "rtt", "path_rate", "initial_window", "ack_frequency", "device_quick_acks", "server_time",
    "client_time", "command_write_time", "reply_write_time", "write_size", "first_write",
    "port_rate", "port_chunk", "override_timeout",
}  # fmt: skip

TIMER = "delayed_ack_timeout"  # a host's usual one, or that of a last ACK which waited for it


@dataclass(frozen=True)
class Told:
    """What a file is made of."""

    capture: str
    ends: tuple[str, str]  # sender and receiver
    packets: tuple[int, int]  # first and last of the stretch
    answer: Answer


def findings(answer: Answer) -> list[Finding]:
    """Return the numbers of the nearest candidate that are not the program's own values."""
    best = answer.best
    declared = declaration(best.candidate.scenario)
    free = {each.key: each for each in best.candidate.free}
    usual = hosts["linux-6"].settings(PRINT_JOB, "device")[TIMER].text
    found = []
    for key, text in best.settings.items():
        parameter = declared.parameter(key)
        if read(parameter, text).text == parameter.default and key not in free:
            continue
        basis, source = "assumed", "a host's usual value; the capture does not show it"
        if key in free:
            start = free[key].text(free[key].start)
            source = f"fitted from {start}; the distance of the whole is {best.distance:.4f}"
            basis = "fitted"
        elif key in FROM_PACKETS:
            basis, source = "measured", "as the packets show it"
        elif key == "path_rate" and "path_rate_back" in free:
            source = "not seen, as ACKs wait on the line back; this one is wide enough"
        elif key in DERIVED or (key == TIMER and text != usual):
            basis, source = "derived", "from the times between packets"
        found.append(finding(declared, key, text, basis, source))
    return found


def toml_of(told: Told) -> str:
    """Return the text of the file."""
    lines = [*_head(told), *_parameters(told.answer), *_measured(told), *_missing(told.answer)]
    return "\n".join(lines) + "\n"


def check_own(path: Path) -> None:
    """Raise where somebody else wrote the file that would be overwritten."""
    if not _may_be_written(path):
        raise StudyError(
            f"-o: {path} is there, and study diagnose has not made it: give another name, as in "
            f"{free_name(path)}"
        )


def free_name(path: Path) -> Path:
    """Return the path itself, or one like it at which nothing of somebody else's stands."""
    others = (path.with_stem(f"{path.stem}-diagnosed{n or ''}") for n in ("", *range(2, 100)))
    return next(filter(_may_be_written, (path, *others)), path)


def _may_be_written(path: Path) -> bool:
    if not path.is_file():
        return not path.is_dir()
    try:
        with path.open("rb") as file:
            return any(line.startswith(MADE.encode()) for line in takewhile(_is_comment, file))
    except OSError:
        return False


def _is_comment(line: bytes) -> bool:
    return line.startswith(b"#")


def loaded(name: str, text: str, kind: type[System] = System) -> System:
    """Return the system of such a text, without a file that stays, and that no error names."""
    with tempfile.TemporaryDirectory(prefix="study-") as folder:
        path = Path(folder) / f"{name}.toml"
        path.write_text(text)
        system = load(path, kind)
    settings = {key: replace(each, place="") for key, each in system.settings.items()}
    return replace(system, settings=settings, typed="")


def _head(told: Told) -> Iterator[str]:
    best = told.answer.best
    yield LICENCE
    yield "#"
    yield f"{MADE}{told.capture}, packets {told.packets[0]} to {told.packets[1]}:"
    yield f"# the candidate system '{best.candidate.name}', whose simulation is nearest to them,"
    yield f"# at a distance of {best.distance:.4f} (0 is the same, 1 nothing alike)."
    yield ""
    verb = "asks" if best.candidate.scenario == EXCHANGE else "to"
    title = f"{told.ends[0]} {verb} {told.ends[1]}, as {told.capture} shows it"
    yield f"title = {_text(title)}"
    yield f"scenario = {_text(best.candidate.scenario)}"
    yield ""
    yield "[[source]]"
    yield 'id = "capture"'
    yield f"title = {_text(told.capture)}"


def _parameters(answer: Answer) -> Iterator[str]:
    """By the part of the scenario that they belong to, in the order of its declaration."""
    declared = declaration(answer.best.candidate.scenario).parameters
    order = list(declared)
    yield ""
    yield "[parameters]"
    group = ""
    for each in sorted(findings(answer), key=lambda one: order.index(one.key)):
        if declared[each.key].group != group:
            group = declared[each.key].group
            yield f"# the {group}"
        unit = f", unit = {_text(each.unit)}" if each.unit else ""
        basis = f"basis = {_text(each.basis)}, source = {_text(each.source)}"
        yield f"{each.key} = {{ value = {_value(each.value)}{unit}, {basis} }}"


def _measured(told: Told) -> Iterator[str]:
    """Yield the rate, so that the simulation's residual stands beside it."""
    curves, best = told.answer.curves, told.answer.best
    row = "rate of the whole job", "whole_job_rate", curves.rate_Bps, "B/s"
    if best.candidate.scenario == EXCHANGE:
        row = "all turns", "operation", max(curves.duration_s, 1e-6), "s"
    quantity, kind, value, unit = row
    yield ""
    yield "[[measured]]"
    yield f"quantity = {_text(quantity)}"
    yield f"kind = {_text(kind)}"
    yield f"value = {float(f'{value:.6g}')}"
    yield f"unit = {_text(unit)}"
    yield 'basis = "measured"'
    span = f"packets {told.packets[0]} to {told.packets[1]}"
    yield f"source = {_text(f'{curves.carried_B} B in {curves.duration_s:.6f} s, {span}')}"
    yield 'used_as = "input"'


def _missing(answer: Answer) -> Iterator[str]:
    missing = []
    if not answer.fits:
        off = f"the nearest {answer.best.distance:.2f} off"
        what = f"nothing that was tried gives these packets, {off}"
        missing.append(f"fit = {{ what = {_text(what)} }}")
    else:
        known = declaration(answer.best.candidate.scenario).parameters
        for each in answer.reliefs:
            keys = [key for key in each.change if key in known]
            if keys and not answer.tells(each.limit):
                low, high = answer.ranges[each.limit]
                what = f"the packets leave open whether it brings {low:+.0%} or {high:+.0%}"
                blocks = f"what = {_text(what)}, blocks = {json.dumps(keys)}"
                missing.append(f"{each.limit} = {{ {blocks} }}")
    if missing:
        yield from ("", "[not_modelled]", *missing)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return _text(value) if isinstance(value, str) else str(value)


def _text(text: str) -> str:
    """JSON's escapes are TOML's."""
    return json.dumps(text, ensure_ascii=False)
