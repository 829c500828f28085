# SPDX-License-Identifier: GPL-2.0-only
"""What to try on a file read over the WAN."""

from study.kit.candidates import half, other, tenfold, twice, without
from study.kit.exchange import typical
from study.kit.guide import Guide
from study.kit.terms import Cycle, Term
from study.scenarios.file_read import formulas
from study.scenarios.file_read.formulas import FileRead

BURST, REPLY = "protocol=packet-burst", "protocol=request-reply"


def _cycle(read: FileRead) -> Cycle:
    """Request to request."""
    request_B, data_B = formulas.request_ipx_B(read), formulas.data_ipx_B(read)
    request_s = sum(formulas.hops_s(read, request_B).values())
    data_s = sum(formulas.hops_s(read, data_B).values())
    lines_s = request_s + data_s
    reply_s = formulas.reply_s(read)
    behind_s = formulas.cycle_s(read) - reply_s - read.turnaround_time_s
    burst = (Term("the packets behind it", behind_s),) if read.protocol == "packet-burst" else ()
    terms = (
        Term("the cloud and the routers, there and back", reply_s - read.server_time_s - lines_s),
        Term("the first packet on the lines", data_s),
        *burst,
        Term("the request on the lines", request_s),
        Term("the server's time", read.server_time_s),
        Term("the workstation's turnaround", read.turnaround_time_s),
    )
    return Cycle(formulas.permitted_B(read), terms)


GUIDE = Guide[FileRead](
    candidates=(
        tenfold("branch_access_rate", "a line to the branch ten times as fast"),
        tenfold("headquarters_access_rate", "headquarters' line ten times as fast"),
        tenfold("branch_lan_rate", "the branch's LAN ten times as fast"),
        other("protocol", "{value} as the protocol"),
        twice("burst_size", "bursts twice as long", needs=BURST),
        half("burst_size", "bursts half as long", needs=BURST),
        half("read_size", "reads half as large", needs=REPLY),
        half("cloud_delay", "half the delay of the cloud"),
        half("server_time", "a server that answers in half the time"),
        half("turnaround_time", "a workstation that goes on in half the time"),
        without("burst_gap", "no gap between a burst's packets"),
        twice("committed_rate", "twice the committed rate"),
        half("committed_rate", "half the committed rate"),
        without("stuffed_bits", "a file that needs no stuffed bits"),
        without("loss_to_branch", "no losses on the way to the branch"),
        without("loss_to_headquarters", "no losses on the way to headquarters"),
    ),
    cycle=_cycle,
    whole_s=formulas.whole_file_s,
    window_B=formulas.permitted_B,
    exchange=lambda result, ends: typical(
        result.packets, ends, "a request for {window:,} B", result.limits_s
    ),
)
