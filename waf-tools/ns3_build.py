# SPDX-License-Identifier: GPL-2.0-only
"""`./waf ns3`: compiles ns-3's modules once, optimised, without asserts and logs, and links them,
with optimisation across files, into one object that every program of the study takes whole.

What is finished is in .ns3/NAME, NAME telling version, source, flags and compiler; an unfinished
build is in .ns3/NAME.part, from where an interrupted build goes on. .ns3/in-use leads to the one
that `./waf configure` takes.
"""

import contextlib
import errno
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import ns3_source
from machine import COMBINED
from ns3_source import FIRST, Tree
from set_up import ROOT, check_compiler, only_one, stop
from study.base.machine import cores
from tqdm import tqdm

HOME = ROOT / ".ns3"
IN_USE = HOME / "in-use"
MANIFEST = "ns3.json"  # written last
TRACKED = f"{HOME.name}/{IN_USE.name}/{MANIFEST}"  # path that configure tracks

# The same on every processor: no fused multiply and add.
ARITHMETIC = ["-ffp-contract=off"]
COMPILE = ["-std=c++20", "-O2", *ARITHMETIC, "-w"]
DEFINITIONS = ["NS3_BUILD_PROFILE_OPTIMIZED"]  # neither NS3_ASSERT_ENABLE nor NS3_LOG_ENABLE
LTO = ["-flto", "-fno-fat-lto-objects"]
# One object of machine code: programs then link in a second. g++ 12 aborts if it makes such an
# object in several partitions.
COMBINE_LTO = ["-flto=1", "-flto-partition=one", "-flinker-output=nolto-rel"]

CORE_CONFIG = "HAVE___UINT128_T INT64X64_USE_128 HAVE_STDINT_H HAVE_INTTYPES_H HAVE_SYS_TYPES_H"
CORE_CONFIG += " HAVE_SYS_STAT_H HAVE_DIRENT_H HAVE_STDLIB_H HAVE_GETENV HAVE_SIGNAL_H"
# Compiled once instead of 340 times, which halves the time; it takes longer than a few files.
STANDARD = "algorithm array cmath fstream functional iomanip iostream limits list map memory"
STANDARD += " optional set sstream string tuple type_traits unordered_map utility variant vector"

PAYS_FROM = 50  # number of files
COMPILING = "[{n_fmt}/{total_fmt}] compiling ns-3: {remaining} left, then linking"

FREE_MB = 400
FULL = f"the disk is full: ns-3 needs {FREE_MB} MB in {HOME}; free some and call ./waf ns3 again."


def make(source: str | None, repository: str | None, with_lto: bool = True) -> None:
    """Build ns-3 if it is missing, and make .ns3/in-use link to it."""
    check_compiler()
    with orderly("ns3"):
        build = Build(obtained(source, repository), with_lto)
        build.make()
        lead_to(build.folder, IN_USE)


def obtained(source: str | None, repository: str | None) -> Tree:
    """Return the source, given or fetched."""
    if source:
        return ns3_source.unpacked(Path(source))
    return ns3_source.fetched(repository or "", HOME)


@contextlib.contextmanager
def orderly(command: str) -> Iterator[None]:
    """Allow only one such command at a time in this folder, and turn any failure into one
    message."""
    try:
        HOME.mkdir(exist_ok=True)
        with only_one(HOME / "lock", "./waf ns3"):
            yield
    except KeyboardInterrupt:
        stop(f"interrupted; the next ./waf {command} goes on where this one was.", status=130)
    except Failure as failure:
        stop(str(failure))
    except OSError as error:
        stop(FULL if error.errno == errno.ENOSPC else f"ns-3 could not be built: {error}.")


def in_use() -> Path | None:
    """Return the folder of the ns-3 built last, or None unless it is complete."""
    return IN_USE.resolve() if (IN_USE / MANIFEST).is_file() else None


def lead_to(folder: Path, link: Path) -> None:
    """Make a symbolic link to a folder beside it."""
    new = link.with_name(f"{link.name}.new")
    new.unlink(missing_ok=True)
    new.symlink_to(folder.name)
    new.replace(link)


class Failure(Exception):
    """An error message from one of several threads."""


@dataclass(frozen=True)
class Job:
    """A file to compile."""

    source: Path
    made: Path
    flags: tuple[str, ...]


class Build:
    """One ns-3: a tree, a compiler and flags."""

    _compiled = COMPILE
    _home = HOME
    _combine_CPU_s = 90

    def __init__(self, tree: Tree, with_lto: bool) -> None:
        self._tree = tree
        self._compiler = self._named()
        said = [self._say(flag) for flag in ("--version", "-dumpmachine")]
        self._machine = said[1]
        # Other compilers write objects for link-time optimisation in other ways.
        self._lto = with_lto and "clang" not in said[0].lower()
        self._lto_flags = LTO if self._lto else []
        self._definitions = [f"-D{each}" for each in DEFINITIONS]
        compiled = [*self._compiled, *self._asked()]
        self._flags = [*compiled, *self._definitions]
        self._digest = tree.digest()
        flags = [*compiled, *self._lto_flags, *self._definitions]
        key = json.dumps([FIRST, self._digest, flags, COMBINE_LTO, CORE_CONFIG, said])
        short = hashlib.sha256(key.encode()).hexdigest()[:12]
        self.folder = self._home / f"ns-{tree.version}-{short}"
        self._part = self.folder.with_name(f"{self.folder.name}.part")

    @property
    def _called(self) -> list[str]:
        """The command that compiles and links."""
        return self._compiler

    def make(self) -> None:
        """Build it if it is missing, and report that."""
        begun = time.monotonic()
        known = (self.folder / MANIFEST).is_file()
        if not known:
            self.run()
        done = "was there already" if known else f"built in {time.monotonic() - begun:.0f} s"
        where = self.folder.relative_to(ROOT)
        print(f"waf: ns-3 {self._tree.version} of {self._tree.origin} {done}, in {where}")

    def _named(self) -> list[str]:
        named = os.environ.get("CXX") or shutil.which("g++") or "clang++"
        return shlex.split(named)

    def _asked(self) -> list[str]:
        """Return the caller's flags, which follow ours, as for the scenarios."""
        return shlex.split(os.environ.get("CXXFLAGS", ""))

    def run(self) -> None:
        self._part.mkdir(parents=True, exist_ok=True)
        free_MB = shutil.disk_usage(self._part).free // 10**6
        if free_MB < FREE_MB:
            stop(f"ns-3 needs {FREE_MB} MB and this disk has {free_MB} MB left: free some space.")
        self._write_headers()
        if self._pays():
            self._read_standard()
        objects = self._objects()
        self._combine(objects)
        manifest = {
            "version": self._tree.version,
            "origin": self._tree.origin,
            "source": self._digest,
            "machine": self._machine,
            "compiler": self._say("--version").splitlines()[0],
            "flags": [*self._flags, *self._lto_flags],
            "lto": self._lto,
            "definitions": DEFINITIONS,
        }
        shutil.rmtree(self._part / "objects")
        (self._part / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")
        self._part.rename(self.folder)

    def _write_headers(self) -> None:
        include = self._part / "include" / "ns3"
        include.mkdir(parents=True, exist_ok=True)
        of_module: dict[str, list[str]] = {module: [] for module in self._tree.modules}
        for path, module in self._tree.files(".h").items():
            shutil.copyfile(path, include / path.name)
            of_module[module].append(path.name)
        defined = [f"#define {name} 1\n" for name in CORE_CONFIG.split()]
        (include / "core-config.h").write_text("".join(["#pragma once\n", *defined]))
        for module, headers in of_module.items():
            words = module.upper().replace("-", "_")
            (include / f"{module}-export.h").write_text(f"#pragma once\n#define {words}_EXPORT\n")
            # Some headers may only be included by another one.
            public = [name for name in headers if not re.search(r"private|log-macros", name)]
            lines = [f'#include "{name}"\n' for name in public]
            (include / f"{module}-module.h").write_text("#pragma once\n" + "".join(lines))
        lines = [f"#include <{name}>\n" for name in STANDARD.split()]
        (self._part / "standard.h").write_text("".join(lines))

    def _read_standard(self) -> None:
        standard = self._part / "standard.h"
        made = standard.with_suffix(".h.gch")
        self._translate(Job(standard, made, ("-x", "c++-header", *self._lto_flags)))

    def _objects(self) -> list[Path]:
        """Compile everything and return the objects in link order."""
        (self._part / "objects").mkdir(exist_ok=True)
        sources = {
            self._part / "objects" / f"{module}.{path.stem}.o": path
            for path, module in self._tree.files(".cc").items()
        }
        flags = (*self._common(), *self._lto_flags)
        self._compile([Job(source, made, flags) for made, source in sources.items()])
        return list(sources)

    def _common(self) -> list[str]:
        """Return the flags for every file of ns-3; the same source built in two folders gives equal
        programs."""
        named = [f"-ffile-prefix-map={each}=ns-3" for each in (self._tree.folder, self._part)]
        standard = ["-include", f"{self._part}/standard.h"] if self._pays() else []
        return [*standard, "-I", f"{self._part}/include", *named]

    def _pays(self) -> bool:
        """Return whether to precompile the headers that most files include."""
        return len(self._tree.files(".cc")) >= PAYS_FROM

    def _compile(self, jobs: Sequence[Job]) -> None:
        """Compile each file to its object. Existing objects are complete and are reused."""
        missing = [job for job in jobs if not job.made.exists()]
        # A few lines are enough in a log.
        every_s, end = (0.1, "") if sys.stdout.isatty() else (20.0, "\n")
        seen = {"total": len(jobs), "initial": len(jobs) - len(missing)}
        seen |= {"mininterval": every_s, "bar_format": COMPILING + end}
        pool = ThreadPoolExecutor(cores())
        try:
            made = as_completed([pool.submit(self._translate, job) for job in missing])
            for future in tqdm(made, file=sys.stdout, **seen):
                future.result()
        finally:
            pool.shutdown(cancel_futures=True)
        print(f"linking ns-3: about {self._combine_CPU_s} s", flush=True)

    def _translate(self, job: Job) -> None:
        new = job.made.with_name(f"{job.made.name}.new")
        self._call(job.source.name, [*self._flags, *job.flags, "-c", job.source, "-o", new])
        new.replace(job.made)

    def _combine(self, objects: list[Path]) -> None:
        (self._part / "lib").mkdir(exist_ok=True)
        made = self._part / "lib" / COMBINED
        listed = self._part / "objects" / "all"
        listed.write_text("".join(f'"{path}"\n' for path in objects))
        flags = [*COMPILE, *COMBINE_LTO] if self._lto else []
        new = made.with_name(f"{made.name}.new")
        self._call("all of it", ["-r", "-nostdlib", *flags, f"@{listed}", "-o", new])
        new.replace(made)

    def _call(self, what: str, arguments: list[object]) -> None:
        command = [*self._called, *map(str, arguments)]
        # ccache would rewrite folder names, and programs of two folders would differ.
        as_named = {key: text for key, text in os.environ.items() if key != "CCACHE_BASEDIR"}
        done = subprocess.run(
            command, env=as_named, capture_output=True, text=True, errors="replace"
        )
        if done.returncode < 0 or "Interrupt signal" in done.stderr:
            raise KeyboardInterrupt  # Ctrl-C reaches the compiler as well
        if done.returncode:
            if re.search("No space left|write error", done.stderr):
                raise Failure(FULL)
            said = re.findall(r"(?:error|fatal): .*", done.stderr) or done.stderr.splitlines()
            reason = said[0] if said else f"status {done.returncode}"
            raise Failure(f"ns-3 {self._tree.version} could not be compiled, {what}: {reason}")

    def _say(self, flag: str) -> str:
        done = subprocess.run([*self._compiler, flag], capture_output=True, text=True)
        return done.stdout.strip()
