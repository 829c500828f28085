# SPDX-License-Identifier: GPL-2.0-only
"""Points that native programs and the WebAssembly module are both given, and what each says."""

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from study import engine
from study.base.linking import linked
from study.base.project import BUILD, scenario_program, scenarios
from study.catalogue import systems

from tests.test_both_ns3 import points as varied

NODE = shutil.which("node")
ASK = Path(__file__).with_name("ask.js")
# Of the varied points; the issue asked for 400 in all: BROWSER_POINTS=400 ./waf test ...
MANY = int(os.environ.get("BROWSER_POINTS", "40"))
LEAVE_FILES = 4  # one point in so many leaves its files
FILES = ("pcap", "segments", "wan-pcap")
# What is refused, in several ways, and what is not quite: the sentence has to be the same.
ODD = (
    ("print-job", "--receive-window=0"),
    ("print-job", "--receive-window=1e9"),
    ("print-job", "--ack-latency=117"),
    ("print-job", "--ack-latency=0x10ms"),
    ("print-job", "--loss-to-host=.5e-1"),
    ("print-job", "--loss-to-host=1e-400"),
    ("print-job", "--lost-to-host=5,17,x"),
    ("print-job", "--no-such-thing=1"),
    ("print-job", "--system=no-such-system"),
    ("print-job", "receive-window=5"),
    ("file-read", "--burst-size=100000"),
    ("file-send", "--link=path --path-queue=10"),
    ("request-reply", "--commands=-1"),
)


@dataclass(frozen=True)
class Point:
    """A run to be made."""

    program: str
    flags: tuple[str, ...]
    files: tuple[str, ...] = ()

    def asked(self) -> str:
        """For ask.js, and for a page."""
        return json.dumps({"program": self.program, "flags": self.flags, "files": self.files})


def sample(many: int = MANY) -> list[Point]:
    """Varied points of all scenarios, every system as it is, and what is refused, in an order
    by chance, the same every time."""
    random = Random("browser")
    each = -(-many // len(scenarios()))
    found = [
        Point(scenario, tuple(line.split()), _files(number))
        for scenario in scenarios()
        for number, line in enumerate(varied(scenario, each))
    ]
    for name in systems:
        scenario = systems[name].scenario
        found.append(Point(scenario, (f"--system={name}",)))
    found += [Point(program, tuple(flags.split())) for program, flags in ODD]
    random.shuffle(found)
    return found


def _files(number: int) -> tuple[str, ...]:
    if number % LEAVE_FILES:
        return ()
    return FILES if number % (2 * LEAVE_FILES) else FILES[:2]


def native(points: Sequence[Point], folder: Path) -> list[dict[str, Any]]:
    """What the native programs say."""
    return [_native(point, folder) for point in points]


def _native(point: Point, folder: Path) -> dict[str, Any]:
    files = {kind: folder / kind for kind in point.files}
    for path in files.values():
        path.unlink(missing_ok=True)
    flags = [*point.flags, *(f"--{kind}={path}" for kind, path in files.items())]
    done = subprocess.run([scenario_program(point.program), *flags], capture_output=True)
    if done.returncode:
        said = done.stderr.decode().strip()
        for kind, path in files.items():
            said = said.replace(str(path), f"/out/{kind}")
        return {"kind": "refused", "said": said}
    made = {kind: digest(path.read_bytes()) for kind, path in files.items() if path.exists()}
    return {"record": done.stdout.decode(), "files": {kind: made.get(kind) for kind in files}}


def digest(content: bytes) -> list[object]:
    return [len(content), hashlib.sha256(content).hexdigest()]


def flags() -> dict[str, str]:
    """Those of each measured system, one a line."""
    return {path.stem: path.read_text() for path in (BUILD / "systems").glob("*.args")}


def in_node(
    module: engine.Module, points: Sequence[Point], folder: Path, limit_ms: int = 600_000
) -> list[dict[str, Any]]:
    """What one worker in Node says of them, one after the other."""
    worker, known = folder / "worker.js", folder / "systems.json"
    asked = folder / "engine.js"
    asked.write_text(linked(engine.ROOM / "wasm.js"))
    worker.write_text(module.worker())
    known.write_text(json.dumps(flags()))
    command = [NODE, ASK, asked, worker, module.folder / "study.wasm", known]
    done = subprocess.run(
        [*map(str, command), str(limit_ms)],
        input="".join(point.asked() + "\n" for point in points),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]
