# SPDX-License-Identifier: GPL-2.0-only
"""Trials with damaged input, and their common parts: drawn damage, a call of `study`, a limit."""

import contextlib
import io
import random
import resource
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from study.commands.main import UNFORESEEN, main

LONGEST_S = 60  # for one input, on a busy machine
MOST_B = 6 << 30  # address space of a call that reads one input, with all code


@dataclass
class Outcome:
    """Count of inputs tried and survived, with the first that were not."""

    tried: int = 0
    survived: int = 0
    refused: int = 0  # of those that survived
    wrong: list[str] = field(default_factory=list)
    beside: str = ""  # what else was counted

    def add(self, what: str, wrong: str = "", refused: bool = False) -> None:
        """Count one input. `wrong` says why it was not survived."""
        self.tried += 1
        self.survived += not wrong
        self.refused += refused and not wrong
        if wrong:
            self.wrong.append(f"{what}: {wrong}")


@dataclass(frozen=True)
class Trial:
    """A kind of input, what survival means, and how to try a number of them."""

    name: str
    holds: str
    count: int  # inputs of a short run
    run: Callable[[int, int, Path], Outcome]  # count, seed, folder


class TooLong(Exception):
    """The time limit of one input has passed."""


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Limit the time and the memory of the code inside the context."""

    def end(*_: object) -> None:
        raise TooLong

    before, most = resource.getrlimit(resource.RLIMIT_AS), signal.signal(signal.SIGALRM, end)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_B, before[1]))
    signal.alarm(LONGEST_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, most)
        resource.setrlimit(resource.RLIMIT_AS, before)


def called(arguments: Sequence[str]) -> tuple[int, str, str]:
    """Return status, standard output and standard error of a call of `study`."""
    out, err = io.StringIO(), io.StringIO()
    with limited(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(list(arguments))
        except TooLong:
            return -1, "", f"more than {LONGEST_S} s"
    return status, out.getvalue(), err.getvalue()


def judged(outcome: Outcome, what: str, arguments: Sequence[str]) -> int:
    """Call `study` and count the input: it must end normally or with a one-line error."""
    status, _, err = called(arguments)
    lines = err.strip().splitlines()
    said = lines[-1][:300] if lines else ""
    if status == UNFORESEEN or status not in (0, 1, 2):
        outcome.add(what, f"status {status}: {said}")
    elif status == 2 and len(lines) != 1:
        outcome.add(what, f"{len(lines)} lines: {said}")
    else:
        outcome.add(what, refused=status == 2)
    return status


ODD = (b"\0", b"\xff", b"\x7f", b"\x80", b"\n", b"9" * 400, b"-1", b"0", b"1e999", b"\xc2\xb2")
ODD += (b"[" * 3000, b"{", b'"', b"=", b"\xef\xbb\xbf", b"nan", b"0x")


def damaged(data: bytes, draw: random.Random) -> bytes:
    """Return the data with flipped bits, parts lost, repeated or exchanged, or odd words in it."""
    changed = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 5, 20])):
        at, size = draw.randrange(len(changed) + 1), draw.choice([1, 1, 2, 4, 30])
        kind = draw.randrange(7)
        if kind == 0 and changed:
            changed[at - 1] ^= 1 << draw.randrange(8)
        elif kind == 1:
            del changed[at : at + size]
        elif kind == 2:
            changed[at:at] = changed[at : at + size] * draw.choice([1, 3, 100])
        elif kind == 3:
            changed[at : at + size] = draw.choice(ODD)
        elif kind == 4:
            other = draw.randrange(len(changed) + 1)
            changed[at : at + size] = changed[other : other + size]
        elif kind == 5 and draw.random() < 0.2:
            del changed[at:]
        elif kind == 6:
            changed[at : at + size] = draw.randbytes(size)
    return bytes(changed)
