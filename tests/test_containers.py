# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the study in containers: one script has the steps, and it comes from an empty Debian
to the first figure."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from study.base.project import ROOT

SCRIPT = "containers/set-up.sh"
STEPS = {"packages", "figure", "notebooks"}
PASSED_ON = (
    "PIP_",
    "http_proxy",
    "https_proxy",
    "SSL_CERT_FILE",
)  # how registries are reached here


def test_every_road_takes_the_steps_of_one_script():
    containerfile = (ROOT / "Containerfile").read_text()
    device = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    taken = re.findall(rf"^RUN .*{SCRIPT.split('/')[1]} (.+)$", containerfile, re.M)
    assert {step for line in taken for step in line.split()} == STEPS
    assert device["postCreateCommand"].startswith(f"{SCRIPT} ")
    assert f"AS {device['build']['target']}\n" in containerfile
    assert (ROOT / "binder" / "Dockerfile").resolve() == ROOT / "Containerfile"


def test_a_step_that_is_not_there_is_one_sentence():
    done = subprocess.run([ROOT / SCRIPT, "pakages"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "set-up.sh: pakages: a step is packages, figure or notebooks\n"


def test_an_empty_debian_comes_to_the_first_figure(tmp_path: Path):
    """In a tree of its own, which has nothing but what the script installs."""
    if not shutil.which("mmdebstrap") or os.geteuid() != 0:
        pytest.skip("an empty Debian needs mmdebstrap, and to be root")
    tree = tmp_path / "debian"
    bare = ["mmdebstrap", "--quiet", "--variant=minbase", "bookworm", str(tree)]
    made = subprocess.run(bare, capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"no Debian can be had here: {made.stderr.strip().splitlines()[-1]}")
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in filter(None, tracked.stdout.decode().split("\0")):
        copy = tree / "study" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy, follow_symlinks=False)
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    for name, value in os.environ.items():
        if name.startswith(PASSED_ON):
            environment[name] = value
            if Path(value).is_file():  # a certificate, where no package of the tree puts its own
                shutil.copy2(value, tree / name)
                environment[name] = f"/{name}"
    shutil.copy2("/etc/resolv.conf", tree / "etc" / "resolv.conf")
    # Its processes end with it, and what it mounts is gone.
    inside = "mount -t proc proc /proc && exec /study/containers/set-up.sh"
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "chroot", tree, "sh", "-c"]
    done = subprocess.run([*command, inside], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    drawn = tree / "study" / "build" / "figures"
    assert all((drawn / f"ladder.{form}").stat().st_size > 1000 for form in ("svg", "pdf", "png"))
