# SPDX-License-Identifier: GPL-2.0-only
"""`./waf ns3 --train`: ns-3 and the scenarios are compiled once to count what a run does, run
for some seconds, and are compiled again by what was counted.

ns-3's profile goes into its object. The scenarios' stays in .ns3/NAME/profile, for every `./waf
build` from then on: a function that has changed since is compiled as one without a profile.
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import machine
import system_arguments
from ns3_source import number_of
from set_up import ROOT

COUNT = ["-fprofile-generate", "-fprofile-update=single"]
# What the training has not run is compiled as without a profile, and not as if it were never run;
# and nobody is told which functions those are.
USE = ["-fprofile-partial-training", "-Wno-coverage-mismatch", "-Wno-missing-profile"]
LINK = ["-fprofile-generate", "-pthread"]
RUNS_CPU_S = 10
SCENARIOS = ROOT / "scenarios"
COUNTS = ".gcda"
OF_WAF = ".1"  # ends the names of waf's objects; see idx in wscript

# Of ns-3, the files that a run of ours enters: what is not here is compiled once, without counting.
COUNTED = re.compile(
    r"attribute.*|boolean|callback|config|default-simulator-impl|double|environment-variable"
    r"|event-.*|global-value|hash.*|int64x64.*|integer|names|object.*|pointer|scheduler"
    r"|priority-queue-scheduler|random-variable-stream|rng-.*|simulator.*|string|time|timer"
    r"|trace-source-accessor|type-id|uinteger"
    r"|address|application|buffer|byte-tag-list|channel.*|data-rate|drop-tail-queue|error-.*"
    r"|ethernet-.*|header|inet-socket-address|llc-.*|mac48-address|net-device.*|node.*|packet"
    r"|packet-(filter|metadata|tag-list)|queue.*|socket.*|tag.*|trailer"
    r"|arp-.*|icmpv4.*|internet-stack-helper|ip-l4-protocol|ipv4|loopback.*|rtt-estimator"
    r"|ipv4-(address.*|end-.*|header|interface.*|l3-.*|list-.*|packet-info.*|queue.*|rout.*|static-.*)"
    r"|tcp-(congestion-ops|cubic|header|l4-protocol|linux-reno|option.*|prr-.*|rate-ops|recovery-ops)"
    r"|tcp-(rx-buffer|socket.*|tx-.*)"
    r"|backoff|csma-.*|point-to-point.*|ppp-header|fifo-.*|pfifo-.*|traffic-control-.*"
)

# Each system of a scenario is run with each of these. Most are what a sweep is made of, short
# transfers and long ones in full; the rest is there for its code to be known.
SHORT = [f"--job-size=65536 --receive-window={window}" for window in (2920, 8760, 32120, 65535)]
TRAINING = {
    "print-job": [
        "",
        *SHORT,
        "--job-size=300000 --fast-forward=false",
        "--job-size=100000 --loss-to-device=0.02 --seed=3",
        "--job-size=100000 --loss-to-host=0.02 --congestion-control=cubic --initial-window=10",
        "--job-size=200000 --link=path --rtt=40ms --path-rate=20Mbps --path-loss=0.01",
        "--job-size=100000 --link=frame-relay",
    ],
    "file-send": [
        *SHORT,
        "--job-size=300000 --fast-forward=false",
        "--job-size=100000 --loss-to-device=0.02 --seed=3",
        "--job-size=200000 --link=path --rtt=40ms --path-rate=20Mbps --path-loss=0.01",
    ],
    "request-reply": [
        "--commands=30 --fast-forward=false",
        "--commands=30 --loss-to-host=0.02 --seed=3",
        "--commands=20 --link=path --rtt=40ms",
    ],
    "file-read": [
        "--file-size=65536",
        "--file-size=200000 --fast-forward=false",
        "--file-size=65536 --protocol=packet-burst",
        "--file-size=65536 --protocol=packet-burst --loss-to-branch=0.02 --seed=3",
    ],
}


def why_not(compiler: str, target: str) -> str:
    """Why this compiler, by its own words, can have no profile for programs for that target; empty
    if it can."""
    if "clang" in compiler.lower():
        return "it takes g++"
    if not machine.is_for_here(target):
        return f"programs for {target} do not run here"
    return "" if programs() else "there is no scenario to run"


def programs() -> dict[str, list[Path]]:
    """The scenarios' programs and their sources, as wscript has them."""
    model = sorted(SCENARIOS.glob("model/*/*.cc"))
    mains = [each for each in SCENARIOS.glob("*/*.cc") if each.stem == each.parent.name]
    return {main.stem: [*model, *sorted(main.parent.glob("*.cc"))] for main in sorted(mains)}


class Training:
    """In the folder where an ns-3 is being built."""

    def __init__(self, part: Path, version: str) -> None:
        self._part, self._version = part, version
        self._done = part / "profile" / "done"

    def is_done(self) -> bool:
        return self._done.exists()

    def sources(self) -> list[tuple[Path, Path]]:
        """Ours, and their objects."""
        folder = self._part / "counting" / "ours"
        folder.mkdir(parents=True, exist_ok=True)
        ours = sorted({source for sources in programs().values() for source in sources})
        return [(source, self._object(source)) for source in ours]

    def flags(self) -> list[str]:
        """For our sources."""
        version = number_of(self._version)
        named = [f"-DNS3_STUDY_NS3_VERSION={version}", '-DNS3_STUDY_NS3_KIND="being trained"']
        return [*named, "-isystem", f"{self._part}/include", "-I", str(SCENARIOS), "-I", str(ROOT)]

    def run(self, ns3: Sequence[Path], call: Callable[[str, list[object]], None]) -> None:
        """Link the programs, run them, and keep what they counted."""
        folder = self._part / "training"
        folder.mkdir(exist_ok=True)
        system_arguments.write_all(folder / "systems")
        all_of_them = programs().items()
        made = [self._link(name, sources, ns3, folder, call) for name, sources in all_of_them]
        with ThreadPoolExecutor(machine.cores()) as pool:
            list(pool.map(_run, made))
        self._keep()
        shutil.rmtree(folder)
        shutil.rmtree(self._part / "counting")

    def _object(self, source: Path) -> Path:
        name = source.relative_to(ROOT).as_posix().replace("/", "#") + f"{OF_WAF}.o"
        return self._part / "counting" / "ours" / name

    def _link(
        self,
        name: str,
        sources: Iterable[Path],
        ns3: Sequence[Path],
        folder: Path,
        call: Callable[[str, list[object]], None],
    ) -> Path:
        listed = folder / f"{name}.objects"
        objects = [*map(self._object, sources), *ns3]
        listed.write_text("".join(f'"{path}"\n' for path in objects))
        call(name, [*LINK, f"@{listed}", "-o", folder / name])
        return folder / name

    def _keep(self) -> None:
        """By the names that the compiler looks for: ns-3's beside its objects, ours in a folder."""
        profile = self._done.parent
        profile.mkdir(exist_ok=True)
        for path in (self._part / "counting").glob(f"*{COUNTS}"):
            path.replace(self._part / "objects" / path.name)
        for path in (self._part / "counting" / "ours").glob(f"*{COUNTS}"):
            path.replace(profile / path.name.replace(f".o{COUNTS}", COUNTS))
        self._done.touch()


def _run(program: Path) -> None:
    """As a sweep does, each system with each set of flags."""
    lines = [
        f"--system={system} {flags}"
        for system in system_arguments.systems_of(program.name)
        for flags in TRAINING.get(program.name, [""])
    ]
    given = "".join(line + "\n" for line in lines or [""])
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([program, "--batch"], input=given.encode(), check=True, **streams)


def use(profile: Path, build: Path) -> list[str]:
    """Put our profile where g++ looks for it, beside the objects of waf that it is of; the flags to
    compile them with."""
    for path in profile.glob(f"*{COUNTS}"):
        place = build / path.name.replace("#", "/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
    return ["-fprofile-use", *USE]
