# SPDX-License-Identifier: GPL-2.0-only
"""Makes .venv from the locks when it is missing or out of date, then runs waf on wscript in it.

Only the standard library: this runs before anything is installed.
"""

import ast
import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import machine

# Commands that need more than requirements.lock, and how much their own lock fetches.
FETCH_MB = {"test": 230, "extras": 5, "report": 35, "release": 2, "notebooks": 60, "docs": 45}
LOCKS = {command: f"requirements-{command}.lock" for command in FETCH_MB}
FREE_MB = 2300  # .venv, and the files that pip unpacks

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
# What .venv was made from. A lock is listed once its packages are complete. If .venv is made anew
# the stamp is removed first and written last, so without it set-up was interrupted.
STAMP = VENV / "set-up.json"
NS3_LOCK = ROOT / "build" / "requirements-ns3.lock"
OWN_NS3 = ROOT / ".ns3" / "in-use" / "ns3.json"  # written last by ./waf ns3

Stamp = dict[str, str]


def launch(arguments: list[str]) -> None:
    if VENV.is_symlink():
        stop(
            f".venv is a symbolic link, to {os.readlink(VENV)}, and set-up would wipe what is"
            " there: remove the link, and ./waf makes a .venv for this folder."
        )
    if not is_ready(needs(arguments)):
        if {"-h", "--help"} & set(arguments):
            print(f"usage: {usage()}\n\nThe options are listed here too once set-up has run.")
            return
        set_up(arguments)
    if Path(sys.prefix).resolve() != VENV:
        # -E: a PYTHONPATH into another ns-3 tree must have no effect in .venv.
        os.execv(PYTHON, [str(PYTHON), "-E", str(ROOT / "waf"), *arguments])
    run_waf()


def run_waf() -> None:
    import waflib.Context
    import waflib.Scripting

    # waf behaves as if called at the top, so that it always builds everything. The programs that it
    # runs start in the user's folder, so that file names given to them are right.
    waflib.Context.called_from = os.getcwd()
    parent = Path(waflib.__file__).parent.parent
    waflib.Scripting.waf_entry_point(str(ROOT), waflib.Context.WAFVERSION, str(parent))


def usage() -> str:
    """Return the commands of wscript, read without running it: set-up installs waf itself."""
    lines = ["./waf [commands] [options]", ""]
    for node in ast.parse((ROOT / "wscript").read_text()).body:
        is_public = isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
        if is_public and (summary := ast.get_docstring(node)):
            lines.append(f"  {node.name:11} {summary}")
    return "\n".join(lines)


# Contents of .venv, and whether it is up to date


def needs(arguments: list[str]) -> Stamp:
    """Return the part of the stamp that these commands rely on."""
    locks = [lock for command, lock in LOCKS.items() if command in arguments]
    wanted = {
        name: hashlib.sha256((ROOT / name).read_bytes()).hexdigest()
        for name in ("requirements.lock", *locks, "pyproject.toml")
    }
    wanted |= {"folder": str(ROOT), "python": "{}.{}".format(*sys.version_info)}
    return wanted if uses_own_ns3(arguments) else wanted | {"ns3": "wheel"}


def uses_own_ns3(arguments: list[str]) -> bool:
    for argument, value in zip(arguments, [*arguments[1:], ""], strict=False):
        option, equals, text = argument.partition("=")
        if option == "--with-ns3":
            return (text if equals else value) != "wheel"
    if "ns3" in arguments or OWN_NS3.is_file():
        return True
    return "configure" not in arguments and read_stamp().get("ns3") == "own"


def is_ready(wanted: Stamp) -> bool:
    return wanted.items() <= read_stamp().items() and os.access(PYTHON, os.X_OK)


def read_stamp() -> Stamp:
    try:
        return json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}


def set_up(arguments: list[str]) -> None:
    begun = time.monotonic()
    try:
        with only_one(ROOT / ".lock-waf-set-up", "set-up") as lock:
            wanted, have = needs(arguments), read_stamp()
            if is_ready(wanted):  # made by the set-up that this one waited for
                return
            check_machine(wanted, have)
            missing = {key for key in wanted if have.get(key) != wanted[key]}
            if missing & {"folder", "python", "requirements.lock"} or not PYTHON.exists():
                missing, have = set(wanted), {}
                if VENV.exists():
                    say("waf: .venv is out of date or was left half made: making it anew")
            if missing <= set(LOCKS.values()):  # existing packages stay as they are, and in use
                write_stamp({key: text for key, text in have.items() if key not in missing})
            else:
                STAMP.unlink(missing_ok=True)
            steps = plan(missing, own_ns3="ns3" not in wanted)
            for number, (title, commands) in enumerate(steps, 1):
                say(f"[{number}/{len(steps)}] {title}")
                with ThreadPoolExecutor() as pool:
                    if failed := [*filter(None, pool.map(lambda each: run(each, lock), commands))]:
                        stop(sentence_for(failed[0]))
            write_stamp({"ns3": "own"} | have | wanted)
    except KeyboardInterrupt:
        stop("interrupted; the next call of ./waf starts set-up again.", status=130)
    except OSError as error:
        stop(sentence_for(str(error)))
    say(f"waf: set up in {time.monotonic() - begun:.0f} s")


@contextlib.contextmanager
def only_one(file: Path, what: str) -> Iterator[int]:
    """Let only one of them run at a time: a second one waits, and then finds the work done."""
    with file.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waf: waiting for another {what} in this folder to end")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock.fileno()


def plan(missing: set[str], own_ns3: bool) -> list[tuple[str, list[list[str]]]]:
    """Return the steps that install what is missing: titles, and commands that run together."""
    python = [str(PYTHON), "-I", "-m"]
    pip = [*python, "pip", "--disable-pip-version-check", "install", "--no-deps", "--retries", "2"]
    pip += ["--no-compile"]  # most of what is installed is never imported
    locked = [*pip, "--require-hashes", "--only-binary", ":all:", "-r"]
    steps = []
    if "folder" in missing:
        # sys._base_executable: if called from inside .venv, this removes our own Python.
        venv = [sys._base_executable, "-I", "-m", "venv", "--clear", "--without-pip", str(VENV)]
        steps += [("a Python of our own in .venv", [venv]), ("its pip", [[*python, "ensurepip"]])]
    if missing & {"ns3", "requirements.lock"}:
        size, packages = ("140 MB" if own_ns3 else "210 MB with ns-3"), [[*locked, without_ns3()]]
        wheel = [[*locked, str(NS3_LOCK), "-q"]] * (not own_ns3)
        steps.append((f"the packages of requirements.lock ({size} to fetch)", packages + wheel))
    for command, lock in LOCKS.items():
        if lock in missing:
            title = f"the packages of {lock} ({FETCH_MB[command]} MB to fetch)"
            steps.append((title, [[*locked, lock]]))
    if "pyproject.toml" in missing:
        study = [*pip, "--no-build-isolation", "--editable", "."]
        steps.append(("the command .venv/bin/study (2 s)", [study]))
    return steps


def without_ns3() -> str:
    """Return the path of requirements.lock without ns-3's wheel, and write the wheel's own lock."""
    text, wheel = (ROOT / "requirements.lock").read_text(), r"(?m)^ns3==.*\n(?: +.*\n)*"
    lock = NS3_LOCK.with_name("requirements-without-ns3.lock")
    lock.parent.mkdir(exist_ok=True)
    lock.write_text(re.sub(wheel, "", text))
    NS3_LOCK.write_text("".join(re.findall(wheel, text)))
    return str(lock)


def run(command: list[str], lock: int) -> str:
    """Run one command, and return its errors if it fails. Progress is shown only in a terminal. The
    child holds the lock as well: if only the launcher is killed, the next one waits for its
    pip."""
    output = None if sys.stdout.isatty() else subprocess.DEVNULL
    with subprocess.Popen(
        command, cwd=ROOT, stdout=output, stderr=subprocess.PIPE, text=True, pass_fds=[lock]
    ) as child:
        errors = child.communicate()[1]
    return (errors or "\n") if child.returncode else ""


def write_stamp(stamp: Stamp) -> None:
    new = STAMP.with_suffix(".new")
    new.write_text(json.dumps(stamp, indent=1))
    new.replace(STAMP)


# What can be missing, one message each


def check_machine(wanted: Stamp, have: Stamp) -> None:
    """End with a message now, before the long download, if something would fail later."""
    if "ns3" in wanted and not machine.has_wheel():
        stop(
            f"the ns-3 wheel is for {' '.join(machine.WHEEL_FOR)} and this is {platform.system()}"
            f" {platform.machine()}: `./waf ns3` builds ns-3 here, and `./waf configure"
            " --with-ns3=PREFIX` takes one that is installed."
        )
    for module in ("venv", "ensurepip"):
        if not importlib.util.find_spec(module):
            package = "python{}.{}-venv".format(*sys.version_info)
            stop(
                f"this Python has no {module} module: install it"
                f" (Debian, Ubuntu: `apt install {package}`)."
            )
    check_compiler()
    free_MB = shutil.disk_usage(ROOT).free // 10**6
    if free_MB < FREE_MB and not have:
        stop(f"set-up needs {FREE_MB} MB and this disk has {free_MB} MB left: free some space.")


def check_compiler() -> None:
    advice = "install g++ 11 or newer (Debian, Ubuntu: `apt install g++`), or name one in CXX."
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
    if not compiler:
        stop(f"there is no C++ compiler: {advice}")
    macros_of = [*shlex.split(compiler), "-dM", "-E", "-x", "c++", os.devnull]
    try:
        macros = subprocess.run(macros_of, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        stop(f"the C++ compiler `{compiler}` does not run: {advice}")
    # clang also defines __GNUC__ as 4, so it is checked first.
    for name, macro, oldest in (("clang", "__clang_major__", 14), ("g++", "__GNUC__", 11)):
        if found := re.search(macro + r" (\d+)", macros):
            if int(found[1]) < oldest:
                stop(f"`{compiler}` is {name} {found[1]}, too old for C++20: {advice}")
            return


def sentence_for(error: str) -> str:
    """Return one message for an error of pip, venv or the system, else the error itself."""
    sentences = {
        "No space left|[Qq]uota exceeded": f"the disk is full: set-up needs {FREE_MB} MB in {ROOT}"
        f" and room in {tempfile.gettempdir()} (TMPDIR); free some and call ./waf again.",
        "Read-only file system|Permission denied": f"{ROOT} cannot be written:"
        " copy the study to a folder of your own.",
        r"Retrying \(|[Cc]onnection|timed out": "pip cannot reach the package index: connect to the"
        " network (or name your proxy or mirror in HTTPS_PROXY or PIP_INDEX_URL), then call ./waf"
        " again.",
        "DO NOT MATCH THE HASHES": "a package that was fetched is not the one that its lock names:"
        " call ./waf again, and if it stays so ask those who run the index (PIP_INDEX_URL).",
    }
    for pattern, sentence in sentences.items():
        if re.search(pattern, error):
            return sentence
    sys.stderr.write(error.rstrip() + "\n")
    return "set-up failed for the reason above; the next call of ./waf starts it again."


def say(line: str) -> None:
    print(line, flush=True)


def stop(sentence: str, status: int = 2) -> NoReturn:
    sys.stderr.write(f"waf: {sentence}\n")
    sys.exit(status)
