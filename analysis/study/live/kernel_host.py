# SPDX-License-Identifier: GPL-2.0-only
"""The host's parameters as settings of the kernel, which is the host of a live run: sysctls of its
network namespace (ip-sysctl.rst of the kernel), metrics of its route to the device, and the MTU of
the interface. What the kernel cannot do is refused; what it does of its own accord is read off, so
that the simulated host beside it does the same."""

import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from study.base.errors import StudyError
from study.base.units import seconds
from study.kernel import namespaces
from study.kernel.measure import kernel
from study.kernel.namespaces import TCP_SETTINGS
from study.live import route

LARGEST_MSS_B, HEADERS_B = 1460, 40
# Window that the kernel announces as a fraction of the receive buffer: 1/2 until it has learnt the
# memory of received packets; then, of 256 B of memory, 160 B are data for packets of 1500 B.
UNTOLD, TOLD = 0.5, 160 / 256
LEAST_SEND_B, LEAST_RECEIVE_B = 4608, 2304  # SOCK_MIN_SNDBUF and SOCK_MIN_RCVBUF of the kernel
CONTROLS = ("reno", "cubic", "bbr")  # that the scenario has as well
# Why the kernel cannot do it, if not for lack of a setting.
NO_SETTING = "the kernel has no setting for it"
REASONS = {
    "nagle": "TCP_NODELAY is COMMAND's to set",
    "loss_detection": "the kernel has RACK alone (since 6.17)",
    "delayed_ack": "the kernel's 40 ms are fixed; --{ack_frequency} 1 delays no ACK",
    "quick_acks": "the kernel's 16 are fixed; --{ack_frequency} 1 delays no ACK",
    "first_window": "the kernel begins with what its buffer gives; give --{window}",
    "reply_time": "that is as fast as this machine is",
    "segment_time": "that is as fast as this machine is",
    "timer_tick": "CONFIG_HZ of the kernel is fixed, and the simulated host has it, too",
    "timer_wheel": "the kernel has its timers there",
}


@dataclass(frozen=True)
class Settings:
    """The kernel's settings for a live run."""

    sysctls: Mapping[str, str] = field(default_factory=dict)
    metrics: Mapping[str, int | str] = field(default_factory=dict)  # of the route
    mtu: int | None = None
    simulated: Mapping[str, str] = field(default_factory=dict)  # more parameters of the twin

    def __bool__(self) -> bool:
        return bool(self.sysctls or self.metrics or self.mtu)

    def __or__(self, other: "Settings") -> "Settings":
        return Settings(
            {**self.sysctls, **other.sysctls},
            {**self.metrics, **other.metrics},
            other.mtu or self.mtu,
            {**self.simulated, **other.simulated},
        )


class Refused(Exception):
    """The reason why the kernel cannot do what was asked."""


def settings(given: Mapping[str, str], flags: Mapping[str, str], is_told: bool) -> Settings:
    """Return the kernel's settings for host parameters, given by bare names ("send_buffer") with
    texts in ns-3's notation. `flags` has the name of each option. `is_told` says whether the host
    receives data. Raise StudyError if the kernel cannot do it."""
    known = _SETTINGS | {"window": partial(_window, TOLD if is_told else UNTOLD)}
    found = Settings()
    for name, text in given.items():
        try:
            if name not in known:
                raise Refused(REASONS.get(name, NO_SETTING))
            found |= known[name](text, given)
        except Refused as error:
            why = str(error).format_map(flags)
            raise StudyError(f"{flags[name]}: {text} cannot be had live: {why}") from None
    return found


def _on_or_off(sysctl: str):
    def of(text: str, _: Mapping[str, str]) -> Settings:
        return Settings({sysctl: str(int(text == "true"))})

    return of


def _window_scale(text: str, _: Mapping[str, str]) -> Settings:
    if text not in ("none", "auto"):
        raise Refused("the kernel's shift is what its largest buffer needs; give none or auto")
    return Settings({"tcp_window_scaling": str(int(text == "auto"))})


def _congestion_control(text: str, _: Mapping[str, str]) -> Settings:
    if text not in CONTROLS:
        raise Refused(f"the kernel has {', '.join(CONTROLS)}")
    loaded = (TCP_SETTINGS / "tcp_available_congestion_control").read_text().split()
    if text not in loaded:
        raise Refused(f"this kernel has loaded {', '.join(loaded)}")
    return Settings(metrics={"congctl": text})  # the sysctl needs privileges for some of them


def _send_buffer(text: str, given: Mapping[str, str]) -> Settings:
    if int(text) < LEAST_SEND_B:
        raise Refused(f"the kernel's least is {LEAST_SEND_B} B, counted in packets' memory")
    grows = given.get("send_buffer_grows", "false") == "true"
    begin = min(16384, int(text)) if grows else int(text)
    return Settings(
        {"tcp_wmem": f"{LEAST_SEND_B} {begin} {text}"},
        simulated={"send_buffer_grows": str(grows).lower()},
    )


def _send_buffer_grows(text: str, given: Mapping[str, str]) -> Settings:
    if "send_buffer" not in given:
        raise Refused("give --{send_buffer}, too")
    return Settings()  # send_buffer's setting includes it


def _initial_window(text: str, _: Mapping[str, str]) -> Settings:
    return Settings(metrics={"initcwnd": int(text)})


def _minimum_rto(text: str, _: Mapping[str, str]) -> Settings:
    milliseconds = seconds(text) * 1e3
    if milliseconds < 1 or milliseconds != round(milliseconds):
        raise Refused("a route has whole milliseconds")
    return Settings(metrics={"rto_min": round(milliseconds)})


def _mss(text: str, _: Mapping[str, str]) -> Settings:
    if not 88 <= int(text) <= LARGEST_MSS_B:
        raise Refused(f"a TAP's MTU gives 88 to {LARGEST_MSS_B} B")
    return Settings(mtu=int(text) + HEADERS_B)


def _ack_frequency(text: str, _: Mapping[str, str]) -> Settings:
    if text != "1":
        raise Refused("the kernel has its own rule, or with 1 (quickack of a route) delays none")
    return Settings(metrics={"quickack": 1}, simulated={"ack_rule": "counted"})


def _window(share: float, text: str, _: Mapping[str, str]) -> Settings:
    buffer = round(int(text) / share)
    if buffer < LEAST_RECEIVE_B:
        raise Refused(f"the kernel's least buffer, {LEAST_RECEIVE_B} B, gives more")
    return Settings(
        {"tcp_rmem": f"{min(4096, buffer)} {buffer} {buffer}", "tcp_moderate_rcvbuf": "0"},
        simulated={"first_window": "0"},
    )


_SETTINGS = {
    "sack": _on_or_off("tcp_sack"),
    "timestamps": _on_or_off("tcp_timestamps"),
    "window_scale": _window_scale,
    "congestion_control": _congestion_control,
    "send_buffer": _send_buffer,
    "send_buffer_grows": _send_buffer_grows,
    "initial_window": _initial_window,
    "minimum_rto": _minimum_rto,
    "mss": _mss,
    "ack_frequency": _ack_frequency,
}


def apply(chosen: Settings, interface: str, device: str, gateway: str) -> None:
    """Apply the settings in this network namespace. The kernel keeps no metrics between jobs."""
    for name, text in {"tcp_no_metrics_save": "1", **chosen.sysctls}.items():
        try:
            (TCP_SETTINGS / name).write_text(text)
        except OSError as error:
            raise namespaces.Forbidden(f"net.ipv4.{name}: {error.strerror}") from None
    if chosen.mtu:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            namespaces.set_mtu(any_socket, interface.encode(), chosen.mtu)
    if chosen.metrics:
        route.add(interface, device, gateway, chosen.metrics)


def seen(chosen: Settings) -> dict[str, str]:
    """Return the kernel's own behaviour for parameters of the simulated host, by bare names,
    without those that were set."""
    found = {
        "sack": _shown("tcp_sack") != "0",
        "timestamps": _shown("tcp_timestamps") != "0",
        "window_scale": "auto" if _shown("tcp_window_scaling") == "1" else "none",
        "congestion_control": chosen.metrics.get("congctl", _shown("tcp_congestion_control")),
    }
    if found["congestion_control"] not in CONTROLS:
        del found["congestion_control"]
    if not chosen.sysctls.get("tcp_wmem"):
        found["send_buffer"] = _shown("tcp_wmem").split()[-1]
    if not chosen.metrics.get("rto_min") and (TCP_SETTINGS / "tcp_rto_min_us").exists():
        found["minimum_rto"] = f"{_shown('tcp_rto_min_us')}us"
    if beat := re.search(r"HZ=(\d+)", kernel()):
        found["timer_tick"] = f"{1_000_000_000 // int(beat[1])}ns"
    return {name: str(each).lower() for name, each in found.items()}


def _shown(name: str) -> str:
    return (TCP_SETTINGS / name).read_text().strip()
