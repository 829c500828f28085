# SPDX-License-Identifier: GPL-2.0-only
"""What a transfer waited for, in one sentence with its numbers."""

from collections.abc import Mapping

from study.diagnosis.finding import Finding, share
from study.diagnosis.parameters import Found
from study.kit.waits import TCP

OTHERS = {
    "client_application": "the client's program takes its time",
    "server_application": "the server's program takes its time",
    "disk": "the disk takes its time",
    "bus": "the bus takes its time",
}
WORDS = TCP | OTHERS
# What the sentence tells of each limit: parameters of the model, as far as they were found.
TELLS = {
    "receive_window": ("receive_window", "rtt", "ack_latency"),
    "delayed_ack": ("delayed_ack_timeout", "client_delayed_ack", "server_delayed_ack"),
    "cpu": ("reply_time", "segment_time", "think_time"),
    "link": ("link_rate", "path_rate"),
    "path_queue": ("path_rate", "path_queue"),
    "send_buffer": ("send_buffer", "rtt", "ack_latency"),
    "congestion_window": ("rtt", "initial_window"),
    "loss_recovery": ("rtt",),
    "drain": ("port_rate", "drain_pause", "drain_latency", "receive_window"),
    "window_update": ("drain_latency", "window_updates"),
    "round_trip": ("rtt",),
    "application": ("write_time", "think_time"),
    "client_application": ("client_time",),
    "server_application": ("server_time",),
    "nagle": ("nagle", "server_nagle", "client_nagle"),
}
OF_LOSSES = ("congestion_window", "loss_recovery")
MOST = 2  # numbers that it tells
SECOND = 0.1  # a second wait of so much of the time is named, too
NAMES = {"mss": "MSS", "rtt": "round trip", "ack_latency": "ACK latency"}


def sentence(
    limits_s: Mapping[str, float],
    found: Found,
    rate_Bps: float | None,
    lost: tuple[int, int] = (0, 0),
) -> str:
    """One sentence; of `lost` the packets that were, and all that were sent."""
    named = named_limits(limits_s)
    if not named:
        return "Nothing was waited for."
    main = named[0]
    text = f"{share(limits_s, main):.0%} of the time {WORDS.get(main, main)}"
    numbers = [_told(each) for key in TELLS.get(main, ()) if (each := _shown(found, key))]
    if lost[0] and main in OF_LOSSES:
        numbers.insert(0, f"{lost[0]:,} of {lost[1]:,} packets lost")
    if numbers:
        text += f" ({', '.join(numbers[:MOST])})"
    for second in named[1:]:
        text += f"; {share(limits_s, second):.0%} {WORDS.get(second, second)}"
    rate = f": {rate_Bps:,.0f} B/s" if rate_Bps else ""
    return f"{text}{rate}."


def named_limits(limits_s: Mapping[str, float]) -> list[str]:
    """What the sentence names: the largest, and the second if it is large, too."""
    ranked = sorted((name for name in limits_s if limits_s[name] > 0), key=lambda n: -limits_s[n])
    return [*ranked[:1], *(name for name in ranked[1:2] if share(limits_s, name) >= SECOND)]


def _shown(found: Found, key: str) -> Finding | None:
    """What was assumed is nothing that the capture tells."""
    each = found.get(key)
    return None if each is None or each.basis == "assumed" else each


def _told(finding: Finding) -> str:
    name = NAMES.get(finding.key, finding.key.replace("_", " "))
    shown = finding.text
    if isinstance(finding.value, float):
        shown = f"{finding.value:.4g} {finding.unit}".strip()
    return f"{name} {'at least ' if finding.basis == 'bound' else ''}{shown}"
