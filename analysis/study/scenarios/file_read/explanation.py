# SPDX-License-Identifier: GPL-2.0-only
"""The closed form of a file read over the WAN."""

from study.kit.exchange import typical
from study.kit.guide import Guide
from study.kit.terms import Cycle, Term
from study.scenarios.file_read import formulas
from study.scenarios.file_read.formulas import FileRead


def _cycle(read: FileRead) -> Cycle | str:
    """Return the cycle from request to request, or why there is no closed form."""
    if formulas.overflows(read):
        return "no closed form for a burst that may overflow a queue of the WAN"
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
    cycle=_cycle,
    whole_s=lambda read: None if formulas.overflows(read) else formulas.whole_file_s(read),
    window_B=formulas.permitted_B,
    exchange=lambda result, ends: typical(
        result.packets, ends, "a request for {window:,} B", result.limits_s
    ),
)
