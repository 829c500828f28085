# SPDX-License-Identifier: GPL-2.0-only
"""The measured figures of an exchange of commands and replies: each kind, as the simulation shows
it and as the closed form has it."""

from study.kit.packets import usual_delta_s
from study.kit.quantity import Judges, Quantity
from study.scenarios.request_reply import formulas
from study.scenarios.request_reply.formulas import Exchange
from study.system.measured import Measured
from study.system.system import Result


def _operation_s(result: Result, _: Measured) -> float | None:
    """The measured operations began on a connection that was there already."""
    if result.outcome != "finished":
        return None
    return result.duration_s - result.limits_s["handshake"]


QUANTITIES: dict[str, Quantity[Exchange]] = {
    "operation": Quantity(_operation_s, lambda x, _: formulas.operation_s(x)),
    "lone_ack": Quantity(
        usual_delta_s,
        lambda x, _: formulas.client_ack_wait_s(x, False) + x.client_reply_time_s,
    ),
}

JUDGES = Judges(Exchange, QUANTITIES, ends=("client", "server"))
