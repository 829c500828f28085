# SPDX-License-Identifier: GPL-2.0-only
"""What ./waf promises before the study: set-up from the locks, and a sentence when it can't."""

import hashlib
import importlib.metadata
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.copies import ROOT, assert_one_sentence, copy_launcher, environment, launch


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return copy_launcher(tmp_path / "study")


# When something is missing, ./waf says so in one sentence that tells what to do, with status 2.


@pytest.mark.parametrize("version", [(2, 7), (3, 10), (3, 14)])
def test_wrong_python(tree: Path, version: tuple[int, int]):
    done = launch(tree, "build", patch=f"sys.version_info = {(*version, 0)}")
    assert_one_sentence(done, "Python {}.{}".format(*version), "3.11, 3.12 or 3.13", "install")


def runs(python: str) -> bool:
    # A version manager has stand-ins that only say that the version is not installed.
    return subprocess.run([python, "-c", ""], capture_output=True).returncode == 0


def test_an_old_python_can_read_the_launcher_that_refuses_it():
    names = ["python2.7", *(f"python3.{minor}" for minor in range(6, 11))]
    old = [name for name in names if shutil.which(name) and runs(name)]
    if not old:
        pytest.skip("there is no older Python here")
    for python in old:
        done = subprocess.run([python, ROOT / "waf"], capture_output=True, text=True)
        assert_one_sentence(done, "3.11, 3.12 or 3.13")


@pytest.mark.parametrize(
    ("patch", "name"),
    [
        ("platform.machine = lambda: 'aarch64'", "Linux aarch64"),
        ("platform.system = lambda: 'Darwin'", "Darwin"),
    ],
)
@pytest.mark.parametrize("command", ["build", "configure"])
def test_where_there_is_no_wheel_the_way_is_named(tree: Path, patch: str, name: str, command: str):
    done = launch(tree, command, patch=f"import platform; {patch}")
    assert_one_sentence(done, name, "`./waf ns3` builds ns-3 here", "--with-ns3=PREFIX")


def test_no_venv_module(tree: Path):
    done = launch(tree, "build", patch="sys.modules['ensurepip'] = None")
    assert_one_sentence(done, "ensurepip", "apt install python3.", "-venv")


def test_no_compiler(tree: Path):
    assert_one_sentence(launch(tree, "build", PATH=tree), "no C++ compiler", "apt install g++")


def test_a_compiler_that_does_not_run(tree: Path):
    assert_one_sentence(launch(tree, "build", CXX="no-such-c++"), "no-such-c++", "g++ 11")


@pytest.mark.parametrize(
    ("macros", "name"),
    [
        ("#define __GNUC__ 10", "g++ 10"),
        ("#define __GNUC__ 4\n#define __clang_major__ 13", "clang 13"),
    ],
)
def test_too_old_a_compiler(tree: Path, macros: str, name: str):
    compiler = tree / "old-c++"
    compiler.write_text(f"#!/bin/sh\necho '{macros}'\n")
    compiler.chmod(0o755)
    assert_one_sentence(launch(tree, "build", CXX=compiler), name, "C++20", "g++ 11")


def test_too_small_a_disk(tree: Path):
    patch = (
        "import shutil, types; shutil.disk_usage = lambda path: types.SimpleNamespace(free=10**7)"
    )
    assert_one_sentence(launch(tree, "build", patch=patch), "10 MB left", "free some space")


def mounted(command: str) -> tuple[str, ...]:
    """A prefix that runs a command after mounting something that only it sees."""
    prefix = ("unshare", "--map-root-user", "--mount", "sh", "-c", command + ' && exec "$@"', "sh")
    try:
        if subprocess.run([*prefix, "true"], capture_output=True).returncode == 0:
            return prefix
    except OSError:
        pass
    pytest.skip("this machine lets nobody mount a file system for a test")


def test_a_disk_that_fills_up_during_set_up(tree: Path):
    small = tree / "small"
    small.mkdir()
    prefix = mounted(f"mount -t tmpfs -o size=64k none '{small}'")
    done = launch(tree, "build", prefix=prefix, TMPDIR=small)
    assert_one_sentence(done, "the disk is full", str(small))


def test_a_folder_that_cannot_be_written(tree: Path):
    prefix = mounted(
        f"mount --bind '{tree}' '{tree}' && mount -o remount,bind,ro '{tree}' && cd '{tree}'"
    )
    assert_one_sentence(launch(tree, "build", prefix=prefix), "cannot be written", "copy")


def test_another_folders_packages_are_not_wiped_through_a_link(tree: Path, tmp_path: Path):
    others = tmp_path / "others"
    others.mkdir()
    (others / "theirs").touch()
    (tree / ".venv").symlink_to(others)
    assert_one_sentence(launch(tree, "build"), str(others), "remove the link")
    assert [each.name for each in others.iterdir()] == ["theirs"]


def test_no_network(tree: Path):
    offline = {"PIP_NO_INDEX": "0", "PIP_INDEX_URL": "http://localhost:9", "PIP_NO_CACHE_DIR": "1"}
    assert_one_sentence(launch(tree, "build", **offline), "cannot reach the package index")


# Set-up is made from the locks, once, and again when they say something else.


# waf, and what makes an editable install.
LAUNCHERS_OWN = ("waflib", "hatchling", "packaging", "pathspec", "pluggy", "trove_classifiers")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages that the launcher itself needs, as wheels."""
    folder = tmp_path_factory.mktemp("wheels")
    for name in LAUNCHERS_OWN:
        package = importlib.metadata.distribution(name)
        with zipfile.ZipFile(folder / f"{name}-{package.version}-py3-none-any.whl", "w") as wheel:
            for file in package.files or []:
                if file.suffix != ".pyc" and ".." not in file.parts:
                    wheel.write(package.locate_file(file), str(file))
    return folder


def write_lock(tree: Path, wheels: Path, comment: str = "") -> None:
    lines = [
        f"{name}=={version} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}"
        for wheel in wheels.iterdir()
        for name, version, *_ in [wheel.name.split("-")]
    ]
    (tree / "requirements.lock").write_text("\n".join([*lines, comment]))


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory, wheels: Path) -> Path:
    """A copy of the tree that is set up, from a lock of few packages."""
    tree = copy_launcher(tmp_path_factory.mktemp("ready") / "study")
    write_lock(tree, wheels)
    done = launch(tree, "--version", PIP_FIND_LINKS=wheels)
    assert done.returncode == 0, done.stderr
    assert "[4/4]" in done.stdout and "waf: set up in" in done.stdout
    assert (tree / ".venv/bin/study").exists()
    return tree


def test_set_up_is_not_repeated_and_costs_nothing(ready: Path):
    """No other process is started on the way to waf's own, nothing is written."""
    stamp = ready / ".venv" / "set-up.json"
    before = stamp.stat()
    done = launch(ready, "--version", patch="import subprocess; subprocess.Popen = None")
    assert done.returncode == 0 and "waf: " not in done.stdout
    assert stamp.stat().st_mtime_ns == before.st_mtime_ns


def test_only_what_changed_is_installed_again(ready: Path, wheels: Path):
    with open(ready / "pyproject.toml", "a") as file:
        file.write("\n# changed\n")
    done = launch(ready, "--version", PIP_FIND_LINKS=wheels)
    assert done.returncode == 0, done.stderr
    assert "[1/1] the command" in done.stdout


def test_a_changed_lock_makes_it_anew_and_of_two_launchers_one_waits(ready: Path, wheels: Path):
    write_lock(ready, wheels, comment="# changed")
    left_over = ready / ".venv" / "left-over"
    left_over.touch()
    both = [start(ready, wheels) for _ in range(2)]
    said = [launcher.communicate()[0] for launcher in both]
    assert [launcher.returncode for launcher in both] == [0, 0]
    assert sorted("[4/4]" in text for text in said) == [False, True], said
    assert sorted("waiting for another set-up" in text for text in said) == [False, True]
    assert not left_over.exists()


def test_interrupted_set_up_starts_again(ready: Path, wheels: Path):
    write_lock(ready, wheels, comment="# changed again")
    for number, status in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        launcher = start(ready, wheels)
        for line in launcher.stdout:
            if line.startswith("[1/4]"):
                break
        os.killpg(launcher.pid, number)
        assert launcher.wait() == status
        said = launcher.stderr.read()
        assert said == "" or ("interrupted" in said and said.count("\n") == 1)
        assert not (ready / ".venv" / "set-up.json").exists()
    done = launch(ready, "--version", PIP_FIND_LINKS=wheels)
    assert done.returncode == 0 and "making it anew" in done.stdout


def test_what_is_added_stops_nothing_that_is_there(ready: Path, wheels: Path):
    """Packages of a further command: those that are set up go on, and half of it is not whole."""
    (ready / "requirements-test.lock").write_text(f"waflib==0.0 --hash=sha256:{64 * '0'}\n")
    before = launch(ready, "--version", PIP_FIND_LINKS=wheels)
    assert before.returncode == 0, before.stderr
    adding = launch(ready, "--version", "test", PIP_FIND_LINKS=wheels)
    assert adding.returncode == 2 and "the packages of requirements-test.lock" in adding.stdout
    done = launch(ready, "--version", patch="import subprocess; subprocess.Popen = None")
    assert done.returncode == 0 and "waf: " not in done.stdout, done.stderr
    again = launch(ready, "--version", "test", PIP_FIND_LINKS=wheels)
    assert again.returncode == 2 and "the packages of requirements-test.lock" in again.stdout


def start(tree: Path, wheels: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "waf", "--version"],
        cwd=tree,
        env=environment(PIP_FIND_LINKS=wheels),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_a_package_that_is_not_the_one_of_the_lock_is_refused(tree: Path, wheels: Path):
    write_lock(tree, wheels)
    lock = tree / "requirements.lock"
    lock.write_text(re.sub(r"sha256:\w+", "sha256:" + 64 * "0", lock.read_text()))
    assert_one_sentence(launch(tree, "build", PIP_FIND_LINKS=wheels), "not the one")
