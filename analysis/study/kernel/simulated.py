# SPDX-License-Identifier: GPL-2.0-only
"""A point of the kernel as a run of the scenario request-reply: both hosts with the profile
linux-6, and the wire as its path."""

import re
from functools import cache
from typing import TYPE_CHECKING

from study.base.flags import value_text
from study.base.project import HOSTS
from study.kernel.endpoints import so_rcvbuf
from study.kernel.transfers import EXCHANGE_KEYS, OFFERS, Point
from study.system.hosts import load_host

if TYPE_CHECKING:
    from study.system.settings import Setting

SCENARIO = "request-reply"
PROFILE = HOSTS / "linux-6.toml"
ENDS = ("client", "server")
PROFILE_PREFIX = "client_"  # the scenario's prefix of a profile's parameters
AT_LEAST = "1ns"  # the model's value for no time
# Time of a write in the kernel: ten of 1500 B enter the wire within 47 us (results/kernel.csv, "50
# writes of 1500 B at once").
WRITE_TIME = "5us"
WRITE_TIMES = ("command_write_time", "reply_write_time")
EXCHANGE_TIMES = (*WRITE_TIMES, "client_time", "server_time", "read_time")
# Keys of a point with another name in the scenario.
SCENARIO_KEYS = {"read": "server_read", "read_time": "server_read_time"}
# An end's parameters that ns-3's own TCP has as well (`--tcp stock`).
STOCK = ("mss", "congestion_control", "nagle", "window", "window_scale", "sack", "timestamps")
STOCK += ("initial_window", "minimum_rto", "initial_rto", "delayed_ack", "send_buffer")
HEADERS_B = 40  # IPv4 and TCP without options: the MSS is the MTU less these


def parameters(point: Point, row: dict[str, str]) -> dict[str, str]:
    """Return all parameters of a point; `row` is the kernel's measured row of it."""
    return {**_hosts(point, row), **_exchange(point), **_path(point)}


def flags(point: Point, row: dict[str, str]) -> list[str]:
    """Return all parameters of a point as flags."""
    return _as_flags(parameters(point, row))


def out_of_the_box_flags(point: Point) -> list[str]:
    """Return the flags of a user who has not seen the kernel's run: the profile at both ends, the
    path, and the socket options."""
    given = _profile(point)
    if "window" in point.host:
        given[f"{_receiver(point)}_receive_buffer"] = str(so_rcvbuf(point.host["window"]))
    return _as_flags({**given, **_exchange(point), **_path(point)})


def stock_flags(point: Point, row: dict[str, str]) -> list[str]:
    """Return the flags for ns-3's own TCP, as far as it can be set. Its send buffer counts bytes,
    so it has the requested size."""
    given, sender = {"tcp": "stock"}, ENDS[0 if point.is_from_client else 1]
    for key, text in _hosts(point, row).items():
        end, _, name = key.partition("_")
        if key == f"{sender}_send_buffer":
            text = str(point.host.get("so_sndbuf", text))
        if name in STOCK:
            given[f"{end}_{name}"] = text
    return _as_flags({**given, **_exchange(point), **_path(point)})


def _as_flags(given: dict[str, str]) -> list[str]:
    return [f"--{key.replace('_', '-')}={text}" for key, text in given.items()]


@cache
def _settings() -> "dict[str, Setting]":
    """Return the profile's parameters."""
    return load_host(PROFILE).settings(SCENARIO)


def _profile(point: Point) -> dict[str, str]:
    given = {}
    for key, setting in _settings().items():
        for end in ENDS:
            given[f"{end}_{key.removeprefix(PROFILE_PREFIX)}"] = setting.text
    asked = point.host
    for end in ENDS:
        given[f"{end}_mss"] = str(min(asked.get("mss", 1 << 16), point.path["mtu"] - HEADERS_B))
        given[f"{end}_congestion_control"] = asked.get("congestion_control", "cubic")
        given[f"{end}_nagle"] = value_text(asked.get("nagle", True), "")
        for name in OFFERS:
            given[f"{end}_{name}"] = value_text(asked.get(name, True), "")
    if "so_sndbuf" in asked:
        sender = ENDS[0 if point.is_from_client else 1]
        given[f"{sender}_send_buffer"] = str(2 * asked["so_sndbuf"])
        given[f"{sender}_send_buffer_grows"] = "false"
    return given


def _hosts(point: Point, row: dict[str, str]) -> dict[str, str]:
    """Return the flags of both hosts. The kernel's buffers count memory and its receive buffer
    grows, so the windows come from its run, as does its clock tick."""
    given = _profile(point)
    beat = re.search(r"HZ=(\d+)", row["kernel"])
    if beat:
        tick = f"{1_000_000_000 // int(beat[1])}ns"
        given |= {f"{end}_timer_tick": tick for end in ENDS}
    is_asked = "window" in point.host
    # With a slow reader the most frequent window is one that is half full.
    stands = is_asked and not point.exchange["read"]
    window = row["window_B"] if stands else row["largest_window_B"]
    given |= {f"{_receiver(point)}_window": window}
    return given | ({f"{_receiver(point)}_first_window": "0"} if is_asked else {})


def _receiver(point: Point) -> str:
    return ENDS[1 if point.is_from_client else 0]


def _exchange(point: Point) -> dict[str, str]:
    given = {key: str(point.exchange[key]) for key in EXCHANGE_KEYS}
    for key in EXCHANGE_TIMES:
        nanoseconds = round(point.exchange[key] * 1e9)
        least = WRITE_TIME if key in WRITE_TIMES else AT_LEAST
        given[key] = f"{nanoseconds}ns" if nanoseconds else least
    given = {SCENARIO_KEYS.get(key, key): text for key, text in given.items()}
    blocking = {"write_returns": "all-fits", "reply_write_returns": "all-fits"}
    return given | blocking | {"echo": "false"}


def _path(point: Point) -> dict[str, str]:
    path = point.path
    return {
        "link": "path",
        "path_delay": f"{path['delay_ns']}ns",
        "path_rate": f"{path['rate_to_server']:.0f}bps",
        "path_rate_back": f"{path['rate_to_client']:.0f}bps",
        "path_queue": f"{path['queue_to_server']}p",
        "path_queue_back": f"{path['queue_to_client']}p",
        "path_lost_packets": ",".join(map(str, path["losses_to_server"])),
        "path_lost_packets_back": ",".join(map(str, path["losses_to_client"])),
        "path_mtu": str(path["mtu"]),
    }
