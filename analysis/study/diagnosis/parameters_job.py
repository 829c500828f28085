# SPDX-License-Identifier: GPL-2.0-only
"""What was carried: the protocol as the port has it, the size of the job, and the writes of the
program that sent it."""

import re
from collections.abc import Iterator

import numpy as np

from study.diagnosis.finding import TICKS, Finding, in_time, named, some, timed
from study.diagnosis.large import is_closed, whole_of
from study.diagnosis.transfer import Transfer
from study.diagnosis.writes import block_writes, early_writes, joined_writes, writes_with_pauses
from study.scenarios.print_job.messages import COMMAND_B, CONTROL_FILE_B, CONTROL_SUBCOMMAND_B

LPR = re.compile(r"[.:](printer|515)$")
LEAST_DIALOGUE = 2
LARGEST_JOB_B = 2_000_000_000  # that the model takes, at whose rate a longer one goes, too
WRITE_S, SOONER = 1e-4, 4.0  # of a program, and than its transport sends
LARGEST_WRITE_B = 1 << 24  # that the model takes; a job of more is written in several


def job(transfer: Transfer) -> Iterator[Finding]:
    """Protocol, size and writes."""
    shown = transfer.offers[0].seen  # then the dialogue would be in the capture
    is_lpr = bool(LPR.search(transfer.names[1]))
    is_lpr &= transfer.back_B >= LEAST_DIALOGUE or not shown
    port = transfer.names[1]
    if is_lpr:
        source = f"{port}, the port of RFC 1179"
        yield Finding("protocol", "lpr", "", "measured", source)
        yield from _command_time(transfer)
    else:
        source = f"{port}, and no dialogue of LPR: the bytes go as they are"
        yield Finding("protocol", "raw", "", "measured", source)
    whole = whole_of(transfer.connection)
    total = int(transfer.data.end[-1] - 1)
    first, last = transfer.number[transfer.data.row[[0, -1]]]
    if whole is not transfer.connection:
        total = whole.spans[0 if transfer.sender_is_client else 1][1] - 1
        last = whole.packets["number"][-1]
    size, source = total, f"relative sequence numbers 1 to {total + 1}"
    if is_lpr:
        dialogue = _dialogue(transfer)
        size = max(total - sum(dialogue), 1)
        parts = " + ".join(map(str, dialogue))
        source += f", less {parts} B of LPR's dialogue (RFC 1179, section 6)"
    source += f", packets {int(first)} to {int(last)}"
    basis = "derived" if is_lpr else "measured"
    if size > LARGEST_JOB_B:
        source += f"; of {size:,} B as much as the model's largest job has"
        size, basis = LARGEST_JOB_B, "derived"
    if _is_cut(transfer):
        source += "; the capture ends before the job does, so it is at least that"
        yield Finding("job_size", size, "B", "bound", source, low=size)
    else:
        yield Finding("job_size", size, "B", basis, source)
    yield from _writes(transfer, size)


def _is_cut(transfer: Transfer) -> bool:
    """Whether nothing shows the end: neither end has closed the connection."""
    return not is_closed(whole_of(transfer.connection))


def _dialogue(transfer: Transfer) -> list[int]:
    """What LPR puts around the file, by the lengths of the messages that were answered."""
    data = transfer.data
    starts = data.begin[:2]
    # Receive-job command and the file's subcommand stand alone in front of the file.
    ahead = [int(each) for each in data.length[:2]] if starts[0] == 1 else []
    behind = [int(each) for each in data.length[-2:]]
    if not ahead or ahead[0] > 64 or ahead[1] > 128:
        ahead = [COMMAND_B]
    if behind and max(behind) > 128:
        behind = [CONTROL_SUBCOMMAND_B, CONTROL_FILE_B]
    return [*ahead, 1, *behind]  # the octet behind the file; the control file's is in its message


def _command_time(transfer: Transfer) -> Iterator[Finding]:
    """From the ACK of the first command to the application's answer."""
    packets = transfer.packets
    mine = np.flatnonzero(~transfer.is_sent & (packets["length"] > 0))
    if not len(mine) or mine[0] == 0:
        return
    row = int(mine[0])
    before = row - 1
    same = packets["ack"][before] == packets["ack"][row] and not transfer.is_sent[before]
    if not same or packets["length"][before] or transfer.data.begin[0] != 1:
        return
    numbers = transfer.number[[before, row]]
    gap_s = float(transfer.time_s[row] - transfer.time_s[before])
    source = f"from the ACK of the command to its answer, {named(numbers)}"
    yield timed("job_command_time", gap_s, "measured", source, numbers)


def _next_write(transfer: Transfer, size: int) -> Finding:
    """When a program that is never waited for writes again: not before the small end of its first
    write has left, for that would have gone on with what is written next."""
    data = transfer.data
    end = int(np.searchsorted(data.end - data.begin[0], size))
    least_s = float(data.time_s[end] - data.time_s[0])
    soon_s = size / transfer.total_B * transfer.until_acknowledged_s / SOONER
    value, unit = in_time(max(2 * least_s, min(WRITE_S, soon_s)))
    source = (
        "the sender had data whenever it could send, but had written no more when the first small "
        f"segment left, {named(transfer.number[data.row[[0, end]]])}"
    )
    low = least_s / TICKS[unit]
    return Finding("write_time", value, unit, "bound", source, low=float(f"{low:.4g}"))


def _writes(transfer: Transfer, size: int) -> Iterator[Finding]:
    shown = list(early_writes(transfer))
    if shown:
        yield from shown
        return
    regular = writes_with_pauses(transfer)
    if regular is not None:
        size, every_s, rows = regular
        numbers = transfer.number[rows]
        source = f"nothing is outstanding and the window is open before {named(numbers)}"
        told = f"{source}: the median of what is sent between"
        yield Finding("first_write", size, "B", "derived", told, some(numbers))
        yield Finding("write_size", size, "B", "derived", told, some(numbers))
        yield timed("write_time", every_s, "derived", f"{source}: the median between", numbers)
        told = "a program that pauses between its writes goes on when one has found room"
        yield Finding("write_returns", "all-fits", "", "assumed", told)
        return
    joined = joined_writes(transfer)
    if joined is not None:
        size, every_s, rows = joined
        numbers = transfer.number[rows]
        source = f"what {named(numbers)} and the flights behind them carry are whole numbers of it"
        yield Finding("first_write", size, "B", "derived", source, some(numbers))
        yield Finding("write_size", size, "B", "derived", source, some(numbers))
        source = "so many bytes at the rate of all: each flight is what was written until an ACK"
        yield timed("write_time", every_s, "derived", source, numbers)
        return
    blocks = block_writes(transfer)
    if blocks is not None:
        size, rows = blocks
        numbers = transfer.number[rows]
        source = f"{named(numbers)} are less than a segment, and end at whole numbers of it"
        yield Finding("first_write", size, "B", "derived", source, some(numbers))
        yield Finding("write_size", size, "B", "derived", source, some(numbers))
        yield _next_write(transfer, size)
        return
    told = "not seen: the sender had data whenever it could send, as from one write of them all"
    size = min(size, LARGEST_WRITE_B)
    yield Finding("first_write", size, "B", "assumed", told)
    yield Finding("write_size", size, "B", "assumed", told)
    yield timed("write_time", 1e-6, "assumed", told)
