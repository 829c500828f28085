# SPDX-License-Identifier: GPL-2.0-only
"""`study kernel --captures`: every case through this machine's kernel, both ends captured.

All captures go to build/captures/, with what the kernel counted; of cases marked `kept` those of
the sending end go into results/captures/, too.
"""

import gzip
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from study.base.errors import StudyError
from study.base.project import shown, write_whole
from study.kernel import CAPTURES, KEPT, capture, ends, laboratory, measure
from study.kernel.cases import Case
from study.kernel.transfers import Point

SIDES = ("before", "after")  # the transfers of a case, by their names there
LATE_S = 0.001  # if the wire is later, the transfer is repeated ...
ATTEMPTS = 4  # ... up to so often; the most punctual one counts


@dataclass(frozen=True)
class Facts:
    """What is known of a transfer besides its captures."""

    sender: str  # "client" or "server", the end that sends most
    duration_s: float  # from the client's SYN to the last byte of the last reply
    late_s: float  # 99th percentile of the wire's lateness
    load: float
    kernel: str
    clocks: dict[str, int]  # from the sender's TCP_INFO


def name_of(case: Case, when: str, end: str) -> str:
    """Return a capture's file name: small-receive-window.before.client.pcap.gz."""
    return f"{case.slug}.{when}.{end}.pcap.gz"


def measured(chosen: Iterable[Case], say: Callable[[str], None], keeps: bool) -> None:
    """Make the captures of these cases, before and after; with `keeps` also the copies for git."""
    for case in chosen:
        for when in SIDES:
            transfer: Point = getattr(case, when)
            facts, files = _observed(transfer)
            whole = {CAPTURES / name_of(case, when, end): files[end] for end in files}
            if keeps and case.is_kept:
                whole[KEPT / name_of(case, when, facts.sender)] = files[facts.sender]
            text = json.dumps(asdict(facts), indent=1)
            whole[_facts_file(case, when)] = f"{text}\n".encode()
            for file in whole:
                file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(whole)
            late_us = facts.late_s * 1e6
            say(f"{transfer.name}: {facts.duration_s:.3f} s (wire late by {late_us:.0f} us)")


def _observed(transfer: Point) -> tuple[Facts, dict[str, bytes]]:
    """Return the most punctual of several attempts."""
    made = []
    while len(made) < ATTEMPTS:
        seen = laboratory.observed(transfer)
        made.append((capture.read(seen.table), seen))
        if made[-1][0].lateness_s <= LATE_S:
            break
    packets, seen = min(made, key=lambda each: each[0].lateness_s)
    sender = "client" if transfer.is_from_client else "server"
    facts = Facts(
        sender=sender,
        duration_s=packets.duration_s,
        late_s=packets.lateness_s,
        load=os.getloadavg()[0],
        kernel=measure.kernel(),
        clocks=getattr(seen, sender),
    )
    sides = {"client": ends.CLIENT, "server": ends.SERVER}
    # Without a time in its header, equal captures are equal files.
    files = {
        end: gzip.compress(ends.pcap(seen.table, side), mtime=0) for end, side in sides.items()
    }
    return facts, files


def facts(case: Case, when: str) -> Facts:
    """Return what was recorded when the case was measured. Raise StudyError if it was not
    measured."""
    file = _facts_file(case, when)
    try:
        return Facts(**json.loads(file.read_text()))
    except OSError as error:
        raise StudyError(
            f"{shown(file)} is not there: study kernel --captures measures it"
        ) from error


def _facts_file(case: Case, when: str) -> Path:
    return CAPTURES / f"{case.slug}.{when}.json"
