# SPDX-License-Identifier: GPL-2.0-only
"""An installed wheel answers as the project's own folder does, without the project around it."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from study.base.project import ROOT

Installed = tuple[Path, Path]  # its Python, and a folder that is not the project's


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in an environment of its own, with the libraries of this one."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=False)
    (site,) = (folder / "env").glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(site)
        for name in file.namelist():  # as pip does
            (site / name).chmod(file.getinfo(name).external_attr >> 16 or 0o644)
    # A path in a .pth file brings packages, and no .pth file of theirs: not the editable study.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    return folder / "env" / "bin" / "python", elsewhere


def said(installed: Installed, *words: str) -> str:
    python, elsewhere = installed
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("STUDY_")},
        "HOME": str(elsewhere),
        "XDG_CACHE_HOME": str(elsewhere / "cache"),
    }
    environment.pop("PYTHONPATH", None)
    command = [python, *words]
    done = subprocess.run(
        command, cwd=elsewhere, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout


STUDY = "import sys, study; sys.exit(study.command())"


@pytest.mark.parametrize(
    "words",
    [
        ("run", "hawking-hps1u"),
        ("what-if", "hawking-hps1u", "--receive-window", "5840"),
        ("explain", "netgear-ps101"),
    ],
    ids=lambda words: words[0],
)
def test_a_command_of_the_wheel_says_what_the_project_s_says(installed, words):
    own = subprocess.run(
        [sys.executable, "-c", STUDY, *words], capture_output=True, text=True, check=True
    )
    assert said(installed, "-c", STUDY, *words) == own.stdout


def test_a_notebook_in_another_folder_has_the_systems(installed):
    code = "import study; from study import systems; print(study.__file__, len(systems))"
    file, count = said(installed, "-c", code).split()
    assert "/env/" in file and int(count) == len(list((ROOT / "scenarios/systems").glob("*.toml")))


def test_what_a_wheel_lacks_is_one_line(installed):
    with pytest.raises(subprocess.CalledProcessError) as caught:
        said(installed, "-c", STUDY, "kernel", "--only", "queue 20")
    assert caught.value.returncode == 2
    assert "only in the project's own folder" in caught.value.stderr
