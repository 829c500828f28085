# SPDX-License-Identifier: GPL-2.0-only
"""The closed forms of a file read over the WAN: one grid for a request a packet, one for bursts."""

from operator import attrgetter

from study.kit.check import Check, Claim, Region
from study.kit.grid import Axis, Grid, logarithmic, share
from study.scenarios.file_read import formulas
from study.scenarios.file_read.quantities import JUDGES

# Without loss, policing or repeated requests.
UNDISTURBED = {"reply_timeout": "1h", "maximum_reply_timeout": "1h", "committed_rate": "none"}
OVERFLOWS = Region(
    "a burst longer than a queue",
    formulas.overflows,
    "what the switch or a router drops of a burst is asked for again, and where that is its end,"
    " only after the reply timeout; how many are dropped depends on the contract's marks.",
)


def _path() -> tuple[Axis, ...]:
    return (
        logarithmic("branch_access_rate", 19.2, 2048, "kbps"),
        logarithmic("headquarters_access_rate", 56, 2048, "kbps"),
        logarithmic("branch_lan_rate", 4, 100, "Mbps"),
        logarithmic("headquarters_lan_rate", 4, 100, "Mbps"),
        logarithmic("cloud_delay", 0.5, 300, "ms"),
        logarithmic("router_latency", 0.01, 5, "ms"),
        logarithmic("server_time", 0.05, 50, "ms"),
        logarithmic("turnaround_time", 0.05, 50, "ms"),
        share("stuffed_bits", 0, 0.2),
    )


CHECKS = (
    Check(
        "a packet a request",
        Grid(
            "netware",
            (*_path(), logarithmic("read_size", 64, 1459), logarithmic("file_size", 3000, 15000)),
            {**UNDISTURBED, "protocol": "request-reply"},
        ),
        (
            Claim(formulas.whole_file_s, attrgetter("duration_s")),
            Claim(formulas.reply_s, JUDGES.read("reply")),
            Claim(formulas.read_rate_Bps, JUDGES.read("read_rate")),
        ),
    ),
    Check(
        "a burst a request",
        Grid(
            "netware",
            (
                *_path(),
                logarithmic("fragment_size", 64, 1434),
                logarithmic("burst_size", 2, 64),
                # Its header counts the gap in units of 100 us.
                Axis("burst_gap", lambda share: f"{round(500**share) * 100}us"),
                logarithmic("file_size", 10000, 100000),
            ),
            {**UNDISTURBED, "protocol": "packet-burst"},
            points=307,  # some files are a single burst, without a rate between requests
        ),
        (
            Claim(formulas.whole_file_s, attrgetter("duration_s"), (OVERFLOWS,)),
            Claim(formulas.burst_arrival_Bps, JUDGES.read("burst_arrival"), (OVERFLOWS,)),
            Claim(formulas.read_rate_Bps, JUDGES.read("read_rate"), (OVERFLOWS,)),
        ),
    ),
)
