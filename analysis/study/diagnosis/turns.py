# SPDX-License-Identifier: GPL-2.0-only
"""What one would turn first: the numbers that the sentence names, twice or half of each,
a smaller step, or without it. What was assumed, or is only a bound, is no number to turn."""

from collections.abc import Iterator, Mapping

from study.diagnosis.finding import Finding
from study.diagnosis.parameters import Found
from study.diagnosis.sentence import named_limits
from study.programs.declaration import declaration

LOSSES = ("path_lost_packets", "path_loss", "loss_to_device")
OF_CPU = ("reply_time", "segment_time", "client_reply_time", "server_reply_time", "think_time")
NAGLE = ("nagle", "server_nagle", "client_nagle")
# Of each limit the parameters to turn, the best first; those which it does not have are left out.
TURNS = {
    "receive_window": ("receive_window", "rtt", "ack_latency"),
    "delayed_ack": ("delayed_ack_timeout", "client_delayed_ack", "server_delayed_ack"),
    "cpu": OF_CPU,
    "link": ("link_rate", "path_rate"),
    "path_queue": ("path_rate",),
    "send_buffer": ("send_buffer", "rtt", "ack_latency"),
    "congestion_window": (*LOSSES, "rtt", "initial_window"),
    "loss_recovery": (*LOSSES, "rtt"),
    "drain": ("port_rate", "drain_pause", "drain_latency"),
    "window_update": ("drain_latency",),
    "round_trip": ("rtt",),
    "last_ack": ("rtt", "ack_latency", "delayed_ack_timeout"),
    "handshake": ("rtt",),
    "application": ("write_time", "think_time"),
    "client_application": ("client_time",),
    "server_application": ("server_time",),
    "nagle": NAGLE,
}
FACTORS = (2, 1.5, 1.25)  # a smaller step may be answered where a larger rests on a bound
LARGER = ("_rate", "window", "buffer")  # is faster
UNSCALED_B = 65535  # a larger window needs the option of RFC 7323, of both ends
SCALES = ("device_window_scale", "host_window_scale")
AUTO, MOST_SHIFT = "auto", 14


def turns(limits_s: Mapping[str, float], found: Found) -> Iterator[dict[str, str]]:
    """Changes to try, in the order in which the sentence names what they belong to."""
    declared = declaration(found.scenario).parameters
    for limit in named_limits(limits_s):
        for key in TURNS.get(limit, ()):
            each = found.get(key)
            if key in NAGLE and key in declared and (each is None or each.value is True):
                yield {key: "false"}
            elif each is not None and each.basis not in ("assumed", "bound"):
                yield from _turned(each, found)


def _turned(finding: Finding, found: Found) -> Iterator[dict[str, str]]:
    key, value = finding.key, finding.value
    if key in LOSSES:
        yield {key: "" if isinstance(value, str) else "0"}
    elif isinstance(value, int | float) and not isinstance(value, bool):
        for factor in FACTORS:
            new = value * factor if key.endswith(LARGER) else value / factor
            whole = isinstance(value, int) and finding.unit in ("B", "1", "")
            shown = str(round(new)) if whole else f"{new:.6g}"
            change = {key: shown if finding.unit in ("B", "1", "") else f"{shown}{finding.unit}"}
            if key == "receive_window" and new > _largest_B(found):
                yield change | {SCALES[0]: AUTO}
                change |= dict.fromkeys(SCALES, AUTO)
            yield change


def _largest_B(found: Found) -> int:
    """What the device's window scale lets it announce."""
    scale = found.get(SCALES[0])
    shift = str(scale.value) if scale is not None else "none"
    if shift == AUTO:
        return UNSCALED_B << MOST_SHIFT
    return UNSCALED_B << (int(shift) if shift.isdigit() else 0)
