# SPDX-License-Identifier: GPL-2.0-only
"""`./waf browser`: ns-3's modules compiled to WebAssembly by Emscripten, once, and what waf must
know to compile and link the scenarios with them.

ns-3 goes to build/wasm/ns-VERSION-DIGEST, which build/wasm/ns3 leads to; the module is
build/wasm/study.js and study.wasm; browser_sources puts beside them what they were made from.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import browser_link
import browser_sources
import ns3_build
from ns3_source import number_of
from set_up import ROOT, stop

HOME = ROOT / "build" / "wasm"
IN_USE = HOME / "ns3"
COMPILER = "em++"
PACKAGES = "emscripten libclang-rt-14-dev nodejs"
# A newer node than Debian's does not search the folder where Debian has the modules that
# Emscripten's scripts need.
NODE_MODULES = Path("/usr/share/nodejs")

# WebAssembly's own exceptions: emulated in JavaScript they cost several times as much.
EXCEPTIONS = "-fwasm-exceptions"
COMPILE = [*ns3_build.COMPILE, EXCEPTIONS]
# Not -Os or -Oz for the sources, which are only a third as fast.
LINK = [
    "-Oz",
    EXCEPTIONS,
    "-sMODULARIZE",
    "-sEXPORT_NAME=Study",
    "-sALLOW_MEMORY_GROWTH",
    "-sINITIAL_MEMORY=8MB",
    "-sWASM_BIGINT",  # so that JavaScript need not be changed for 64-bit numbers
    "-sFORCE_FILESYSTEM",
    "-sENVIRONMENT=worker,node",
    "-sEXPORTED_FUNCTIONS=_study_run,_free,_malloc",
    "-lexports.js",  # names stay unchanged, for use without study.js
    "-sEXPORTED_RUNTIME_METHODS=ccall,UTF8ToString,FS",
    "--no-entry",
]
LINK_CPU_S = 40
SHIMS = ROOT / "webassembly" / "shims.h"
ORDER = ROOT / "webassembly" / "array-order.h"

TRIAL = """
#include <stdexcept>
extern "C" int study_run(int a)
{
    try { if (a) { throw std::runtime_error("x"); } } catch (const std::exception&) { return 7; }
    return 0;
}
"""
TRY_IT = """
const [, made, binary] = process.argv;
const wasmBinary = require("fs").readFileSync(binary);
require(made)({ wasmBinary }).then((m) => process.exit(m._study_run(1) === 7 ? 0 : 1));
"""


def check_tools() -> None:
    """End with a message, before minutes of compiling, if a tool is missing."""
    if not shutil.which(COMPILER):
        stop(
            f"there is no Emscripten: install it (Debian, Ubuntu: `apt install {PACKAGES}`), or put"
            f" the folder of {COMPILER} into PATH."
        )
    if not shutil.which("node"):
        stop("there is no node, which Emscripten runs: install it (Debian: `apt install nodejs`).")
    if NODE_MODULES.is_dir():
        paths = [os.environ.get("NODE_PATH", ""), str(NODE_MODULES)]
        os.environ["NODE_PATH"] = os.pathsep.join(filter(None, paths))
    with TemporaryDirectory(prefix="study-") as folder:
        source, made = Path(folder, "trial.cc"), Path(folder, "trial.js")
        source.write_text(TRIAL)
        link = [*LINK, "-o", made]
        _say([COMPILER, "-std=c++20", "-O2", EXCEPTIONS, source, *link], "does not compile or link")
        _say(
            ["node", "-e", TRY_IT, made, made.with_suffix(".wasm")],
            "makes what this node does not run",
        )


def _say(command: Iterable[object], what: str) -> None:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        found = re.findall(r"(?:error: |Error: |fatal: ).*", done.stderr)
        reason = (
            found[0] if found else (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        )
        stop(f"Emscripten {what} ({reason[:200]}): install all of `{PACKAGES}`.")


@cache
def called() -> list[str]:
    """Return em++'s own compiler call with all flags: em++ is a Python program whose start takes as
    long as a small file. Return em++ itself if it does not show the call."""
    with TemporaryDirectory(prefix="study-") as folder:
        source = Path(folder, "trial.cc")
        source.write_text(TRIAL)
        said = [
            subprocess.run([COMPILER, *COMPILE, *each], capture_output=True, text=True)
            for each in (["-v", "-c", source, "-o", source.with_suffix(".o")], ["--cflags"])
        ]
    program, flags = (shlex.split(each.stdout or each.stderr.partition("\n")[0]) for each in said)
    added = [flag for flag in flags if flag not in COMPILE]
    tells = program and added and shutil.which(program[0])
    return [program[0], *added] if tells else [COMPILER]


class Build(ns3_build.Build):
    """An ns-3 for WebAssembly, with a copy of its source, which must accompany the module."""

    _compiled = COMPILE
    _home = HOME
    _combine_CPU_s = 5

    def __init__(self, tree: ns3_build.Tree) -> None:
        super().__init__(tree, with_lto=False)

    def _named(self) -> list[str]:
        return [COMPILER]

    def _asked(self) -> list[str]:
        return []  # they are for another compiler

    @property
    def _called(self) -> list[str]:
        return called()

    def _write_headers(self) -> None:
        """Write the headers, with what the library lacks for later releases; 3.44 gives the same
        with it."""
        super()._write_headers()
        with (self._part / "standard.h").open("a") as standard:
            standard.write(ORDER.read_text())

    def _combine(self, objects: list[Path]) -> None:
        """Keep the objects as they are: a module needs two thirds of them."""
        kept = self._part / browser_link.OBJECTS
        kept.mkdir(exist_ok=True)
        self._keep_source()
        for path in objects:
            path.rename(kept / path.name)

    def _keep_source(self) -> None:
        tree = self._tree
        kept = [*tree.files(".h"), *tree.files(".cc"), tree.folder / "VERSION"]
        kept += [each for each in (tree.folder / "LICENSE",) if each.exists()]
        for path in kept:
            place = self._part / "source" / path.relative_to(tree.folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)


def make(source: str | None, repository: str | None) -> Path:
    """Return the folder of ns-3 for WebAssembly: the existing one, or one of a named source."""
    check_tools()
    HOME.mkdir(parents=True, exist_ok=True)
    if not (source or repository) and (IN_USE / ns3_build.MANIFEST).is_file():
        return IN_USE.resolve()
    with ns3_build.orderly("browser"):
        build = Build(ns3_build.obtained(source, repository))
        build.make()
        ns3_build.lead_to(build.folder, IN_USE)
    for stale in HOME.glob("ns-*"):
        if stale != build.folder and stale.suffix != ".part":
            shutil.rmtree(stale)
    return build.folder


def take(env: Any, folder: Path) -> None:
    """Make waf compile and link for WebAssembly with this ns-3."""
    manifest = json.loads((folder / ns3_build.MANIFEST).read_text())
    version = manifest["version"]
    env.CXX = called()
    env.CXXFLAGS = ["-std=c++20", "-O2", *ns3_build.ARITHMETIC, "-Wall", "-Wextra", EXCEPTIONS]
    # waf does not track files included this way.
    digest = hashlib.sha256(SHIMS.read_bytes() + ORDER.read_bytes()).hexdigest()[:12]
    env.CXXFLAGS += ["-include", str(SHIMS), f"-DNS3_STUDY_SHIMS=0x{digest}"]
    kind = "WebAssembly, asserts off, logs off"
    env.DEFINES_NS3 = [
        *manifest["definitions"],
        f"NS3_STUDY_NS3_VERSION={number_of(version)}",
        f'NS3_STUDY_NS3_KIND="{kind}"',
    ]
    env.CXXFLAGS_NS3 = ["-isystem", str(folder / "include")]
    env.LINKFLAGS_NS3 = []
    env.LIB_NS3 = env.LIBPATH_NS3 = env.RPATH_NS3 = []


def main_of(program: str) -> str:
    """Return the name of a program's main() in the module, which has several."""
    return f"{program.replace('-', '_')}_main"


def table(programs: Iterable[str]) -> str:
    """Return the definition of PROGRAMS for webassembly/module.cc."""
    rows = [f'PROGRAM("{name}", {main_of(name)})' for name in sorted(programs)]
    return "PROGRAMS=" + " ".join(rows)


def link(env: Any, objects: Iterable[str]) -> None:
    """Link the module from these objects unless it is up to date, and report it."""
    ours, ns3 = sorted(map(Path, objects)), IN_USE.resolve()
    theirs = browser_link.needed(ns3, ours)
    total = hashlib.sha256(json.dumps(LINK).encode())
    for path in (*ours, *theirs):
        total.update(hashlib.sha256(path.read_bytes()).digest())
    key = total.hexdigest()
    if browser_sources.key_of(HOME) != key:
        print(f"linking build/wasm/study.js: about {LINK_CPU_S} s", flush=True)
        listed = HOME / "objects"
        listed.write_text("".join(f'"{path}"\n' for path in (*ours, *theirs)))
        _say([COMPILER, *LINK, f"@{listed}", "-o", HOME / "study.js"], "does not link the module")
    sources = [browser_link.source_of(ns3, path) for path in theirs]
    compiled = [flag.replace(f"{ROOT}/", "") for flag in (*env.CXXFLAGS, *env.DEFINES_NS3)]
    flags = {"compile": compiled, "link": LINK}
    browser_sources.tell(HOME, ns3, COMPILER, {"key": key, "flags": flags}, sources)
    size_kB = {
        name: (HOME / name).stat().st_size // 1000
        for name in (*browser_sources.MODULE, browser_sources.SOURCES)
    }
    made = ", ".join(f"{name} {size} kB" for name, size in size_kB.items())
    print(f"waf: build/wasm has {made}; `.venv/bin/study classroom` puts them into the page")
