# SPDX-License-Identifier: GPL-2.0-only
"""The closed forms of an exchange of commands and replies: a grid of commands, one of blocks."""

from itertools import pairwise
from statistics import median

from study.kit.check import Check, Claim, Region
from study.kit.grid import Axis, Grid, logarithmic, one_of
from study.kit.wire import wire_time_s
from study.scenarios.request_reply import formulas
from study.scenarios.request_reply.formulas import Exchange
from study.scenarios.request_reply.quantities import operation_s
from study.system.system import Result

# No spurious retransmission because of a late ACK.
PATIENT = {"client_minimum_rto": "1min", "server_minimum_rto": "1min", "echo": "true"}
# In one or two writes, confirmed by a small one, without a limit by the congestion window.
BLOCKS = {
    **PATIENT,
    "echo": "false",
    "reply_writes": "1",
    "reply_write": "4",
    "commands": "12",
    "client_initial_window": "64",
    "client_send_buffer": "65536",
}


def _block_s(result: Result) -> float | None:
    """Return the median time in seconds from one confirmation to the next, late in the run."""
    times = [p.time_s for p in result.packets if p.sender == "server" and p.length]
    late = times[len(times) // 2 :]
    return median(b - a for a, b in pairwise(late)) if late[2:] else None


def _frames_share_the_line(x: Exchange) -> bool:
    """Return whether a command's frames, each write and echo with an ACK, take much of its time."""
    frames_s = (4 + 2 * x.reply_writes) * wire_time_s(x.reply_write_B, x.link_rate_bps)
    return frames_s > 0.02 * formulas.command_s(x)


def _acks_share_the_line(x: Exchange) -> bool:
    """Return whether a block's ACKs, each with the time that the shared line is blocked, take much
    of its time."""
    acks = x.command_text_B / formulas.mss_B(x) / x.server_ack_frequency
    ack_s = wire_time_s(0, x.link_rate_bps) + 2 * x.link_delay_s
    return acks * ack_s > 0.003 * formulas.block_s(x)


QUICK = Region(
    "the client's first ACKs are quick",
    lambda x: x.client_quick_acks > 0 and x.client_ack_frequency > 1 and x.server_nagle == "true",
    "Linux acknowledges its first segments at once. The formula lets each command use up three of "
    "them: echo, first part and rest of the reply. Without an echo it is two, and a reply whose "
    "parts are written while an ACK is in flight comes in more; so the commands begin to stall "
    "sooner or later than the formula has it. In a long session it does not show.",
)
LINE = Region(
    "the frames are long for so short a command",
    _frames_share_the_line,
    "All frames of both ends take turns on one line, the ACKs too. The formula gives each a free "
    "line, which shows when they take more than a fiftieth of the command's time.",
)

ACKS = Region(
    "the block's ACKs occupy the line",
    _acks_share_the_line,
    "The server acknowledges segments while others are in flight, and the line is one for both: "
    "each ACK holds the segments behind it up. The formula lets a block's segments follow each "
    "other without a gap, which shows when the ACKs take more than 0.3 % of the time.",
)


def _ends() -> tuple[Axis, ...]:
    return (
        logarithmic("link_rate", 10, 100, "Mbps"),
        logarithmic("link_delay", 0.1, 25, "us"),
        logarithmic("client_time", 0.5, 50, "ms"),
        logarithmic("server_time", 0.5, 300, "ms"),
        logarithmic("client_delayed_ack", 20, 400, "ms"),
        logarithmic("server_delayed_ack", 20, 400, "ms"),
        one_of("client_nagle", "true", "false"),
        one_of("server_nagle", "true", "false"),
        one_of("client_ack_frequency", "1", "2"),
        one_of("server_ack_frequency", "1", "2"),
        logarithmic("client_reply_time", 1, 100, "us"),
        logarithmic("server_reply_time", 1, 100, "us"),
    )


CHECKS = (
    Check(
        "a command in two writes",
        Grid(
            "telnet-xp",
            (
                *_ends(),
                one_of("echo", "true", "false"),
                logarithmic("command_text", 1, 200),
                logarithmic("command_end", 1, 20),
                logarithmic("command_write_time", 1, 500, "us"),
                logarithmic("reply_writes", 1, 8),
                logarithmic("reply_write", 1, 150),
                logarithmic("reply_write_time", 1, 500, "us"),
                one_of("client_quick_acks", "0", "16"),
                logarithmic("commands", 4, 20),
            ),
            PATIENT,
        ),
        (Claim(formulas.operation_s, operation_s, (QUICK, LINE)),),
    ),
    Check(
        "a block in one write",
        Grid(
            "telnet-xp",
            (
                *_ends(),
                logarithmic("command_text", 200, 16000),
                logarithmic("client_mss", 512, 1460),
            ),
            {**BLOCKS, "command_end": "0"},
        ),
        (
            Claim(formulas.block_s, _block_s, (ACKS,)),
            Claim(formulas.command_s, _block_s, (ACKS,)),
        ),
    ),
    Check(
        "a block whose end is a write of its own",
        Grid(
            "telnet-xp",
            (
                *_ends(),
                logarithmic("command_text", 1460, 6000),
                logarithmic("client_mss", 512, 1460),
                logarithmic("command_end", 1, 20),
            ),
            BLOCKS,
        ),
        (Claim(formulas.command_s, _block_s, (ACKS,)),),
    ),
)
