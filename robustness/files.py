# SPDX-License-Identifier: GPL-2.0-only
"""Trials of files that a user gives: systems, captures and archives."""

import gzip
import io
import random
import re
import struct
import zipfile
from pathlib import Path

from study.base.errors import StudyError
from study.base.project import ROOT, SYSTEMS
from study.captures.reading import read
from study.kit.systems import systems
from study.publishing.archive import archive

from robustness.trial import ODD, Outcome, TooLong, damaged, judged, limited
from tests.captures.making import block, section

OF_A_DIAGNOSIS = 10  # every n-th capture is diagnosed as well, which takes a hundred times as long
OF_AN_ARCHIVE = ("telnet-xp",)
VALUE = re.compile(rb"(?<== )[^\s,}\]]+")
NUMBER = re.compile(rb"\d+")


def tried_systems(count: int, seed: int, folder: Path) -> Outcome:
    """Describe systems with damaged files, and run some."""
    outcome, draw = Outcome(), random.Random(seed)
    whole = [path.read_bytes() for path in sorted(SYSTEMS.glob("*.toml"))]
    for number in range(count):
        data = draw.choice(whole)
        data = damaged(data, draw) if draw.random() < 0.5 else _exchanged(data, VALUE, draw)
        path = folder / "own.toml"
        path.write_bytes(data)
        command = ["describe"] if number % 4 else ["run", "--timeout", "5"]
        judged(outcome, f"system {seed}/{number}", [*command, str(path)])
    return outcome


def _exchanged(data: bytes, pattern: re.Pattern[bytes], draw: random.Random) -> bytes:
    """Return a text with one of its words replaced by an odd one."""
    found = draw.choice(list(pattern.finditer(data)))
    odd = (*ODD, b"9223372036854775807", b"true", b"[]", b"{}", b'""', b'"none"', b"1e-300", b"inf")
    return data[: found.start()] + draw.choice(odd) + data[found.end() :]


def tried_captures(count: int, seed: int, folder: Path) -> Outcome:
    """Read damaged captures; diagnose some."""
    outcome, draw = Outcome(), random.Random(seed)
    whole = _captures(folder)
    for number in range(count):
        name, data = draw.choice(whole)
        text = not name.endswith("pcap")
        data = (
            _exchanged(data, NUMBER, draw) if text and draw.random() < 0.5 else damaged(data, draw)
        )
        path = folder / f"damaged.{name}"
        path.write_bytes(gzip.compress(data, 1) if draw.random() < 0.1 else data)
        what = f"capture {seed}/{number} ({name})"
        if number % OF_A_DIAGNOSIS == 0:
            judged(outcome, what, ["diagnose", str(path)])
        else:
            _read(outcome, what, path)
    return outcome


def _captures(folder: Path) -> list[tuple[str, bytes]]:
    """Return undamaged captures of every format, each with its file name's ending."""
    made = folder / "made.pcap"
    systems["hawking-hps1u"].with_(job_size="20000").run(pcap=made)
    found = [("pcap", made.read_bytes())]
    for path in sorted((ROOT / "results" / "captures").glob("*.pcap.gz"))[:6]:
        found.append(("pcap", gzip.decompress(path.read_bytes())[:60_000]))
    found += [("pcapng", _as_pcapng(data)) for _, data in found[:3]]
    for path in sorted((ROOT / "tests").glob("*/timelines/*.txt")):
        found.append(("txt", path.read_bytes()[:20_000]))
    return found


def _as_pcapng(data: bytes) -> bytes:
    """Return a pcap as a pcapng: a section, an interface, and a block for each packet."""
    blocks = [section(), block(1, data[20:24] + data[16:20])]
    at = 24
    while at + 16 <= len(data):
        second, part, kept, length = struct.unpack_from("<4I", data, at)
        stamp = second * 10**6 + part
        head = struct.pack("<5I", 0, stamp >> 32, stamp & 0xFFFFFFFF, kept, length)
        blocks.append(block(6, head + data[at + 16 : at + 16 + kept]))
        at += 16 + kept
    return b"".join(blocks)


def _read(outcome: Outcome, what: str, path: Path) -> None:
    try:
        with limited():
            list(read(path).connections)  # each one's arrays are made on access
        outcome.add(what)
    except StudyError as error:
        outcome.add(what, "two lines" if "\n" in str(error) else "", refused=True)
    except TooLong:
        outcome.add(what, "too long")
    except Exception as error:
        outcome.add(what, f"{type(error).__name__}: {str(error)[:200]}")


def tried_archives(count: int, seed: int, folder: Path) -> Outcome:
    """Verify damaged archives, and archives with damaged files."""
    outcome, draw = Outcome(), random.Random(seed)
    whole = archive(OF_AN_ARCHIVE)
    path = folder / "own.zip"
    for number in range(count):
        path.write_bytes(damaged(whole, draw) if draw.random() < 0.5 else _repacked(whole, draw))
        status = judged(outcome, f"archive {seed}/{number}", ["verify", str(path)])
        if status == 0 and path.read_bytes() != whole and not _same_files(path, whole):
            outcome.survived -= 1
            outcome.wrong.append(f"archive {seed}/{number}: a difference is not named")
    return outcome


def _repacked(whole: bytes, draw: random.Random) -> bytes:
    """Return a valid archive in which one file is damaged."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as opened, zipfile.ZipFile(out, "w") as made:
        names = opened.namelist()
        chosen = draw.choice([*names, *[each for each in names if each.endswith(".json")] * 20])
        for name in names:
            content = opened.read(name)
            made.writestr(name, damaged(content, draw) if name == chosen else content)
    return out.getvalue()


def _same_files(path: Path, whole: bytes) -> bool:
    with zipfile.ZipFile(path) as opened, zipfile.ZipFile(io.BytesIO(whole)) as other:
        return {name: opened.read(name) for name in opened.namelist()} == {
            name: other.read(name) for name in other.namelist()
        }
