# SPDX-License-Identifier: GPL-2.0-only
"""The wheel's ns-3 and one of one's own give the same records, to the byte.

NS3_SOURCE names an unpacked tree of ns-3, 3.44 or later; without it these are skipped. They build
it, in minutes, unless the project has it in .ns3.
"""

import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from random import Random

import orjson
import pytest
from study.base.project import scenario_program, scenarios
from study.catalogue import systems

from tests.copies import ROOT, copy_launcher, waf

SOURCE = os.environ.get("NS3_SOURCE", "")
CROSS = "aarch64-linux-gnu-g++"
# Half the time to compile, of what makes so few points that its speed is nothing. One of -O2's
# passes is what makes one instruction of a multiplication and an addition, where it may: it must
# have no occasion to.
CROSS_FLAGS = "-O1 -fexpensive-optimizations"
EMULATOR = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
POINTS = {"print-job": 500, "request-reply": 250, "file-send": 150, "file-read": 150}
WHEELS = "3.44"  # requirements.lock
CROSS_POINTS = 5  # of each scenario

# What is varied: no more than keeps a run short, and each way to draw and to go.
TCP = {
    "loss-to-host": ["0", "0.01", "0.05"],
    "loss-to-device": ["0", "0.02"],
    "link-rate": ["10Mbps", "100Mbps", "1Gbps"],
    "link-delay": ["500ns", "1us", "10us"],
}
HOST = {
    "send-buffer": ["4096", "16384", "65536", "200000"],
    "initial-window": ["1", "2", "10"],
    "congestion-control": ["newreno", "reno", "cubic", "bbr"],
    "nagle": ["true", "false"],
    "mss": ["536", "1024", "1460"],
    "minimum-rto": ["200ms", "1s"],
    "sack": ["true", "false"],
    "timestamps": ["true", "false"],
}
DEVICE = {
    "receive-window": ["1024", "2920", "8760", "32120", "65535"],
    "ack-latency": ["50us", "1ms", "117ms"],
    "ack-latency-spread": ["0ns", "3ms"],
    "device-sack": ["true", "false"],
    "ack-frequency": ["0", "1", "2"],
    "fast-forward": ["true", "false"],
}
PATH = {
    "rtt": ["2ms", "40ms", "150ms"],
    "path-rate": ["2Mbps", "20Mbps", "100Mbps"],
    "path-queue": ["10p", "100p"],
    "path-loss": ["0", "0.01", "0.05"],
}
ENDS = {f"client-{key}": values for key, values in HOST.items()} | {
    "server-delayed-ack": ["40ms", "200ms"],
    "server-time": ["1ns", "1ms", "30ms"],
    "commands": ["5", "40"],
}
READ = {
    "protocol": ["request-reply", "packet-burst"],
    "burst-size": ["2", "16", "45"],
    "loss-to-branch": ["0", "0.01", "0.05"],
    "loss-to-headquarters": ["0", "0.02"],
    "router-queue": ["10", "100"],
    "cloud-delay": ["1ms", "57535us"],
    "branch-access-rate": ["64kbps", "256kbps", "2Mbps"],
}
OF_A_HOST = ("sack", "timestamps")  # their flags carry the end's name
VARIED = {
    "print-job": TCP | HOST | DEVICE,
    "file-send": TCP | HOST | DEVICE | {"file-buffer": ["4096", "65536"]},
    "request-reply": TCP | ENDS,
    "file-read": READ,
}
SIZES = {
    "print-job": [f"--job-size={size}" for size in (1, 1461, 20_000, 200_000)],
    "file-send": [f"--job-size={size}" for size in (1461, 20_000, 200_000)],
    "file-read": [f"--file-size={size}" for size in (1000, 30_000, 100_000)],
    "request-reply": [""],
}


def points(scenario: str, count: int) -> list[str]:
    """Systems of the scenario with some of their parameters changed, the same ones every time."""
    random = Random(scenario)
    names = sorted(name for name in systems if systems[name].scenario == scenario)
    return [" ".join(_point(random, scenario, names)) for _ in range(count)]


def _point(random: Random, scenario: str, names: list[str]) -> list[str]:
    varied = dict(VARIED[scenario])
    flags = [f"--system={random.choice(names)}", random.choice(SIZES[scenario])]
    if scenario != "file-read" and random.random() < 0.3:
        flags.append("--link=path")
        varied = {k: v for k, v in varied.items() if k not in TCP} | PATH
    for key in random.sample(sorted(varied), 3):
        flag = f"host-{key}" if key in OF_A_HOST else key
        flags.append(f"--{flag}={random.choice(varied[key])}")
    return [*filter(None, flags), f"--seed={random.randint(1, 1000)}"]


def records(command: list[object], lines: list[str]) -> list[str]:
    done = subprocess.run(
        [*command, "--batch"],
        input="".join(line + "\n" for line in lines),
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1, 2), done.stderr
    return done.stdout.splitlines()


def assert_same(lines: list[str], ours: list[str], theirs: list[str]) -> Counter[str]:
    """What became of them. A version of ns-3 other than the wheel's has changed some of its TCP:
    of its records one in fifty may differ."""
    assert len(ours) == len(theirs) == len(lines)
    different = [line for line, own, other in zip(lines, ours, theirs, strict=True) if own != other]
    assert len(different) <= (0 if is_wheels_version() else len(lines) // 50), different
    return Counter(orjson.loads(record).get("outcome", "refused") for record in ours)


def is_wheels_version() -> bool:
    return Path(SOURCE, "VERSION").read_text().strip() == WHEELS


def build_elsewhere(folder: Path, **changes: str) -> Path:
    """The four programs in a copy of the project, on an ns-3 of its own: their folder."""
    tree = copy_launcher(folder / "study")
    for room in ("scenarios", "analysis", "live"):
        shutil.rmtree(tree / room, ignore_errors=True)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / room, tree / room, ignore=ignored)
    for each in (ROOT / ".ns3").glob("ns-*"):
        shutil.copytree(each, tree / ".ns3" / each.name)
    source = ["ns3", f"--source={SOURCE}", *(["--without-lto"] if changes else [])]
    for arguments in (source, ["build"]):
        done = waf(tree, *arguments, **changes)
        assert done.returncode == 0, done.stdout + done.stderr
    return tree / "build"


needs_source = pytest.mark.skipif(not SOURCE, reason="NS3_SOURCE names no source of ns-3")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_elsewhere(tmp_path_factory.mktemp("own"))


@needs_source
def test_records_are_the_same_with_both(program: Path, own: Path):
    assert sorted(POINTS) == scenarios()
    became: Counter[str] = Counter()
    for scenario, count in POINTS.items():
        assert own / scenario != scenario_program(scenario)
        lines = points(scenario, count)
        theirs = records([scenario_program(scenario)], lines)
        outcomes = assert_same(lines, records([own / scenario], lines), theirs)
        assert outcomes["finished"] > count / 2, (scenario, outcomes)
        became += outcomes
    assert became.total() - became["refused"] >= 1000, became


@needs_source
def test_files_are_the_same_with_both(program: Path, own: Path, tmp_path: Path):
    files = []
    for name, folder in (("theirs", program.parent), ("own", own)):
        written = [tmp_path / f"{name}.{kind}" for kind in ("pcap", "segments")]
        flags = [f"--{each.suffix[1:]}={each}" for each in written]
        lossy = ["--system=hawking-hps1u", "--job-size=300000", "--loss-to-device=0.02"]
        subprocess.run([folder / "print-job", *lossy, *flags], check=True, capture_output=True)
        files.append([each.read_bytes() for each in written])
    assert files[0] == files[1] and min(map(len, files[0])) > 10_000


@needs_source
def test_what_ran_is_said(own: Path):
    told = subprocess.run([own / "print-job", "--describe"], capture_output=True, check=True)
    version = Path(SOURCE, "VERSION").read_text().strip()
    kind = "static, asserts off, logs off, LTO"
    assert orjson.loads(told.stdout)["ns3"] == f"{version}, {kind}"


@needs_source
def test_records_are_the_same_on_another_processor(program: Path, tmp_path: Path):
    """An aarch64, emulated: no wheel is for it, and its own programs give the same."""
    for tool in (CROSS, EMULATOR[0]):
        if not shutil.which(tool):
            pytest.skip(f"there is no {tool}")
    there = build_elsewhere(tmp_path, CXX=CROSS, CXXFLAGS=CROSS_FLAGS)
    for scenario in POINTS:  # it ends in order: what was made first goes last
        subprocess.run([*EMULATOR, there / scenario, "--describe"], check=True, capture_output=True)
    for scenario in POINTS:
        lines = points(scenario, CROSS_POINTS)
        theirs = records([scenario_program(scenario)], lines)
        outcomes = assert_same(lines, records([*EMULATOR, there / scenario], lines), theirs)
        assert outcomes["finished"] > 0, outcomes
