# SPDX-License-Identifier: GPL-2.0-only
"""The measured figures of an exchange of commands and replies: each kind, as the simulation shows
it and as the closed form has it."""

from study.kit.packets import usual_delta_s
from study.kit.quantity import Judges, Quantity, alone
from study.scenarios.request_reply import formulas
from study.scenarios.request_reply.formulas import Exchange
from study.system.system import Result


def operation_s(result: Result) -> float | None:
    """The measured operations began on a connection that was there already."""
    if result.outcome != "finished":
        return None
    return result.duration_s - result.limits_s["handshake"]


QUANTITIES: dict[str, Quantity[Exchange]] = {
    "operation": Quantity(alone(operation_s), alone(formulas.operation_s)),
    "lone_ack": Quantity(
        usual_delta_s,
        alone(lambda x: formulas.client_ack_wait_s(x, False) + x.client_reply_time_s),
    ),
}

JUDGES = Judges(Exchange, QUANTITIES, ends=("client", "server"))
