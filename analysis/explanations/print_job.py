# SPDX-License-Identifier: GPL-2.0-only
"""What to try on a print job."""

from analysis.closed_forms import print_job
from analysis.closed_forms.print_job import PrintJob
from analysis.explanations.candidates import half, other, tenfold, twice, without
from analysis.explanations.guide import Guide

GUIDE = Guide[PrintJob](
    candidates=(
        tenfold("link_rate", "a line ten times as fast"),
        twice("send_buffer", "a send buffer of the host twice as large"),
        other("nagle", "Nagle's algorithm {value}"),
        twice("initial_window", "a congestion window twice as large at the start"),
        twice("receive_window", "a receive window twice as large"),
        half("ack_latency", "a device that acknowledges in half the time"),
        half("ack_latency_per_byte", "a device that takes half the time for each byte"),
        without("ack_threshold", "ACKs that are never kept back"),
        half("delayed_ack_timeout", "a delayed-ACK timer half as long", needs="ack_threshold"),
        half("drain_latency", "a device that empties its buffer in half the time"),
        twice("port_rate", "a printer's port twice as fast"),
        half("drain_pause", "pauses of the printer half as long", needs="drain_pause_every"),
        other("device_silly_window_avoidance", "silly-window avoidance of the device {value}"),
        other("silly_window_avoidance", "the host's rule for a small window: {value}"),
        other("segment_bound", "the host's segments bound by: {value}"),
        half("interactive_ack_latency", "small messages answered in half the time"),
        half("reply_time", "a host that reacts in half the time"),
        twice("write_size", "writes of the print client twice as large"),
        without("loss_to_device", "no losses on the way to the device"),
        without("loss_to_host", "no losses on the way back"),
    ),
    cycle=print_job.window_cycle,
)
