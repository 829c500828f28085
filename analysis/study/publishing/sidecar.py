# SPDX-License-Identifier: GPL-2.0-only
"""Sidecar file of a figure: the runs behind it, each with its command, and the versions."""

import hashlib
import platform
import shlex
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

from study.base.project import scenario_program
from study.catalogue import systems
from study.programs.declaration import declaration
from study.programs.noted import Run
from study.system.notes import Source

FORMAT = 1  # of the file beside a figure


def command(run: Run) -> str:
    """Return the command that repeats a run: a system of the study with its changes, or else the
    scenario's program."""
    changes = []
    for name, system in systems.items():
        own = system.flags() if system.scenario == run.scenario else None
        if own is not None and _names(own) <= _names(run.flags):
            changes.append((len(set(run.flags) - set(own)), name, own))
    if not changes:
        return shlex.join([f"build/{run.scenario}", *run.flags])
    _, name, own = min(changes)
    return shlex.join(["study", "run", name, *(flag for flag in run.flags if flag not in own)])


def _names(flags: Sequence[str]) -> set[str]:
    return {flag.partition("=")[0] for flag in flags}


def sidecar(
    figure: str, size: str, caption: str, runs: Sequence[Run], sources: Sequence[Source] = ()
) -> dict:
    """Return all that made a figure: its runs with complete parameters, their programs, the
    versions of the software, and the sources that it quotes."""
    return {
        "format": FORMAT,
        "figure": figure,
        "width": size,
        "caption": caption,
        "sources": [vars(each) for each in sources],
        "programs": {name: _program(name) for name in dict.fromkeys(r.scenario for r in runs)},
        "versions": versions(),
        "runs": [
            {"scenario": run.scenario, "command": command(run)}
            | {name: run.record.get(name) for name in ("outcome", "throughput_Bps", "parameters")}
            for run in runs
        ],
    }


def _program(scenario: str) -> dict:
    digest = hashlib.sha256(scenario_program(scenario).read_bytes()).hexdigest()
    return {"sha256": digest, "ns3": declaration(scenario).ns3}


def versions() -> dict[str, str]:
    """Return the versions of the software that draws a figure."""
    packages = ("slow-transfer-study", "matplotlib", "numpy", "pandas", "SALib")
    found = {"python": platform.python_version()}
    for name in packages:
        with suppress(PackageNotFoundError):  # the study runs from a folder without set-up
            found[name] = version(name)
    return found


def origin(command: str, entries: dict | None) -> str:
    """Return one line on a file's origin for its own metadata."""
    used = entries["versions"] if entries else versions()
    told = [f"{name} {number}" for name, number in used.items()]
    programs = entries["programs"] if entries else {}
    told += [f"ns-3 {each['ns3']}" for each in list(programs.values())[:1]]
    quoted = [each["title"] for each in entries["sources"]] if entries else []
    after = f"; quotes {'; '.join(quoted)}" if quoted else ""
    return f"{command}; {', '.join(told)}{after}"


def text(entries: dict) -> str:
    """Return the entries as text for a terminal."""
    lines = [f"{entries['figure']}: {len(entries['runs'])} run(s)"]
    for run in entries["runs"]:
        rate = run["throughput_Bps"]
        ended = f"{rate:,.1f} B/s" if rate else run["outcome"]
        lines.append(f"  {run['command']}  # {ended}")
    for name, program in entries["programs"].items():
        lines.append(f"program   build/{name}, sha256 {program['sha256']}, ns-3 {program['ns3']}")
    used = ", ".join(f"{name} {number}" for name, number in entries["versions"].items())
    return "\n".join([*lines, f"versions  {used}"])
