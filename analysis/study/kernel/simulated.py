# SPDX-License-Identifier: GPL-2.0-only
"""A point of the kernel as a run of the scenario request-reply: both hosts with the profile
linux-6, and the wire as its path."""

import re

from study.base.flags import value_text
from study.base.project import HOSTS
from study.kernel.points import Point
from study.system.hosts import load_host

SCENARIO = "request-reply"
PROFILE = HOSTS / "linux-6.toml"
ENDS = ("client", "server")
PROFILE_PREFIX = "client_"  # as the scenario has a profile's parameters
AT_LEAST = "1ns"  # what the model takes for no time
# What a write takes the kernel: ten of 1500 B enter the wire within 47 us (results/kernel.csv,
# "50 writes of 1500 B at once").
WRITE_TIME = "5us"
WRITE_TIMES = ("command_write_time", "reply_write_time")
EXCHANGE_TIMES = (*WRITE_TIMES, "client_time", "server_time")
HEADERS_B = 40  # IPv4 and TCP without options: the MSS is what the MTU leaves


def flags(point: Point, row: dict[str, str]) -> list[str]:
    """All flags of a point; `row` is what the kernel's run showed of it."""
    given = {**_hosts(point, row), **_exchange(point), **_path(point)}
    return [f"--{key.replace('_', '-')}={text}" for key, text in given.items()]


def _hosts(point: Point, row: dict[str, str]) -> dict[str, str]:
    profile = load_host(PROFILE).settings(SCENARIO)
    given = {}
    for key, setting in profile.items():
        for end in ENDS:
            given[f"{end}_{key.removeprefix(PROFILE_PREFIX)}"] = setting.text
    asked = point.host
    beat = re.search(r"HZ=(\d+)", row["kernel"])
    for end in ENDS:
        if beat:
            given[f"{end}_timer_tick"] = f"{1_000_000_000 // int(beat[1])}ns"
        given[f"{end}_mss"] = str(min(asked.get("mss", 1 << 16), point.path["mtu"] - HEADERS_B))
        given[f"{end}_congestion_control"] = asked.get("congestion_control", "cubic")
        given[f"{end}_nagle"] = value_text(asked.get("nagle", True), "")
    # The kernel counts memory against its buffers, and lets that for receiving grow: what it lets
    # through is read off its run.
    sender, receiver = ENDS if point.is_from_client else ENDS[::-1]
    window = row["window_B"] if "window" in asked else row["largest_window_B"]
    given[f"{receiver}_window"] = window
    if "window" in asked:
        given[f"{receiver}_first_window"] = "0"
    if "so_sndbuf" in asked:
        given[f"{sender}_send_buffer"] = str(2 * asked["so_sndbuf"])
        given[f"{sender}_send_buffer_grows"] = "false"
    return given


def _exchange(point: Point) -> dict[str, str]:
    given = {key: str(value) for key, value in point.exchange.items()}
    for key in EXCHANGE_TIMES:
        nanoseconds = round(point.exchange[key] * 1e9)
        least = WRITE_TIME if key in WRITE_TIMES else AT_LEAST
        given[key] = f"{nanoseconds}ns" if nanoseconds else least
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
