# SPDX-License-Identifier: GPL-2.0-only
"""What to try on an exchange of commands and replies."""

from collections.abc import Mapping

from study.kit import links
from study.kit.candidates import half, other, to, without
from study.kit.guide import Guide
from study.kit.windows import Way, for_a_path
from study.scenarios.request_reply import commands, formulas
from study.scenarios.request_reply.formulas import Exchange

TO_CLIENT = Way("client_window", "client", "server", "server_send_buffer")
TO_SERVER = Way("server_window", "server", "client", "client_send_buffer")


def _in_one_write(parameters: Mapping[str, str], one: str) -> Mapping[str, str]:
    """All of its bytes."""
    reply_B = int(parameters["reply_writes"]) * int(parameters["reply_write"])
    return {"reply_write": str(reply_B)}


GUIDE = Guide[Exchange](
    candidates=(
        *links.CANDIDATES,
        *for_a_path(TO_CLIENT, " of the client"),
        *for_a_path(TO_SERVER, " of the server"),
        other("server_nagle", "Nagle's algorithm {value} at the server"),
        other("client_nagle", "Nagle's algorithm {value} at the client"),
        to("client_ack_frequency", "an ACK for every segment at the client", "1"),
        to("client_delayed_ack", "the client's delayed ACK after 40 ms", "40ms"),
        half("client_delayed_ack", "the client's delayed ACK in half the time"),
        half("server_delayed_ack", "the server's delayed ACK in half the time"),
        to("server_ack_frequency", "an ACK for every segment at the server", "1"),
        to("reply_writes", "the reply in a single write", "1", also=_in_one_write),
        half("server_time", "a server's program twice as fast"),
        half("client_time", "a client's program twice as fast"),
        without("loss_to_device", "no losses on the way to the server"),
        without("loss_to_host", "no losses on the way to the client"),
        *links.PATH_LOSSES,
    ),
    cycle=formulas.command_cycle,
    whole_s=formulas.operation_s,
    exchange=commands.typical,
)
