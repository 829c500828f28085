# SPDX-License-Identifier: GPL-2.0-only
"""The closed form of an exchange of commands and replies."""

from study.kit.guide import Guide
from study.scenarios.request_reply import commands, formulas
from study.scenarios.request_reply.formulas import Exchange

GUIDE = Guide[Exchange](
    cycle=formulas.command_cycle,
    whole_s=formulas.operation_s,
    exchange=commands.typical,
)
