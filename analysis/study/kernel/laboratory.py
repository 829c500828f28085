# SPDX-License-Identifier: GPL-2.0-only
"""One transfer through the kernel: two namespaces, a wire between them, a program at each end."""

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import traceback
from dataclasses import dataclass
from pathlib import Path

from study.base.errors import StudyError
from study.base.project import program_built_now
from study.kernel import endpoints, namespaces
from study.kernel.transfers import OFFERS, Point

# Framing of a packet on the simulated path: the two octets of PPP's protocol field.
FRAMING_B = 2
TIME_LIMIT_S = 120

# Prefix of a child's message that something is forbidden.
FORBIDDEN = "forbidden: "
ENDS = ("client", "server")


def wire() -> Path:
    """Return the program between the two hosts, built if missing."""
    return program_built_now("wire")


@dataclass(frozen=True)
class Observation:
    """Data of a transfer: the wire's table, and the counters of each end's kernel."""

    table: str
    client: dict[str, int]
    server: dict[str, int]


def observed(point: Point) -> Observation:
    """Return a point's transfer as the wire and both ends saw it, or raise StudyError."""
    between = wire()
    with tempfile.TemporaryDirectory() as folder:
        capture = Path(folder, "capture.csv")
        problem = Path(folder, "problem")
        child = os.fork()
        if child == 0:
            _in_child(between, point, capture, problem)
        _, status = os.waitpid(child, 0)
        said = problem.read_text() if problem.exists() else ""
        if said.startswith(FORBIDDEN):
            raise namespaces.Forbidden(
                f"no network namespaces of our own here ({said.removeprefix(FORBIDDEN)}): the"
                " kernel cannot be measured, results/ stays as it is"
            )
        if status:
            raise StudyError(f"{point.name}: {said or f'ended with status {status}'}")
        ends = (json.loads(capture.with_name(each).read_text()) for each in ENDS)
        return Observation(capture.read_text(), *ends)


def _in_child(wire: Path, point: Point, capture: Path, problem: Path) -> None:
    """Run the rest of a forked process, which must not return to the caller's code."""
    try:
        _run(wire, point, capture)
        os._exit(0)
    except namespaces.Forbidden as error:
        problem.write_text(f"{FORBIDDEN}{error}")
    except Exception as error:
        problem.write_text(f"{type(error).__name__}: {error}")
    os._exit(1)


def _run(wire: Path, point: Point, capture: Path) -> None:
    endpoints.become_urgent(20)  # not permitted inside a namespace of our own
    mtu, offload = point.path["mtu"], point.host.get("offload", False)
    six = point.host.get("ipv6", False)
    client_address, server_address = namespaces.ADDRESSES_6 if six else namespaces.ADDRESSES

    def note(end: str, found: dict[str, int]) -> None:
        capture.with_name(end).write_text(json.dumps(found))

    namespaces.enter_user_namespace()
    _offer(point)
    a = namespaces.open_tun(client_address, mtu, offload)
    start, go = os.pipe()
    client = _fork(
        lambda: (
            os.read(start, 1),
            note("client", endpoints.ask(server_address, point.exchange, point.host)),
        ),
        a,
        go,
    )
    namespaces.enter_network_namespace()
    _offer(point)
    b = namespaces.open_tun(server_address, mtu, offload)
    listening, tell = os.pipe()
    server = _fork(
        lambda: note(
            "server",
            endpoints.serve(
                server_address, point.exchange, point.host, lambda: os.write(tell, b".")
            ),
        ),
        a,
        b,
        go,
    )
    carrier = subprocess.Popen(
        [
            wire,
            *(f"--a={a}", f"--b={b}", f"--capture={capture}", f"--offload={int(offload)}"),
            *path_flags(point.path),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=(a, b),
    )
    try:
        # Also for an end that fails before it listens.
        signal.signal(signal.SIGALRM, _too_late)
        signal.setitimer(signal.ITIMER_REAL, TIME_LIMIT_S)
        carrier.stdout.readline()
        os.read(listening, 1)
        os.write(go, b".")
        statuses = [os.waitpid(each, 0)[1] for each in (client, server)]
    except TimeoutError:
        for each in (client, server):
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        carrier.stdin.close()
        carrier.wait()
    if any(statuses) or carrier.returncode:
        raise RuntimeError(f"the ends and the wire ended with {statuses}, {carrier.returncode}")


def _offer(point: Point) -> None:
    """Set the SYN options of this network namespace's hosts."""
    for name in OFFERS:
        if not point.host.get(name, True):
            (namespaces.TCP_SETTINGS / f"tcp_{name}").write_text("0")


def _too_late(*_) -> None:
    raise TimeoutError("the transfer does not end")


def _fork(work, *not_its) -> int:
    """Run `work` in a new process in the present network namespace."""
    child = os.fork()
    if child:
        return child
    try:
        for each in not_its:
            os.close(each)
        endpoints.become_urgent(10)
        work()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    os._exit(1)


def path_flags(path: dict) -> list[str]:
    """Return the wire's flags for a point's path; "a" is the direction from client to server."""
    flags = [f"--framing={FRAMING_B}"]
    for way, end in (("a", "to_server"), ("b", "to_client")):
        flags += [f"--{way}-rate={path[f'rate_{end}']}", f"--{way}-delay={path['delay_ns']}"]
        flags += [f"--{way}-queue={path[f'queue_{end}']}"]
        flags += [f"--{way}-lose={','.join(map(str, path[f'losses_{end}']))}"]
    return flags
