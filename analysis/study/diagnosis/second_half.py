# SPDX-License-Identifier: GPL-2.0-only
"""A transfer's second half, predicted from what the first one shows alone; and what that does not
show as the whole does."""

from dataclasses import replace

from study.base.errors import StudyError
from study.captures.connection import Connection
from study.diagnosis.compare import Half, half_of
from study.diagnosis.finding import Finding, in_seconds, time_text
from study.diagnosis.halves import first_half, of_connection
from study.diagnosis.judge import budget
from study.diagnosis.parameters import Found, parameters
from study.diagnosis.parameters_job import LARGEST_WRITE_B
from study.diagnosis.system_file import loaded, toml_of
from study.diagnosis.transfer import Transfer
from study.diagnosis.vantage import find_vantage

HELD_BY = ("receive_window", "send_buffer", "path_rate", "path_queue", "port_rate", "drain_pause")
WRITES = ("first_write", "write_size")
LOSSES_BY_CHANCE = "which of its packets are lost, which is chance"
# What a program or a timer takes of itself: where the whole has it otherwise, the second half was
# twice as much so.
OWN_TIMES = ("write_time", "server_time", "client_time", "think_time")
OWN_TIMES += ("server_delayed_ack", "client_delayed_ack", "delayed_ack_timeout")
ELSE = 0.025
# What the model has not and what makes a half of its own.
OTHERWISE = {
    "writer_woken_late": "when its writer is woken, of which the model has the average",
    "pipelined_requests": "that its client asks ahead, which the model's does not",
    "joined_segments": "of what size the pieces are that leave at once, which the model has not",
}
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
    unlike = [_unlike(early, found), _by_program(early, found)]
    unlike += [OTHERWISE[each.name] for each in found.not_modelled if each.name in OTHERWISE]
    if chance is not early or _lost(seen) > _lost(half):
        unlike.append(LOSSES_BY_CHANCE)
    told = "; ".join(filter(None, unlike)) or _by_one(predicted, seen, found)
    return replace(predicted, unlike=told)


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


def _by_program(half: Found, whole: Found) -> str:
    """The times of programs that were others in the second half."""
    told = []
    for key in OWN_TIMES:
        ours, theirs = half.get(key), whole.get(key)
        if ours is None or theirs is None or "assumed" in (ours.basis, theirs.basis):
            continue
        if ours.unit == theirs.unit and abs(ours.value - theirs.value) > ELSE * theirs.value:
            told.append(f"{key} {ours.text}, of the whole {theirs.text}")
    return "; ".join(told)


def _by_one(half: Half, seen: Connection, found: Found) -> str:
    """Whether the second half is off by no more than one pause of the receiver's program, or one
    answer: which of two halves has that is chance."""
    rest_B = of_connection(seen).carried_B[-1] / 2
    off_s = abs(rest_B / half.simulated_Bps - rest_B / half.measured_Bps)
    rtt_s = _seconds(found.get("rtt"))
    if off_s <= rtt_s:
        return f"one answer more or less, {time_text(off_s)} of {time_text(rtt_s)}"
    pause_s = _seconds(found.get("drain_pause"))
    if pause_s and off_s <= pause_s + rtt_s:
        return f"one pause of the receiver more or less, {time_text(pause_s)}"
    return ""


def _seconds(finding: Finding | None) -> float:
    return 0.0 if finding is None else in_seconds(finding)


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
