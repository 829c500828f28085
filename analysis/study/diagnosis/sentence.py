# SPDX-License-Identifier: GPL-2.0-only
"""What limits a transfer, in one sentence with its numbers."""

from study.diagnosis.finding import share
from study.diagnosis.fit import CLOSE
from study.diagnosis.synthesis import NAMED_TOGETHER, Answer
from study.diagnosis.system_file import findings
from study.diagnosis.told import FEW
from study.diagnosis.tried_reliefs import SHOWN
from study.programs.declaration import all_limits

HANDSHAKE = "handshake"
# Of each limit the numbers that decide it.
TELLS = {
    "receive_window": ("receive_window", "server_window", "client_window", "rtt"),
    "link": ("path_rate", "path_rate_back", "path_queue", "rtt"),
    "path_queue": ("path_rate", "path_rate_back", "path_queue", "rtt"),
    "send_buffer": ("send_buffer", "rtt", "path_rate"),
    "congestion_window": ("rtt", "initial_window", "congestion_control"),
    "loss_recovery": ("rtt", "minimum_rto", "loss_detection"),
    "drain": ("port_rate", "port_chunk", "drain_pause", "drain_pause_every", "receive_window"),
    "delayed_ack": (
        "ack_latency", "delayed_ack_timeout", "server_delayed_ack", "client_delayed_ack", "rtt",
    ),
    "nagle": ("nagle", "client_nagle", "server_nagle", "rtt"),
    "application": ("write_time", "write_size", "rtt"),
    "client_application": ("client_time", "commands", "rtt"),
    "server_application": ("server_time", "commands", "rtt"),
    "round_trip": ("rtt", "commands", "server_time"),
    "cpu": ("segment_time", "reply_time"),
}  # fmt: skip


def sentence(answer: Answer) -> str:
    """Return the sentence on the cause. It names two causes if the confidence is below
    NAMED_TOGETHER, and says so if no system fits."""
    main = answer.main
    best = answer.best
    rate = _rate(answer)
    if not answer.fits:
        return (
            f"Nothing fits: the nearest of {len(answer.fitted)} candidate systems, "
            f"'{best.candidate.name}', is {best.distance:.2f} away from these packets at {rate}, "
            f"and {answer.rate_off + 1:.2g} times as fast."
        )
    part = share(answer.limits_s, answer.limit)
    gains = {each.limit: each.gain for each in answer.reliefs}
    text = f"{part:.0%} of the time {_words(main)}{_return_path(answer)}: {rate}"
    gain = gains.get(answer.limit, 0.0)
    if gain >= SHOWN and answer.tells(answer.limit):
        text += f", and {gain_text(answer, answer.limit)} if this limit is eased"
    largest = max(answer.limits_s, key=lambda name: answer.limits_s[name])
    if largest != answer.limit and largest in gains:
        name, much = largest.replace("_", " "), share(answer.limits_s, largest)
        text += f" ({name} has {much:.0%}, and easing it brings {gain_text(answer, largest)})"
    rival, confidence = answer.rival, answer.confidence
    are_alike = rival is not None and rival.rank - best.rank < CLOSE
    if rival is not None and confidence and (confidence < NAMED_TOGETHER or are_alike):
        other = max(rival.run.limits_s, key=lambda name: rival.run.limits_s[name])
        if other != main:
            text += f". Another system fits as well: in it {_words(other)}"
    return f"{text}."


def _return_path(answer: Answer) -> str:
    """Return that the cause is on the return path, if its relief is."""
    back = {each.limit for each in answer.reliefs if each.is_of_return_path}
    return ", on the return path" if answer.limit in back else ""


def _rate(answer: Answer) -> str:
    """Return the rate, with its time, which is less than the connection's; where the handshake
    takes most of the time also the rate with it."""
    curves, shake_s = answer.curves, answer.limits_s.get(HANDSHAKE, 0.0)
    rate = f"{curves.rate_Bps:,.0f} B/s"
    if answer.limit != HANDSHAKE:
        return f"{rate} in the {curves.duration_s:.3g} s of the data"
    whole_Bps = curves.carried_B / (curves.duration_s + shake_s)
    once = f", {rate} once it is set up" if answer.fits else ""
    return f"{whole_Bps:,.0f} B/s{once}"


def gain_text(answer: Answer, limit: str) -> str:
    """Return what the relief of a limit brings: an interval where the near systems differ."""
    low, high = answer.ranges[limit]
    if f"{low:+.0%}" == f"{high:+.0%}":
        return f"{low:+.0%}"
    return f"{low:+.0%} to {high:+.0%}"


def _words(limit: str) -> str:
    known = all_limits()
    return known[limit].words if limit in known else limit.replace("_", " ")


def numbers(answer: Answer) -> list[tuple[str, str, str]]:
    """Return the numbers that decide: key, value and basis."""
    known = {each.key: each for each in findings(answer)}
    limits = [answer.limit, *sorted(answer.limits_s, key=lambda name: -answer.limits_s[name])[:2]]
    if "turns" in known:  # in whose place they stand
        known.pop("commands", None)
    keys = dict.fromkeys(key for limit in limits for key in TELLS.get(limit, ()) if key in known)
    return [(key, known[key].text, known[key].basis) for key in list(keys)[:FEW]]
