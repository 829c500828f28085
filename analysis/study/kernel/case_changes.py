# SPDX-License-Identifier: GPL-2.0-only
"""The one change of a case, as parameters of the system made from its capture."""

from collections.abc import Mapping
from typing import Any

from study.base.errors import StudyError
from study.base.units import seconds
from study.kernel.cases import Case
from study.system.system import System
from study.trials.reliefs import scaled_turns

BULK = "print-job"
# By scenario: the parameters that a key of a case changes. {sender} and {receiver} are the ends of
# request and reply that send and receive most.
SAME: dict[str, dict[str, tuple[str, ...]]] = {
    BULK: {
        "rtt": ("rtt",),
        "rate": ("path_rate",),
        "rate_back": ("path_rate_back",),
        "congestion_control": ("congestion_control",),
        "mss": ("mss", "device_mss"),
        "nagle": ("nagle",),
        "read_pause": ("drain_pause",),
        "write_pause": ("write_time",),
    },
    "request-reply": {
        "rtt": ("rtt",),
        "rate": ("path_rate",),
        "congestion_control": ("{sender}_congestion_control",),
        "mss": ("client_mss", "server_mss"),
        "nagle": ("client_nagle", "server_nagle"),
        "server_time": ("server_time",),
        "client_time": ("client_time",),
    },
}
# The kernel's buffers count memory, and a slow reader may appear as a rate, a latency or pauses:
# the fitted value is changed in the same proportion.
SCALED: dict[str, dict[str, tuple[str, ...]]] = {
    BULK: {
        "so_sndbuf": ("send_buffer",),
        "read_time": ("drain_latency", "port_rate", "drain_pause"),
    },
    "request-reply": {"so_sndbuf": ("{sender}_send_buffer",)},
}
# Times of programs, and the end whose writes they precede if a system has a list of turns; "" for
# the end that sends most.
OF_TURNS = {"server_time": "s", "client_time": "c", "write_pause": ""}
UNSCALED_B = 65535  # a larger window needs the option of RFC 7323 at both ends
RATES = {"port_rate"}  # half the time is twice the rate


class NoParameter(StudyError):
    """The scenario, or the fitted system, has no parameter for this change."""


def changes(case: Case, system: System, window_B: int) -> dict[str, Any]:
    """Return the changes to ask `study what-if` about. `window_B` is the largest window that the
    receiver announced after the change, since the kernel does not follow SO_RCVBUF exactly. Raise
    NoParameter if there is no parameter for the change."""
    asked: dict[str, Any] = {}
    for key, value in case.change.items():
        if key == "window":
            asked |= _window(case, system, window_B)
        else:
            asked |= _change(case, system, key, value)
    return asked


def _window(case: Case, system: System, window_B: int) -> dict[str, Any]:
    ends = ("device", "host") if case.before.is_from_client else ("host", "device")
    key = "receive_window"
    if system.scenario != BULK:
        ends = ("server", "client") if case.before.is_from_client else ("client", "server")
        key = f"{ends[0]}_window"
    scales = {f"{end}_window_scale": "auto" for end in ends} if window_B > UNSCALED_B else {}
    return {key: window_B} | scales


def _change(case: Case, system: System, key: str, value: Any) -> dict[str, Any]:
    if key in ("losses", "losses_back") and not value:
        back = {} if system.scenario == BULK else {"path_lost_packets_back": ""}
        return {"path_lost_packets": "", "path_loss": 0} | back
    if key == "queue":
        return {"path_queue": f"{value}p"}
    ends = ("client", "server") if case.before.is_from_client else ("server", "client")
    named = dict(zip(("sender", "receiver"), ends, strict=True))
    if key in OF_TURNS and "turns" in system.settings:
        ratio = _number(value) / _number(case.before.given[key])
        end = OF_TURNS[key] or ("c" if case.before.is_from_client else "s")
        return {"turns": scaled_turns(system.settings["turns"].text, end, ratio)}
    if keys := SAME[system.scenario].get(key):
        return {each.format(**named): value for each in keys}
    if keys := SCALED[system.scenario].get(key):
        found = [each.format(**named) for each in keys]
        ratio = _number(value) / _number(case.before.given[key])
        return _scaled(system, found, ratio)
    raise NoParameter(f"the scenario {system.scenario} has nothing for {key.replace('_', ' ')}")


def _scaled(system: System, keys: list[str], ratio: float) -> dict[str, Any]:
    """Return the first of these parameters in the system's file, multiplied by `ratio`."""
    given: Mapping[str, Any] = system.settings
    for key in keys:
        if key in given:
            setting = given[key]
            factor = 1 / ratio if key in RATES else ratio
            value = float(setting.value) * factor
            whole = setting.unit == "B"
            return {key: round(value) if whole else f"{value:.6g}{setting.unit}"}
    raise NoParameter(f"the system that was found has no {' or '.join(keys)}")


def _number(value: Any) -> float:
    return seconds(value) if isinstance(value, str) else float(value)
