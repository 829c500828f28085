# SPDX-License-Identifier: GPL-2.0-only
"""Where the source of `./waf ns3` comes from: ns-3's own repository, by git, or an unpacked tree.

What a build depends on is every file of the modules here, so their digest names it.
"""

import hashlib
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from set_up import stop

REPOSITORY = "https://gitlab.com/nsnam/ns-3-dev.git"  # --repository=ADDRESS#COMMIT names another
TAG = "ns-3.44"
COMMIT = "43dce6710b8df69685e3479c1d33a571dda714ea"  # the tag's commit when the study was made

# Each module before those that need it.
MODULES = ("core", "stats", "network", "bridge", "traffic-control", "internet", "csma")
MODULES += ("point-to-point", "applications")
# Needed by `study live` as well, from a tree that has it.
LIVE = "fd-net-device"
FOLDERS = ("model", "helper", "utils")
# Linked last: its list of times is still used after the TypeIds are destroyed.
FIRST = "time"
# Files for other systems, other representations of time, SQLite and MPI, and files that ns-3's own
# build generates; of the devices with a descriptor, other kinds and those that need a helper
# program.
LEFT_OUT = re.compile(
    r"win32-.*|int64x64-(cairo|double)|cairo-wideint.*|sqlite-.*|point-to-point-remote-channel"
    r"|version|example-as-test|.*mpi.*"
    r"|.*fd-net-device-helper|(dpdk|netmap)-.*|encode-decode|creator-utils|.*-creator"
)
OLDEST = 344  # ns-3.44


@dataclass(frozen=True)
class Tree:
    """ns-3's source, unpacked."""

    folder: Path
    version: str
    origin: str  # in words

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that are compiled."""
        has_live = (self.folder / "src" / LIVE / "model").is_dir()
        return (*MODULES, LIVE) if has_live else MODULES

    def files(self, suffix: str) -> dict[Path, str]:
        """Return the files with this suffix that are compiled or included, each with its module."""
        return {
            path: module
            for module in self.modules
            for folder in FOLDERS
            for path in sorted(
                (self.folder / "src" / module / folder).glob(f"*{suffix}"),
                key=lambda path: (path.stem != FIRST, path.name),
            )
            if not LEFT_OUT.fullmatch(path.stem)
        }

    def digest(self) -> str:
        total = hashlib.sha256()
        for path in (*self.files(".h"), *self.files(".cc")):
            total.update(path.relative_to(self.folder).as_posix().encode() + b"\0")
            total.update(hashlib.sha256(path.read_bytes()).digest())
        return total.hexdigest()


def number_of(version: str) -> int:
    """Return a version as a number for #if, 344 for "3.44". The development tree, "3-dev", has no
    number and is newer than any release."""
    minor = re.match(r"3\.(\d+)", version)
    return 300 + int(minor[1]) if minor else 399


def unpacked(folder: Path, origin: str = "") -> Tree:
    """Return the tree in this folder, or end with a message that says what it lacks."""
    if not folder.is_dir():
        stop(f"--source={folder}: there is no such folder.")
    missing = [
        name
        for name in ("VERSION", *(f"src/{module}/model" for module in MODULES))
        if not (folder / name).exists()
    ]
    if missing:
        stop(
            f"--source={folder} is no source tree of ns-3: it has no {missing[0]}; it wants the"
            " folder with VERSION and src/ of ns-3 3.44 or later."
        )
    version = (folder / "VERSION").read_text().strip()
    if number_of(version) < OLDEST or not re.match(r"3[.-]", version):
        stop(f"--source={folder} is ns-3 {version[:40]!r}: the study needs 3.44 or later.")
    return Tree(folder, version, origin or str(folder))


def fetched(repository: str, into: Path) -> Tree:
    """Return the tree at the tag, fetched once by git. Its commit is checked in any case."""
    address, _, wanted = repository.partition("#")
    address, wanted = address or REPOSITORY, wanted or COMMIT
    folder = into / f"source-{wanted[:12]}"
    origin = f"{TAG} of {address}, commit {wanted}"
    if folder.is_dir():
        return unpacked(folder, origin)
    part = folder.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    print(f"fetching {TAG} from {address}", flush=True)
    _git(address, "init", "--quiet", part)
    _git(address, "-C", part, "fetch", "--quiet", "--depth=1", address, f"refs/tags/{TAG}")
    found = _git(address, "-C", part, "rev-parse", "FETCH_HEAD^{commit}")
    if found != wanted:
        shutil.rmtree(part)
        stop(
            f"the tag {TAG} of {address} is commit {found} and not {wanted}: nothing was built;"
            " --repository=ADDRESS#COMMIT names another commit to be trusted."
        )
    paths = ["VERSION", "LICENSE", *(f"src/{module}" for module in MODULES)]
    paths += _git(address, "-C", part, "ls-tree", "--name-only", found, f"src/{LIVE}").split()
    _git(address, "-C", part, "checkout", "--quiet", found, "--", *paths)
    shutil.rmtree(part / ".git")
    part.rename(folder)
    return unpacked(folder, origin)


def _git(address: str, *arguments: object) -> str:
    slow = ["-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60"]
    ours = {key: text for key, text in os.environ.items() if not key.startswith("GIT_DIR")}
    try:
        done = subprocess.run(
            ["git", *slow, *map(str, arguments)],
            env=ours | {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        stop("there is no git: install it, or give an unpacked tree with --source=DIR.")
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()] or ["git failed"]
        reason = next((line for line in said if line.startswith("fatal:")), said[-1])
        stop(
            f"ns-3's source could not be fetched from {address}"
            f" ({reason.removeprefix('fatal: ')}): name another address with --repository=ADDRESS,"
            " or an unpacked tree with --source=DIR."
        )
    return done.stdout.strip()
