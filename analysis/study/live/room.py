# SPDX-License-Identifier: GPL-2.0-only
"""Separate process for a live run, with its own network namespaces if they are wanted. All that is
started in it ends with it, and so does the interface."""

import contextlib
import ctypes
import os
import pickle
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from study.base.errors import StudyError
from study.kernel import namespaces
from study.kernel.endpoints import become_urgent

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
INTERRUPTED = 130
INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
URGENCY = 20
NAMESPACE = "namespace"  # file with the namespace's name
ALLOW = (
    "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, where there is"
    " AppArmor kernel.apparmor_restrict_unprivileged_userns=0) and access to /dev/net/tun, or give"
    " --tap NAME"
)
PATIENCE_S = 2.0  # time to end before processes are killed


def in_a_room(
    work: Callable[[], Any],
    folder: Path,
    own_namespaces: bool = True,
    until_interrupted: bool = False,
) -> Any:
    """Run `work` in a forked process and return its result. `folder` is temporary; the process
    deletes it if this one is killed. An interrupt ends the process first; with `until_interrupted`
    that is a normal end. A StudyError of `work` is raised here."""
    answer = folder / "answer"
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        _in_child(work, own_namespaces, answer, parent)
    status = _wait(child, until_interrupted)
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    if not answer.exists():
        if (told := folder / NAMESPACE).exists():
            namespaces.end_all_in(told.read_text())  # its own process could not do it
        raise StudyError(f"the live run ended without a word, with status {status}")
    kind, said = pickle.loads(answer.read_bytes())
    if kind == "error":
        raise StudyError(said)
    return said


def _wait(child: int, until_interrupted: bool) -> int:
    while True:
        try:
            _, status = os.waitpid(child, 0)
            return os.waitstatus_to_exitcode(status)
        except KeyboardInterrupt:
            # A terminal signals both processes, other programs only one.
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)
            _, status = os.waitpid(child, 0)
            if until_interrupted and status == 0:
                return 0
            raise


def _in_child(work: Callable[[], Any], own_namespaces: bool, answer: Path, parent: int) -> None:
    """Run the rest of a forked process, which must not return to the caller's code."""
    status = 1
    try:
        _prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            return
        for number in INTERRUPTS:
            signal.signal(number, _interrupt)
        _prctl(PR_SET_CHILD_SUBREAPER, 1)
        become_urgent(URGENCY)  # not permitted inside a namespace of our own
        said = _said(work, own_namespaces, answer.parent)
        _end_all()
        beside = answer.with_suffix(".part")
        beside.write_bytes(pickle.dumps(said))
        beside.rename(answer)
        status = 0
    except KeyboardInterrupt:
        _end_all()
        status = INTERRUPTED
    except BaseException:
        traceback.print_exc()
    finally:
        if os.getppid() != parent:  # the parent was killed; this process owns its folder
            shutil.rmtree(answer.parent, ignore_errors=True)
        with contextlib.suppress(OSError):  # the reader has ended as well
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _said(work: Callable[[], Any], own_namespaces: bool, folder: Path) -> tuple[str, Any]:
    try:
        if own_namespaces:
            namespaces.enter_user_namespace()
            (folder / NAMESPACE).write_text(namespaces.network_namespace())
        return "result", work()
    except StudyError as error:
        if own_namespaces and isinstance(error, namespaces.Forbidden):
            return "error", f"no network of our own here ({error}): {ALLOW}"
        return "error", str(error)


def _interrupt(*_: object) -> None:
    for number in INTERRUPTS:  # once only: the clean-up must not be interrupted
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def dies_with_us() -> None:
    """Prepare a child to run a user's program: normal priority, and it ends with this process."""
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _end_all() -> None:
    """End every process started below this one, including those whose parents have ended."""
    for number in INTERRUPTS:
        signal.signal(number, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGKILL):
        end = time.monotonic() + PATIENCE_S
        while (below := namespaces.processes_below(os.getpid())) and time.monotonic() < end:
            for each in below:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(each, number)
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            time.sleep(0.02)
