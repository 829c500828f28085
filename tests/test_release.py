# SPDX-License-Identifier: GPL-2.0-only
"""An installed wheel answers as the project's own folder does, without the project around it."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
import release
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


def test_a_release_has_the_page_in_both_languages_licences_and_checksums(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, classroom_page: Path
):
    """The page is the one that all tests share; wheel and source archive are stand-ins."""

    def make_or_stand_in(title: str, command: list) -> None:
        if "classroom" in command:
            shutil.copy(classroom_page, command[-1])
            return
        folder = Path(command[-2] if "repair" in command else command[-1])
        folder.mkdir(parents=True, exist_ok=True)
        suffix = "tar.gz" if "sdist" in command else "whl"
        (folder / f"slow_transfer_study.{suffix}").write_text(title)

    monkeypatch.setattr(release, "_step", make_or_stand_in)
    monkeypatch.setattr(release, "MADE", tmp_path / "build")
    monkeypatch.setattr(release, "DIST", tmp_path / "dist")
    release.make()
    dist = {path.name: path for path in (tmp_path / "dist").iterdir()}
    assert {path.suffix for path in dist.values()} >= {".whl", ".gz", ".html"}
    assert dist["LICENSE"].read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert {"licences.md", "notices-of-the-class-page.txt"} <= dist.keys()
    sums = [line.split("  ") for line in dist.pop("SHA256SUMS").read_text().splitlines()]
    digests = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in dist.items()}
    assert digests == {name: digest for digest, name in sums}
    page = dist["class-page.html"].read_text()
    for language in ("en", "de"):
        words = json.loads((ROOT / f"analysis/study/front/words.{language}.json").read_text())
        assert words["link"]["copy"] in page
