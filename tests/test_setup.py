# SPDX-License-Identifier: GPL-2.0-only
"""What ./waf promises before and around the study: set-up, the build, and a sentence when it can't.

Everything runs in copies of the tree and without the network: packages for set-up are the ones that
this Python already has, put back into wheels.
"""

import hashlib
import importlib.metadata
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = "backup-unit.cc"  # of scratch/; other programs there are the user's own
WHEEL = Path(sysconfig.get_path("purelib"), "ns3")

STANDALONE = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
NOT_OURS = ("PIP_", "PYTHON", "CXX", "TMPDIR")


def environment(**changes: object) -> dict[str, str]:
    """This one, less what a user's shell might have set for pip, Python or the compiler."""
    kept = {key: text for key, text in os.environ.items() if not key.startswith(NOT_OURS)}
    return kept | STANDALONE | {key: str(value) for key, value in changes.items()}


def launch(
    tree: Path, *arguments: str, patch: str = "pass", prefix: Sequence[str] = (), **changes: object
) -> subprocess.CompletedProcess[str]:
    """./waf in a copy of the tree, in a Python where `patch` has run first."""
    code = f"import runpy, sys; {patch}; runpy.run_path('waf', run_name='__main__')"
    return subprocess.run(
        [*prefix, sys.executable, "-c", code, *arguments],
        cwd=tree,
        env=environment(**changes),
        capture_output=True,
        text=True,
    )


def waf(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What the launcher calls after set-up, in a copy of the tree with our .venv's packages."""
    code = "import sys; sys.path.insert(0, 'waf-tools'); import set_up; set_up.run_waf()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=tree,
        env=environment(NOCOLOR=1),
        capture_output=True,
        text=True,
    )


def copy_launcher(folder: Path) -> Path:
    """The launcher, the build and an empty study."""
    folder.mkdir()
    for name in ("waf", "wscript", "pyproject.toml", "requirements.lock", "requirements-test.lock"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "waf-tools", folder / "waf-tools")
    package = folder / "analysis" / "study"
    for name in ("", "base", "commands"):
        (package / name).mkdir(parents=True)
        (package / name / "__init__.py").write_text('"""Nothing."""\n')
    # Not the real one: it would make the project's own results anew while tests judge them.
    (package / "commands" / "main.py").write_text('print("the copy\'s own study")\n')
    shutil.copy(ROOT / "analysis" / "study" / "base" / "flags.py", package / "base")
    for name in ("scenarios/model", "scenarios/systems", "scenarios/hosts", "scratch"):
        (folder / name).mkdir(parents=True)
    return folder


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return copy_launcher(tmp_path / "study")


# When something is missing, ./waf says so in one sentence that tells what to do, with status 2.


def assert_one_sentence(done: subprocess.CompletedProcess[str], *words: str, status: int = 2):
    assert done.returncode == status, done.stderr
    assert done.stderr.startswith("waf: ") and done.stderr.count("\n") == 1, done.stderr
    for word in words:
        assert word in done.stderr


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


def test_wrong_architecture(tree: Path):
    patch = "import platform; platform.machine = lambda: 'aarch64'"
    assert_one_sentence(launch(tree, "build", patch=patch), "Linux aarch64", "--with-ns3=PREFIX")


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
    assert "[3/3]" in done.stdout and "waf: set up in" in done.stdout
    assert (tree / ".venv/bin/study").exists()
    return tree


def test_set_up_is_not_repeated_and_costs_nothing(ready: Path):
    begun = time.monotonic()
    done = launch(ready, "--version")
    assert time.monotonic() - begun < 1  # 0.15 s on an idle machine
    assert done.returncode == 0 and "waf: " not in done.stdout


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
    assert sorted("[3/3]" in text for text in said) == [False, True], said
    assert sorted("waiting for another set-up" in text for text in said) == [False, True]
    assert not left_over.exists()


def test_interrupted_set_up_starts_again(ready: Path, wheels: Path):
    write_lock(ready, wheels, comment="# changed again")
    for number, status in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        launcher = start(ready, wheels)
        for line in launcher.stdout:
            if line.startswith("[1/3]"):
                break
        os.killpg(launcher.pid, number)
        assert launcher.wait() == status
        said = launcher.stderr.read()
        assert said == "" or ("interrupted" in said and said.count("\n") == 1)
        assert not (ready / ".venv" / "set-up.json").exists()
    done = launch(ready, "--version", PIP_FIND_LINKS=wheels)
    assert done.returncode == 0 and "making it anew" in done.stdout


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


# The commands.

PROGRAM = """
#include "ns3/simulator.h"
#include <cstdio>
int main(int argc, char** argv)
{
    std::printf("%s at %s\\n", argc > 1 ? argv[1] : "", argv[0]);
    return ns3::Simulator::IsFinished() ? 3 : 0;
}
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built study of one program, build/answer, that prints its first flag and ends with 3."""
    if not WHEEL.exists():
        pytest.skip("set up with an ns-3 of one's own")
    tree = copy_launcher(tmp_path_factory.mktemp("build") / "study")
    (tree / "scratch" / "answer.cc").write_text(PROGRAM)
    done = waf(tree, "build")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3.44 of the wheel, release profile, asserts on, logs on" in done.stdout
    return tree


@pytest.mark.parametrize("is_set_up", [False, True])
def test_help_lists_our_commands_with_or_without_set_up(tree: Path, is_set_up: bool):
    done = waf(tree, "--help") if is_set_up else launch(tree, "--help")
    assert done.returncode == 0, done.stderr
    for command in ("configure", "build", "test", "reproduce", "distclean"):
        assert re.search(rf"^  {command} +\w", done.stdout, re.MULTILINE), command
    assert "_run" not in done.stdout and "uninstall" not in done.stdout
    assert ("--with-ns3 PREFIX" in done.stdout) == is_set_up
    assert not (tree / ".venv").exists()


def test_the_way_help_shows_to_choose_among_the_tests_works(study: Path):
    shown = re.search(r"--pytest-args=\S+ \w+'", " ".join(waf(study, "--help").stdout.split()))
    done = waf(study, "build", *shlex.split(shown[0].replace("WORD", "zero")))
    assert done.returncode == 0, done.stderr


def test_a_file_in_scratch_becomes_a_program_and_leaves_with_it(study: Path):
    new = study / "scratch" / "what-if.cc"
    new.write_text("int main() {}\n")
    assert waf(study, "build").returncode == 0
    assert (study / "build" / "what-if").exists()
    new.unlink()
    assert waf(study, "build").returncode == 0
    assert not (study / "build" / "what-if").exists()
    assert (study / "build" / "answer").exists()


def test_a_build_with_nothing_to_do_compiles_nothing(study: Path):
    done = waf(study, "build")
    assert done.returncode == 0 and "Compiling" not in done.stdout + done.stderr


def test_a_compile_error_is_the_compilers_own(study: Path):
    bad = study / "scratch" / "bad.cc"
    bad.write_text("int main() { return nothing; }\n")
    done = waf(study, "build")
    unconcerned = waf(study, "reproduce")
    bad.unlink()
    assert done.returncode == 1
    assert "the copy's own study" in unconcerned.stdout
    assert "bad.cc" not in unconcerned.stdout + unconcerned.stderr
    assert (study / "build" / "answer").exists()  # left alone, too
    said = done.stdout + done.stderr
    assert "scratch/bad.cc:1:21: error:" in said and "Traceback" not in said


def test_two_programs_of_one_name_are_refused(study: Path):
    other = study / "scenarios" / "answer"
    other.mkdir()
    (other / "answer.cc").write_text(PROGRAM)
    done = waf(study, "build")
    shutil.rmtree(other)
    assert done.returncode == 1 and "would both be build/answer" in done.stderr


def test_run_passes_flags_and_the_exit_status_on(study: Path):
    done = waf(study, "build", "--run", "answer --window=2920")
    assert done.returncode == 3
    assert done.stdout.splitlines()[-1] == f"--window=2920 at {study}/build/answer"


def test_run_goes_through_the_command_template(study: Path):
    done = waf(study, "--run", "answer --window=2920", "--command-template", "echo debug %s")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == f"debug {study}/build/answer --window=2920"


def test_run_without_such_a_program_names_the_near_ones(study: Path):
    done = waf(study, "build", "--run", "anwser")
    assert_one_sentence(done, "no anwser.cc", "near: answer")


def test_a_system_becomes_flags_and_leaves_with_its_file(study: Path):
    toml = study / "scenarios" / "systems" / "box.toml"
    toml.write_text(
        "[parameters]\n"
        "receive_window = { value = 2920, unit = 'B' }\n"
        "ack_latency = { value = 116.5, unit = 'ms' }\n"
        "loss_to_host = { value = 0.01 }\n"
        "nagle = { value = false }\n"
    )
    assert waf(study, "build").returncode == 0
    arguments = study / "build" / "systems" / "box.args"
    assert arguments.read_text().split() == [
        "--receive-window=2920",
        "--ack-latency=116.5ms",
        "--loss-to-host=0.01",
        "--nagle=false",
    ]
    toml.unlink()
    assert waf(study, "build").returncode == 0
    assert not arguments.exists()


def test_a_system_that_cannot_be_read_is_one_sentence(study: Path):
    toml = study / "scenarios" / "systems" / "torn.toml"
    toml.write_text("[parameters")
    done = waf(study, "build")
    toml.unlink()
    assert_one_sentence(done, "scenarios/systems/torn.toml cannot be read")


def test_a_system_takes_its_hosts_parameters_and_its_own_win(study: Path):
    host = study / "scenarios" / "hosts" / "old.toml"
    toml = study / "scenarios" / "systems" / "box.toml"
    toml.write_text("host = 'old'\n[parameters]\nmss = { value = 536, unit = 'B' }\n")
    missing = waf(study, "build")
    host.write_text(
        "[parameters]\n"
        "mss = { value = 1024, unit = 'B' }\n"
        "reply_time = { value = 1, unit = 'ms' }\n"
    )
    done = waf(study, "build")
    flags = (study / "build" / "systems" / "box.args").read_text().split()
    host.unlink(), toml.unlink()
    assert_one_sentence(missing, "box.toml: scenarios/hosts/old.toml cannot be read: no such file")
    assert done.returncode == 0, done.stderr
    assert flags == ["--mss=536", "--reply-time=1ms"]


def test_the_device_of_contributing_md_builds_and_runs(study: Path, program: Path):
    from study.kit.systems import load

    (example,) = re.findall(r"```toml\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.S)
    shutil.copytree(ROOT / "scenarios/hosts", study / "scenarios/hosts", dirs_exist_ok=True)
    toml = study / "scenarios" / "systems" / "my-device.toml"
    toml.write_text(example)
    done = waf(study, "build")
    assert done.returncode == 0, done.stderr
    flags = (study / "build" / "systems" / "my-device.args").read_text().split()
    system = load(toml)
    toml.unlink()
    assert sorted(flags) == sorted(system.flags())
    assert system.measured
    assert system.run().outcome == "finished"


def test_the_worked_example_fits_on_a_page_and_prints_a_throughput():
    source = ROOT / "scratch" / EXAMPLE
    assert len(source.read_text().splitlines()) <= 66  # a line printer's page
    done = subprocess.run([ROOT / "build" / source.stem], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"\d k?B/s", done.stdout)


# An ns-3 of one's own


def test_an_own_ns3_is_tried_and_named(study: Path, tmp_path: Path):
    for name in ("include", "lib64"):
        (tmp_path / name).symlink_to(WHEEL / name)
    done = waf(study, "configure", f"--with-ns3={tmp_path}")
    assert done.returncode == 0, done.stderr
    assert f"3.44 of {tmp_path}, release profile, asserts on, logs on" in done.stdout
    assert "runs : yes" in done.stdout


def test_an_own_ns3_needs_no_wheel(tree: Path):
    sys.path.insert(0, str(tree / "waf-tools"))
    import set_up

    assert "ns3" in set_up.needs(["build"])
    assert "ns3" not in set_up.needs(["build", "--with-ns3=/opt/ns-3"])
    lock = Path(set_up.lock_without_ns3()).read_text()
    assert "numpy==" in lock and "ns3" not in lock


def fake_ns3(prefix: Path, version: str) -> None:
    """As Debian installs it: no version in the library's name."""
    package = prefix / "lib" / "some-linux-gnu" / "cmake" / "ns3"
    package.mkdir(parents=True)
    (package / "ns3ConfigVersion.cmake").write_text(f'set(PACKAGE_VERSION "{version}")\n')
    (package / "ns3Targets.cmake").write_text("")
    (prefix / "lib" / "some-linux-gnu" / "libns3-core.so").write_bytes(b"")


def test_an_older_ns3_is_refused_by_its_version(study: Path, tmp_path: Path):
    fake_ns3(tmp_path, "3.37")
    done = waf(study, "configure", f"--with-ns3={tmp_path}")
    assert done.returncode == 1
    assert "ns-3 3.37" in done.stderr and "3.44 or later" in done.stderr


def test_an_ns3_that_does_not_work_is_refused_with_the_reason(study: Path, tmp_path: Path):
    fake_ns3(tmp_path, "3.45")
    done = waf(study, "configure", f"--with-ns3={tmp_path}")
    assert done.returncode == 1
    assert "cannot be used" in done.stderr and "ns3/csma-channel.h" in done.stderr


def test_no_ns3_where_the_option_says(study: Path, tmp_path: Path):
    done = waf(study, "configure", f"--with-ns3={tmp_path}")
    assert done.returncode == 1
    assert f"there is no ns-3 in {tmp_path}" in done.stderr and "Traceback" not in done.stderr
