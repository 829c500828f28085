# SPDX-License-Identifier: GPL-2.0-only
"""A transfer's second half, predicted from what the first one shows alone; and what that does not
show as the whole does."""

from dataclasses import replace

from study.base.errors import StudyError
from study.captures.connection import Connection
from study.diagnosis.compare import Half, half_of
from study.diagnosis.finding import Finding
from study.diagnosis.halves import first_half
from study.diagnosis.judge import budget
from study.diagnosis.parameters import Found, parameters
from study.diagnosis.parameters_job import LARGEST_WRITE_B
from study.diagnosis.system_file import loaded, toml_of
from study.diagnosis.transfer import Transfer
from study.diagnosis.vantage import find_vantage

HELD_BY = ("receive_window", "send_buffer", "path_rate", "path_queue", "port_rate", "drain_pause")
WRITES = ("first_write", "write_size")
LOSSES_BY_CHANCE = "which of its packets are lost, which is chance"
SIZES = ("job_size", "commands")  # of all that was carried; a half shows half of it


def second_half(name: str, seen: Connection, found: Found, capture: str) -> Half | None:
    """What the first half predicts, beside how it went; None where a half says nothing."""
    half = first_half(seen)
    if half is None:
        return None
    try:
        early = parameters(half, budget(half, find_vantage(seen, "sender")).limits_s)
    except StudyError:
        return None
    if early.scenario != found.scenario:
        return None
    whole = {key: each.value for key in SIZES if (each := found.get(key)) is not None}
    for key in WRITES:
        each = early.get(key)
        if each is not None and each.basis == "assumed":  # as large as all that is seen
            whole[key] = min(whole["job_size"], LARGEST_WRITE_B)
    chance = _by_chance(early, half)
    predicted = half_of(seen, loaded(name, toml_of(name, half, chance, capture)).with_(**whole))
    if predicted is None:
        return None
    unlike = [_unlike(early, found)]
    if chance is not early or _lost(seen) > _lost(half):
        unlike.append(LOSSES_BY_CHANCE)
    return replace(predicted, unlike="; ".join(filter(None, unlike)))


def _lost(connection: Connection) -> int:
    return len(Transfer(connection).lost_rows)


def _unlike(half: Found, whole: Found) -> str:
    """The numbers that half of a transfer shows otherwise than all of it."""
    told = []
    for key in HELD_BY:
        ours, theirs = half.get(key), whole.get(key)
        if ours is None and theirs is None:
            continue
        if ours is None or theirs is None or ours.basis != theirs.basis or _apart(ours, theirs):
            shown = [each.text if each else "not seen" for each in (ours, theirs)]
            if shown[0] != shown[1]:
                told.append(f"{key} {shown[0]}, of the whole {shown[1]}")
    return "; ".join(told)


def _apart(ours: Finding, theirs: Finding) -> bool:
    """By more than a tenth, in their units."""
    if ours.unit != theirs.unit or isinstance(ours.value, str):
        return ours.text != theirs.text
    return abs(ours.value - theirs.value) > 0.1 * abs(theirs.value)


def _by_chance(found: Found, half: Connection) -> Found:
    """What was found, with losses of the same share in the place of a list of those seen: those of
    the rest are not known."""
    listed = found.get("path_lost_packets")
    if listed is None:
        return found
    part = len(listed.value.split(",")) / max(len(Transfer(half).sent_rows), 1)
    loss = replace(listed, key="path_loss", value=float(f"{part:.4g}"), unit="1")
    return replace(
        found, findings=tuple(loss if each is listed else each for each in found.findings)
    )
