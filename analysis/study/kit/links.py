# SPDX-License-Identifier: GPL-2.0-only
"""What is between the two ends of a TCP scenario, whichever of its links is chosen: what to try on
it, and what to turn."""

from collections.abc import Iterator, Mapping

from study.kit.candidates import Candidate, half, tenfold, to, twice, without
from study.kit.plan import USUAL_LOSS, Section
from study.programs.declaration import Parameter

ETHERNET, PATH, WAN = "link=ethernet", "link=path", "link=frame-relay"


def _twice_the_room(parameter: Parameter, run: Mapping[str, str]) -> Iterator[str]:
    """Of a queue, in the unit that it has."""
    own = run[parameter.key]
    yield f"{2 * int(own[:-1])}{own[-1]}"


CANDIDATES = (
    tenfold("link_rate", "a line ten times as fast", needs=ETHERNET),
    tenfold("path_rate", "a path ten times as fast", needs=PATH),
    Candidate("path_queue", "a queue of the path twice as long", _twice_the_room, PATH),
    tenfold("path_rate_back", "a path back ten times as fast", needs=PATH),
    half("rtt", "half the round trip", needs=PATH),
    half("path_delay", "half the delay of the path", needs=PATH),
    tenfold("branch_access_rate", "a line to the branch ten times as fast", needs=WAN),
    tenfold("headquarters_access_rate", "headquarters' line ten times as fast", needs=WAN),
    half("cloud_delay", "half the delay of the cloud", needs=WAN),
    twice("committed_rate", "twice the committed rate", needs=WAN),
)
PATH_LOSSES = (
    without("path_loss", "no losses on the path"),
    without("path_loss_back", "no losses on the path back"),
    to("path_lost_packets", "none of the listed packets lost", ""),
    to("path_lost_packets_back", "none of the listed packets lost on the way back", ""),
)

LOSSES = ("loss_to_device", "loss_to_host", "path_loss")
SECTIONS = (
    Section("Link", ("link",)),
    Section("Ethernet", ("link_rate", "link_delay"), when=("link", "ethernet")),
    Section("Path", ("path_rate", "rtt", "path_loss"), when=("link", "path")),
    Section(
        "Frame relay",
        ("branch_access_rate", "headquarters_access_rate", "cloud_delay", "committed_rate"),
        when=("link", "frame-relay"),
    ),
    Section("Losses", LOSSES[:2], when=("link", "ethernet")),
)
USUAL = {
    "link_delay": "500ns",
    "rtt": "40ms",
    "committed_rate": "256kbps",
    **dict.fromkeys(LOSSES, USUAL_LOSS),
}
