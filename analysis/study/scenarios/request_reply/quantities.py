# SPDX-License-Identifier: GPL-2.0-only
"""The measured figures of an exchange of commands and replies: each kind, as the simulation shows
it and as the closed form has it."""

from itertools import takewhile

from study.kit.packet_times import packet_delta_s, usual_delta_s
from study.kit.quantity import Judges, Quantity, alone
from study.scenarios.request_reply import formulas, long_reply
from study.scenarios.request_reply.formulas import Exchange
from study.system.measured import Measured
from study.system.system import Result


def operation_s(result: Result) -> float | None:
    """Return the operation's time without the handshake in seconds: the measured operations used an
    existing connection. None unless it finished."""
    if result.outcome != "finished":
        return None
    return result.duration_s - result.limits_s["handshake"]


def reply_s(result: Result, measured: Measured) -> float | None:
    """Return the time in seconds from a command, given by the number of its first byte, to the last
    byte of its reply."""
    asked = next(
        (
            (place, packet.time_s)
            for place, packet in enumerate(result.packets)
            if packet.sender == "client" and packet.length and packet.seq == measured.packet["seq"]
        ),
        None,
    )
    if asked is None:
        return None
    place, asked_s = asked
    seq = measured.packet["seq"]
    until_next = takewhile(
        lambda packet: packet.sender == "server" or not packet.length or packet.seq <= seq,
        result.packets[place:],
    )
    answers_s = [each.time_s for each in until_next if each.sender == "server" and each.length]
    return answers_s[-1] - asked_s if answers_s else None


def by_formula_s(x: Exchange) -> float | None:
    """Return the closed form of the operation's time in seconds, None for a list of turns."""
    return None if x.turns else formulas.operation_s(x)


QUANTITIES: dict[str, Quantity[Exchange]] = {
    "operation": Quantity(alone(operation_s), alone(by_formula_s)),
    "reply": Quantity(reply_s, lambda x, measured: formulas.reply_s(x, measured.packet["seq"])),
    "command": Quantity(
        alone(lambda result: result.record["command_s"]),
        alone(lambda x: None if x.turns else formulas.operation_s(x) / x.commands),
    ),
    "text_ack": Quantity(
        usual_delta_s, alone(lambda x: formulas.text_acknowledged_s(x) - x.client_reply_time_s)
    ),
    "gap": Quantity(packet_delta_s, lambda x, measured: long_reply.gap_s(x, measured.packet)),
    "lone_ack": Quantity(
        usual_delta_s,
        alone(lambda x: formulas.client_ack_wait_s(x, False) + x.client_reply_time_s),
    ),
}

JUDGES = Judges(Exchange, QUANTITIES, ends=("client", "server"))
