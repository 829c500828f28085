# SPDX-License-Identifier: GPL-2.0-only
"""What is between the two ends of a TCP scenario, whichever of its links is chosen: its line as a
drawing needs it, what to try on it, what to turn, and what became of its packets."""

from collections.abc import Mapping
from dataclasses import dataclass

from study.base.units import bits_per_second, seconds
from study.kit.candidates import half, tenfold, twice, without
from study.kit.plan import USUAL_LOSS, Section
from study.kit.wire import HEADERS_B, MINIMUM_FRAME_B

ETHERNET, PATH, WAN = "link=ethernet", "link=path", "link=frame-relay"
# TCP (RFC 9293, 3.1), IPv4 (RFC 791, 3.1) and PPP's protocol field (RFC 1661, 2)
PATH_HEADERS_B = 20 + 20 + 2


@dataclass(frozen=True)
class Line:
    """What a packet takes from one end to the other while no other is on the way; an Ethernet's
    propagation is less than a drawing shows."""

    rate_bps: float
    rate_back_bps: float
    delay_s: float
    headers_B: int
    least_B: int  # shorter frames are padded

    def time_s(self, payload_B: float, back: bool = False) -> float:
        """How long it occupies the line."""
        rate_bps = self.rate_back_bps if back else self.rate_bps
        return max(payload_B + self.headers_B, self.least_B) * 8 / rate_bps


def line(parameters: Mapping[str, str]) -> Line | None:
    """The line of a run; None where there are several behind one another."""
    link = parameters.get("link", "ethernet")
    if link == "ethernet" and "link_rate" in parameters:
        rate_bps = bits_per_second(parameters["link_rate"])
        return Line(rate_bps, rate_bps, 0.0, HEADERS_B, MINIMUM_FRAME_B)
    if link == "path":
        rate_bps = bits_per_second(parameters["path_rate"])
        back_bps = bits_per_second(parameters["path_rate_back"]) or rate_bps
        return Line(rate_bps, back_bps, path_rtt_s(parameters) / 2, PATH_HEADERS_B, 0)
    return None


def path_rtt_s(parameters: Mapping[str, str]) -> float:
    """A path's propagation there and back, said in either way."""
    return seconds(parameters["rtt"]) or 2 * seconds(parameters["path_delay"])


CANDIDATES = (
    tenfold("link_rate", "a line ten times as fast", needs=ETHERNET),
    tenfold("path_rate", "a path ten times as fast", needs=PATH),
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
