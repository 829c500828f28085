# SPDX-License-Identifier: GPL-2.0-only
"""What a transfer waited for, in one sentence with its numbers, and what one would turn first."""

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
    "receive_window": ("receive_window", "ack_latency", "rtt"),
    "delayed_ack": ("delayed_ack_timeout", "client_delayed_ack", "server_delayed_ack"),
    "cpu": ("reply_time", "segment_time", "think_time"),
    "link": ("link_rate", "path_rate"),
    "path_queue": ("path_rate", "path_queue"),
    "send_buffer": ("send_buffer", "ack_latency", "rtt"),
    "congestion_window": ("initial_window", "rtt", "path_loss"),
    "loss_recovery": ("path_loss", "path_lost_packets", "loss_to_device"),
    "drain": ("receive_window", "port_rate", "drain_latency"),
    "window_update": ("drain_latency", "window_updates"),
    "round_trip": ("rtt",),
    "application": ("think_time", "write_time"),
    "client_application": ("client_time",),
    "server_application": ("server_time",),
    "nagle": ("nagle", "server_nagle", "client_nagle"),
}
MOST = 2  # numbers that it tells
SECOND = 0.1  # a second wait of so much of the time is named, too
NAMES = {"mss": "MSS", "rtt": "round trip", "ack_latency": "ACK latency"}


def sentence(limits_s: Mapping[str, float], found: Found, rate_Bps: float | None) -> str:
    """One sentence."""
    ranked = sorted((name for name in limits_s if limits_s[name] > 0), key=lambda n: -limits_s[n])
    if not ranked:
        return "Nothing was waited for."
    main = ranked[0]
    text = f"{share(limits_s, main):.0%} of the time {WORDS.get(main, main)}"
    numbers = [each for key in TELLS.get(main, ()) if (each := found.get(key)) is not None]
    if numbers:
        text += f" ({', '.join(map(_told, numbers[:MOST]))})"
    if len(ranked) > 1 and share(limits_s, ranked[1]) >= SECOND:
        second = ranked[1]
        text += f"; {share(limits_s, second):.0%} {WORDS.get(second, second)}"
    rate = f": {rate_Bps:,.0f} B/s" if rate_Bps else ""
    return f"{text}{rate}."


def _told(finding: Finding) -> str:
    name = NAMES.get(finding.key, finding.key.replace("_", " "))
    return f"{name} {'at least ' if finding.basis == 'bound' else ''}{finding.text}"


def to_turn(limits_s: Mapping[str, float], found: Found) -> str:
    """The first thing to try, as options of what-if: the number behind the main wait, twice or half
    of it; what blocks it is left out."""
    blocked = {key for each in found.not_modelled for key in each.blocks}
    if any(not each.blocks for each in found.not_modelled):
        return ""
    for limit in sorted(limits_s, key=lambda name: -limits_s[name]):
        for key in TELLS.get(limit, ()):
            each = found.get(key)
            if each is None or key in blocked or isinstance(each.value, (bool, str)):
                continue
            faster = key.endswith(("_rate", "window", "buffer"))
            value = each.value * 2 if faster else each.value / 2
            shown = f"{value:g}" if isinstance(value, float) else str(value)
            unit = "" if each.unit in ("B", "1", "") else each.unit
            return f"--{key.replace('_', '-')} {shown}{unit}"
    return ""
