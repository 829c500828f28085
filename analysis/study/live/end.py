# SPDX-License-Identifier: GPL-2.0-only
"""The program build/live-end: the simulated end of a live run, and what it tells while it runs."""

import hashlib
import json
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from study.base.errors import StudyError
from study.base.project import program_built_now

START_S = 30.0  # time to become ready, on a busy machine


@dataclass
class File:
    """A file that the device has printed, or its beginning."""

    octets: int = 0
    is_whole: bool = False
    _hash: Any = field(default_factory=hashlib.sha256, repr=False)  # or the finished digest

    def add(self, octets: bytes) -> None:
        self.octets += len(octets)
        self._hash.update(octets)

    @property
    def sha256(self) -> str:
        return self._hash if isinstance(self._hash, str) else self._hash.hexdigest()

    def __getstate__(self) -> dict:
        return self.__dict__ | {"_hash": self.sha256}


@dataclass
class Heard:
    """A connection as the simulated end sees it."""

    number: int
    port: int
    peer_port: int
    files: list[File] = field(default_factory=list)
    ended: str = ""  # "closed" in order, or "lost"
    replies: int = 0  # number of a server's replies

    def file(self) -> File:
        """Return the file that is being printed."""
        if not self.files or self.files[-1].is_whole:
            self.files.append(File())
        return self.files[-1]


class End:
    """The running program; it starts and ends with a `with` block."""

    def __init__(self, scenario: str, flags: Sequence[str], tap: int):
        needs = (
            ": it needs a Linux and an ns-3 that has the module fd-net-device (the wheel has,"
            " `./waf ns3` makes it)"
        )
        program = program_built_now("live-end", needs)
        self.heard: dict[int, Heard] = {}
        self.address = ""
        self.ports: dict[str, int] = {}
        self.read_ns = self.late_ns = np.zeros(0, np.int64)
        self._ready = threading.Event()
        self._command = [program, f"--scenario={scenario}", f"--tap={tap}", *flags]
        self._tap = tap

    def __enter__(self) -> "End":
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(self._tap,),
            start_new_session=True,  # Ctrl-C is for this process, which lets it end
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not self._ready.wait(START_S) or not self.address:
            self._process.stdin.close()
            said = self._process.stderr.read().decode().strip() or "it did not begin"
            self._process.wait()
            raise StudyError(said.splitlines()[-1])
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stdin.close()
        self._reader.join(START_S)
        status = self._process.wait()
        if status and not any(_):
            said = self._process.stderr.read().decode().strip().splitlines()
            raise StudyError(f"build/live-end failed with status {status} ({said[-1:]})")

    @property
    def is_alive(self) -> bool:
        """Whether the simulated end still runs."""
        return self._process.poll() is None

    @property
    def open(self) -> list[Heard]:
        """The connections that are open."""
        return [each for each in list(self.heard.values()) if not each.ended]

    @property
    def octets(self) -> int:
        """The number of bytes printed so far."""
        return sum(file.octets for each in list(self.heard.values()) for file in each.files)

    def _read(self) -> None:
        for line in self._process.stdout:
            event = json.loads(line)
            octets = self._process.stdout.read(event.get("octets", 0))
            self._take(event.pop("event"), event, octets)
        self._ready.set()

    def _take(self, name: str, event: dict, octets: bytes) -> None:
        if name == "ready":
            self.address, self.ports = event["address"], event["ports"]
            self._ready.set()
        elif name in ("read_ns", "late_ns"):
            setattr(self, name, np.frombuffer(octets, np.int64))
        elif name == "opened":
            number = event["connection"]
            self.heard[number] = Heard(number, event["port"], event["peer_port"])
        elif name == "printed":
            self.heard[event["connection"]].file().add(octets)
        elif name == "whole":
            self.heard[event["connection"]].file().is_whole = True
        elif name == "replied":
            self.heard[event["connection"]].replies += 1
        elif name in ("closed", "lost"):
            self.heard[event["connection"]].ended = name
