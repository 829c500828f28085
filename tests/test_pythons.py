# SPDX-License-Identifier: GPL-2.0-only
"""The wheel runs under every Python that the project names, with the packages of the lock and
without a compiler or any other tool."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from study.base.project import ROOT

from tests.test_setup import runs

VERSIONS = ("3.11", "3.12", "3.13")
RUN = ["run", "hawking-hps1u", "--format", "json"]


def locked(names: list[str]) -> str:
    """The lines of these packages in the lock, each with its hashes."""
    blocks = re.split(r"^(?=\w)", (ROOT / "requirements.lock").read_text(), flags=re.MULTILINE)
    return "".join(block for block in blocks if block.partition("==")[0] in names)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_project_names_these():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == f">={VERSIONS[0]},<3.{int(VERSIONS[-1][2:]) + 1}"


def found(version: str) -> str | None:
    """An installed Python of that version, a version manager's too."""
    kept = Path.home().glob(f".pyenv/versions/{version}.*/bin/python")
    every = [shutil.which(f"python{version}"), *map(str, kept)]
    return next((each for each in every if each and runs(each)), None)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_runs_under_it(version: str, wheel: Path, program: Path, tmp_path: Path):
    if version == f"{sys.version_info[0]}.{sys.version_info[1]}":
        pytest.skip("all tests run under it")
    python = found(version)
    if python is None:
        pytest.skip(f"there is no Python {version} here")
    folder = tmp_path / "Jürgens Übung"
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (tmp_path / "needed.txt").write_text(locked(project["dependencies"]))
    pip = [sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install"]
    pip += ["--quiet", "--no-deps", "--no-compile"]
    fetch = [*pip, "--require-hashes", "--only-binary=:all:", "-r", tmp_path / "needed.txt"]
    fetched = subprocess.run(fetch, capture_output=True, text=True)
    if fetched.returncode:
        assert "hash" not in fetched.stderr.lower(), fetched.stderr
        pytest.skip("the packages cannot be fetched here")
    subprocess.run([*pip, "--no-index", wheel], check=True, capture_output=True)
    empty = {"PATH": str(tmp_path / "nothing"), "HOME": str(folder)}
    done = subprocess.run(
        [folder / "bin" / "study", *RUN], cwd=folder, env=empty, capture_output=True, text=True
    )
    own = [sys.executable, "-m", "study.commands.main", *RUN]
    assert (done.returncode, done.stderr) == (0, ""), done.stderr[-2000:]
    assert done.stdout == subprocess.run(own, capture_output=True, text=True, check=True).stdout
