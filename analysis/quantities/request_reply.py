# SPDX-License-Identifier: GPL-2.0-only
"""The measured figures of an exchange of commands and replies: each kind, as the simulation shows
it and as the closed form has it."""

from analysis.closed_forms import request_reply
from analysis.closed_forms.request_reply import Exchange
from analysis.measured import Measured
from analysis.quantities.packets import usual_delta_s
from analysis.quantities.quantity import Judges, Quantity
from analysis.system import Result


def _operation_s(result: Result, _: Measured) -> float | None:
    """The measured operations began on a connection that was there already."""
    if result.outcome != "finished":
        return None
    return result.duration_s - result.limits_s["handshake"]


QUANTITIES: dict[str, Quantity[Exchange]] = {
    "operation": Quantity(_operation_s, lambda x, _: request_reply.operation_s(x)),
    "lone_ack": Quantity(
        usual_delta_s,
        lambda x, _: request_reply.client_ack_wait_s(x, False) + x.client_reply_time_s,
    ),
}

JUDGES = Judges(Exchange, QUANTITIES, ends=("client", "server"))
