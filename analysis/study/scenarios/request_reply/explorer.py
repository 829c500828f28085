# SPDX-License-Identifier: GPL-2.0-only
"""Parameters that can be varied on an exchange of commands and replies."""

from study.kit import link_parameters
from study.kit.plan import Plan, Section, duration
from study.scenarios.request_reply import formulas
from study.scenarios.request_reply.formulas import Exchange

PLAN = Plan[Exchange](
    sections=(
        Section(
            "Client",
            ("client_delayed_ack", "client_ack_frequency", "client_ack_timer", "client_quick_acks"),
        ),
        Section("Client: sending", ("client_nagle", "client_mss", "client_time")),
        Section(
            "Server", ("server_nagle", "server_time", "server_delayed_ack", "server_ack_frequency")
        ),
        Section("Commands", ("commands", "command_text", "command_end", "echo")),
        Section("Replies", ("reply_writes", "reply_write")),
        *link_parameters.SECTIONS,
    ),
    figure=duration("duration", "operation"),
    axis="client_delayed_ack",
    formula=formulas.operation_s,
    losses=link_parameters.LOSSES,
    paper_note="one command after the other, nothing sent twice",
    size="commands",
    most_B=1_000_000,
    in_full=lambda parameters: False,
    stops={"client_mss": (256, 512, 536, 730, 1024, 1460), "reply_writes": (1, 2, 3, 4, 5)},
    usual=link_parameters.USUAL,
)
