# SPDX-License-Identifier: GPL-2.0-only
"""What a capture shows as a system's file, which `study run`, `explain` and `what-if` take like any
other: each number with its packets, what was measured, and what the model has not."""

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from study.base.errors import StudyError
from study.captures.connection import Connection
from study.diagnosis.finding import Finding
from study.diagnosis.large import whole_of
from study.diagnosis.parameters import Found
from study.diagnosis.transfer import Transfer
from study.kit.systems import load
from study.programs.declaration import declaration
from study.system.system import System

LICENCE = "# SPDX-License-Identifier: GPL-2.0-only"
MADE = "# Made by `study diagnose` of "  # by which a file that may be made again is known
HEAD_LINES = 8
RATE_INPUTS = ("port_rate", "path_rate", "link_rate")  # derived from a rate that the job went at
NEEDS = {"print-job": {"host_delayed_ack": "no capture tells it"}}


@dataclass(frozen=True)
class Row:
    """A figure of [[measured]]."""

    quantity: str
    kind: str
    value: float
    unit: str
    source: str
    used_as: str = "prediction"


def toml_of(name: str, connection: Connection, found: Found, capture: str) -> str:
    """The text of the file."""
    return (
        "\n".join(
            [
                *_head(connection, found, capture),
                *_parameters(found),
                *_rows(connection, found),
                *_missing(found),
            ]
        )
        + "\n"
    )


def check_own(path: Path) -> None:
    """Raise where somebody else wrote the file that would be overwritten."""
    if not _may_be_written(path):
        raise StudyError(
            f"-o: {path} is there, and study diagnose has not made it: give another name, as in "
            f"{free_name(path)}"
        )


def free_name(path: Path) -> Path:
    """The path itself, or one like it at which nothing of somebody else's stands."""
    others = (path.with_stem(f"{path.stem}-diagnosed{n or ''}") for n in ("", *range(2, 100)))
    return next(filter(_may_be_written, (path, *others)), path)


def _may_be_written(path: Path) -> bool:
    if not path.is_file():
        return not path.is_dir()
    try:
        with path.open("rb") as file:
            return any(line.startswith(MADE.encode()) for line in islice(file, HEAD_LINES))
    except OSError:
        return False


def loaded(name: str, text: str, kind: type[System] = System) -> System:
    """The system of such a text, without a file that stays, and that no error names."""
    with tempfile.TemporaryDirectory(prefix="study-") as folder:
        path = Path(folder) / f"{name}.toml"
        path.write_text(text)
        system = load(path, kind)
    settings = {key: replace(each, place="") for key, each in system.settings.items()}
    return replace(system, settings=settings, typed="")


def _head(connection: Connection, found: Found, capture: str) -> Iterator[str]:
    sender, receiver = Transfer(connection).names
    yield LICENCE
    yield "#"
    yield f"{MADE}{capture}. Packets are numbered as there, and times are"
    yield "# between two stamps. A bound says what a number is at least (low) or at most (high):"
    yield "# the window, the program or the end of the capture hid the rest."
    yield ""
    if found.scenario == "request-reply":
        title = f"{connection.client} asks {connection.server}, as {capture} shows it"
    else:
        title = f"{sender} to {receiver}, as {capture} shows it"
    yield f"title = {_text(title)}"
    yield f"scenario = {_text(found.scenario)}"
    if found.host:
        yield f"host = {_text(found.host)}"
    yield ""
    yield "[[source]]"
    yield 'id = "capture"'
    yield f"title = {_text(capture)}"


def _parameters(found: Found) -> Iterator[str]:
    """By the part of the scenario that they belong to, in the order of its declaration."""
    declared = declaration(found.scenario).parameters
    order = list(declared)
    yield ""
    yield "[parameters]"
    group = ""
    for each in sorted(found.findings, key=lambda finding: order.index(finding.key)):
        if declared[each.key].group != group:
            group = declared[each.key].group
            yield f"# the {group}"
        yield f"{each.key} = {{ {_entry(each)} }}"


def _entry(finding: Finding) -> str:
    parts = [f"value = {_value(finding.value)}"]
    if finding.unit:
        parts.append(f"unit = {_text(finding.unit)}")
    parts.append(f"basis = {_text(finding.basis)}")
    parts.append(f"source = {_text(finding.source)}")
    if finding.basis == "bound":
        ends = (("low", finding.low), ("high", finding.high))
        parts += [f"{name} = {_value(end)}" for name, end in ends if end is not None]
    return ", ".join(parts)


def measured_rows(connection: Connection, found: Found) -> list[Row]:
    """Rate and cycle, so that the simulation's residuals stand beside them."""
    transfer = Transfer(connection)
    if transfer.is_fragment or connection.duration_s <= 0:
        return _cycle_rows(transfer)
    numbers = transfer.number
    span = f"packets {int(numbers[0])} to {int(numbers[-1])}"
    seconds = connection.duration_s
    if found.scenario == "request-reply":
        commands = found["commands"].value
        took_s = f"{float(f'{seconds:.6g}')} s for {commands} commands, {span}"
        return [Row("all commands", "operation", float(f"{seconds:.6g}"), "s", took_s)]
    fitted = any(
        (each := found.get(key)) is not None and each.basis == "derived" for key in RATE_INPUTS
    )
    used = "input" if fitted else "prediction"
    whole = whole_of(connection)
    seconds, carried_B = transfer.job_s, whole.carried_B(transfer.sender_is_client)
    span = f"packets {int(numbers[0])} to {int(whole.packets['number'][-1])}"
    rate = float(f"{carried_B / seconds:.6g}")
    told = f"{carried_B} B in {seconds:.6f} s, until the last is acknowledged, {span}"
    rows = [Row("rate of the whole job", "whole_job_rate", rate, "B/s", told, used)]
    return rows + _cycle_rows(transfer)


def _cycle_rows(transfer: Transfer) -> list[Row]:
    """The steady cycle, where one window is acknowledged like the other."""
    from study.diagnosis.cycle import steady_cycle

    cycle = steady_cycle(transfer)
    if cycle is None:
        return []
    took_s, carried_B, count, packets = cycle
    source = f"the median of {count:,} from ACK to ACK, each of {carried_B:,} B, {packets}"
    value = float(f"{took_s * 1e6:.6g}")
    rate = float(f"{carried_B / took_s:.6g}")
    return [
        Row("steady cycle", "steady_cycle", value, "us", source, "input"),
        Row("rate of the steady cycle", "cycle_rate", rate, "B/s", source, "input"),
    ]


def _rows(connection: Connection, found: Found) -> Iterator[str]:
    for row in measured_rows(connection, found):
        yield ""
        yield "[[measured]]"
        yield f"quantity = {_text(row.quantity)}"
        yield f"kind = {_text(row.kind)}"
        yield f"value = {_value(row.value)}"
        yield f"unit = {_text(row.unit)}"
        yield 'basis = "measured"'
        yield f"source = {_text(row.source)}"
        yield f"used_as = {_text(row.used_as)}"


def _missing(found: Found) -> Iterator[str]:
    if found.not_modelled:
        yield ""
        yield "# What the transfer has and the model has not: what-if refuses what rests on it."
        yield "[not_modelled]"
    known = declaration(found.scenario).parameters
    for each in found.not_modelled:
        blocks = [key for key in each.blocks if key in known]
        told = f", blocks = [{', '.join(map(_text, blocks))}]" if blocks else ""
        yield f"{each.name} = {{ what = {_text(each.what)}{told} }}"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return _text(value) if isinstance(value, str) else str(value)


def _text(text: str) -> str:
    """JSON's escapes are TOML's."""
    return json.dumps(text, ensure_ascii=False)
