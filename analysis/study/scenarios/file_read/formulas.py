# SPDX-License-Identifier: GPL-2.0-only
"""Closed forms of a file read over the frame-relay WAN: NetWare's request and reply, and its
packet burst.

On the way down: headquarters' LAN, its access line, the branch's access line, the branch's LAN;
each passes a packet on when it has all of it. A frame of b bits takes b / rate; beside the lines
there are the cloud's transit and each router's own time.
"""

from dataclasses import dataclass, replace
from math import ceil

from study.kit.formula import Formula

ETHERNET_B = 14 + 4  # Ethernet II header and frame check sequence (RFC 894)
MINIMUM_FRAME_B = 64  # IEEE 802.3 4A.2.3.2.4
IPX_B = 30
READ_REQUEST_B = 7 + 13  # NCP's request header; function 72's handle, offset and length
READ_REPLY_B = 8 + 2  # NCP's reply header; the number of octets read
BURST_HEADER_B = 36
BURST_READ_REQUEST_B = 24  # function, handle, offset and length, after the burst header
BURST_RESULT_B = 8  # result code and number of octets, before a burst's first octet
# Q.922 address, RFC 2427's control, pad, NLPID and SNAP (OUI and PID), frame check sequence.
FRAME_RELAY_B = 2 + 1 + 1 + 1 + 3 + 2 + 2
FLAG_B = 1
LAN_DELAY_S = 0.5e-6  # propagation on each LAN, 100 m of cable
LAN_GAP_BITS = 96  # between two frames on a LAN (IEEE 802.3, 4A.4.2)
BURST_DELAYS_A_SECOND = 10_000  # a burst header counts the gap in 100 us


@dataclass(frozen=True)
class FileRead(Formula):
    """Parameters of the formulas below."""

    protocol: str
    file_size_B: float
    read_size_B: float
    burst_size: float
    fragment_size_B: float
    burst_gap_s: float
    turnaround_time_s: float
    server_time_s: float
    branch_access_rate_bps: float
    headquarters_access_rate_bps: float
    branch_lan_rate_bps: float
    headquarters_lan_rate_bps: float
    cloud_delay_s: float
    router_latency_s: float
    stuffed_bits: float
    router_queue: float
    switch_queue: float
    congestion_threshold: float


def ethernet_bits(ipx_B: float) -> float:
    """Return a packet's bits as a frame on either LAN, at least a minimum frame."""
    return max(ipx_B + ETHERNET_B, MINIMUM_FRAME_B) * 8


def frame_relay_bits(read: FileRead, ipx_B: float) -> float:
    """Return a packet's bits as a frame on an access line, with its opening flag. HDLC inserts a
    zero after five consecutive ones between the flags. If bits are equally likely, that is once in
    2^6 - 2 = 62 bits, the mean distance of five ones."""
    return (ipx_B + FRAME_RELAY_B) * 8 * (1 + read.stuffed_bits) + FLAG_B * 8


def hops_s(read: FileRead, ipx_B: float) -> dict[str, float]:
    """Return a packet's transmission time on each link of the path, in seconds."""
    lan_bits, line_bits = ethernet_bits(ipx_B), frame_relay_bits(read, ipx_B)
    return {
        "headquarters LAN": lan_bits / read.headquarters_lan_rate_bps,
        "headquarters line": line_bits / read.headquarters_access_rate_bps,
        "branch line": line_bits / read.branch_access_rate_bps,
        "branch LAN": lan_bits / read.branch_lan_rate_bps,
    }


def idle_s(read: FileRead) -> dict[str, float]:
    """Return the idle time between two packets on each link of the path, in seconds."""
    return dict.fromkeys(hops_s(read, 0), 0.0) | {
        "headquarters LAN": LAN_GAP_BITS / read.headquarters_lan_rate_bps,
        "branch LAN": LAN_GAP_BITS / read.branch_lan_rate_bps,
    }


def occupied_s(read: FileRead, ipx_B: float) -> dict[str, float]:
    """Return the time from the start of a packet to that of the next on each link, in seconds."""
    return {name: line_s + idle_s(read)[name] for name, line_s in hops_s(read, ipx_B).items()}


def gap_s(read: FileRead) -> float:
    """Return the gap in a burst as its header counts it, rounded up, in seconds. Whole nanoseconds
    make 47.3 ms 473 units, and not a billionth more."""
    return ceil(round(read.burst_gap_s * 1e9) * BURST_DELAYS_A_SECOND / 1e9) / BURST_DELAYS_A_SECOND


def one_way_s(read: FileRead, ipx_B: float) -> float:
    """Return a packet's one-way delay in seconds, from its sending to its complete receipt."""
    still_s = read.cloud_delay_s + 2 * read.router_latency_s + 2 * LAN_DELAY_S
    return sum(hops_s(read, ipx_B).values()) + still_s


def request_ipx_B(read: FileRead) -> float:
    """Return the size of a read request in bytes, with the IPX header."""
    if read.protocol == "request-reply":
        return IPX_B + READ_REQUEST_B
    return IPX_B + BURST_HEADER_B + BURST_READ_REQUEST_B


def data_ipx_B(read: FileRead) -> float:
    """Return the size of a full data packet in bytes, with the IPX header. The source counts its
    frame with the check sequence: 1494 = 14 + 30 + 10 + 1436 + 4 for a reply, 1484 = 14 + 30 + 36 +
    1400 + 4 in a burst."""
    if read.protocol == "request-reply":
        return IPX_B + READ_REPLY_B + read.read_size_B
    return IPX_B + BURST_HEADER_B + read.fragment_size_B


def reply_s(read: FileRead) -> float:
    """Return the time from the request to complete receipt of the first data packet, in seconds."""
    there_s = one_way_s(read, request_ipx_B(read))
    return there_s + read.server_time_s + one_way_s(read, data_ipx_B(read))


def spacing_s(read: FileRead) -> float:
    """Return the time from one packet of a burst to the next in seconds: the slowest link's time
    for a packet, or the server's gap."""
    return max(*occupied_s(read, data_ipx_B(read)).values(), gap_s(read))


def permitted_B(read: FileRead) -> float:
    """Return the bytes that one request permits the server to send: its window."""
    if read.protocol == "request-reply":
        return read.read_size_B
    return read.burst_size * read.fragment_size_B - BURST_RESULT_B


def packets_per_request(read: FileRead) -> float:
    """Return the number of data packets for each request."""
    return 1.0 if read.protocol == "request-reply" else read.burst_size


def cycle_s(read: FileRead) -> float:
    """Return the time from request to request in seconds: the first packet's delay, the other
    packets, and the workstation's time."""
    others_s = (packets_per_request(read) - 1) * spacing_s(read)
    return reply_s(read) + others_s + read.turnaround_time_s


def overflows(read: FileRead) -> bool:
    """Return whether a burst may be too long for a queue: that of headquarters' router before its
    access line, or of the switch before the branch's, which drops packets above the contract when
    too many wait."""
    if read.protocol == "request-reply":
        return False
    count = min(read.burst_size, ceil(read.file_size_B / read.fragment_size_B))
    on_s = occupied_s(read, data_ipx_B(read))
    to_router_s = max(gap_s(read), on_s["headquarters LAN"])
    to_switch_s = max(to_router_s, on_s["headquarters line"])
    most = min(read.congestion_threshold, read.switch_queue)
    at_router = _waiting(count, to_router_s, on_s["headquarters line"])
    return (
        at_router >= read.router_queue or _waiting(count, to_switch_s, on_s["branch line"]) >= most
    )


def _waiting(count: float, apart_s: float, line_s: float) -> float:
    """Return how many packets of a burst are queued before a link when the last one arrives."""
    return count - 2 - (count - 1) * apart_s // line_s


def read_rate_Bps(read: FileRead) -> float:
    """Return the file rate in B/s, one request after the other: a window a round trip."""
    return permitted_B(read) / cycle_s(read)


def whole_file_s(read: FileRead) -> float:
    """Return the time of all requests in seconds; the last one reads what is left."""
    full = int(read.file_size_B // permitted_B(read))
    left_B = read.file_size_B - full * permitted_B(read)
    return (
        full * cycle_s(read)
        + (last_cycle_s(read, left_B) if left_B else 0)
        - (read.turnaround_time_s)
    )


def last_cycle_s(read: FileRead, left_B: float) -> float:
    """Return the last request's cycle in seconds. Its last packet is shorter: each link starts with
    a packet when it has received all of it and is done with the packet before."""
    if read.protocol == "request-reply":
        return cycle_s(replace(read, read_size_B=left_B))
    burst_B = left_B + BURST_RESULT_B
    count = ceil(burst_B / read.fragment_size_B)
    sizes_B = [read.fragment_size_B] * (count - 1)
    sizes_B.append(burst_B - sum(sizes_B))
    free_s = dict.fromkeys(hops_s(read, 0), 0.0)  # when each link finishes its present packet
    for number, size_B in enumerate(sizes_B):
        at_s = number * gap_s(read)
        for name, line_s in hops_s(read, IPX_B + BURST_HEADER_B + size_B).items():
            at_s = max(at_s, free_s[name]) + line_s
            free_s[name] = at_s + idle_s(read)[name]
    delays_s = one_way_s(read, 0) - sum(hops_s(read, 0).values())
    there_s = one_way_s(read, request_ipx_B(read)) + read.server_time_s
    return there_s + at_s + delays_s + read.turnaround_time_s


def file_rate_Bps(read: FileRead) -> float:
    """Return the file's rate in B/s over the whole job."""
    return read.file_size_B / whole_file_s(read)


def ceiling_Bps(read: FileRead) -> float:
    """Return the rate in B/s of packets without requests in between."""
    data_B = read.read_size_B if read.protocol == "request-reply" else read.fragment_size_B
    return data_B / spacing_s(read)


def burst_arrival_Bps(read: FileRead) -> float:
    """Return the rate in B/s on the branch's Ethernet during a burst; as in the source, frames
    include their check sequence."""
    return ethernet_bits(data_ipx_B(read)) / 8 / spacing_s(read)


def branch_line_s(read: FileRead) -> float:
    """Return the transmission time of a data packet on the branch's access line, in seconds."""
    return hops_s(read, data_ipx_B(read))["branch line"]
