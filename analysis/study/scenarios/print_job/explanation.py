# SPDX-License-Identifier: GPL-2.0-only
"""What to try on a print job."""

from study.kit import links
from study.kit.candidates import half, other, twice, without
from study.kit.guide import Guide
from study.kit.terms import Cycle
from study.kit.windows import TO_DEVICE, for_a_path, twice_the_window
from study.scenarios.print_job import cycles, long_path, lossy_path, messages, whole_job
from study.scenarios.print_job.messages import PrintJob


def _cycle(job: PrintJob) -> Cycle | str:
    """A window; or, where a device with a processor is modelled, what that needs for it, if it is
    slower."""
    if left_out := messages.left_out(job):
        return f"no closed form for {left_out}"
    if job.link == "path":
        path = lossy_path if lossy_path.loses(job) else long_path
        return path.window_cycle(job)
    if job.link != "ethernet":
        return "no closed form for this path: a print job's formulas know an Ethernet or one path"
    window = cycles.window_cycle(job)
    if not job.device_clock:
        return window
    return min(window, cycles.processor_cycle(job), key=lambda each: each.rate_Bps)


def _whole_s(job: PrintJob) -> float | None:
    known = job.link != "frame-relay" and not job.device_clock and not messages.left_out(job)
    return whole_job.whole_job_s(job) if known else None


def _window_B(job: PrintJob) -> float:
    if job.link != "path":
        return messages.burst_B(job)
    return lossy_path.mean_window_B(job) if lossy_path.loses(job) else long_path.window_B(job)


GUIDE = Guide[PrintJob](
    candidates=(
        *links.CANDIDATES,
        twice("send_buffer", "a send buffer of the host twice as large"),
        other("nagle", "Nagle's algorithm {value}"),
        twice("initial_window", "a congestion window twice as large at the start"),
        twice_the_window(TO_DEVICE, needs="ack_threshold=0"),
        twice_the_window(TO_DEVICE, ", and its ACK threshold", needs="ack_threshold"),
        *for_a_path(TO_DEVICE),
        half("ack_latency", "a device that acknowledges in half the time"),
        half("ack_latency_per_byte", "a device that takes half the time for each byte"),
        without("ack_threshold", "ACKs that are never kept back"),
        without("ack_frequency", "ACKs at once with no wait for a second segment"),
        half("delayed_ack_timeout", "a delayed-ACK timer half as long", needs="ack_threshold"),
        half("delayed_ack_timeout", "a delayed-ACK timer half as long", needs="ack_frequency"),
        half("drain_latency", "a device that empties its buffer in half the time"),
        twice("port_rate", "a printer's port twice as fast"),
        twice("device_clock", "a processor of the device twice as fast", needs="device_clock"),
        half("device_packet_cycles", "half its cycles for each packet", needs="device_clock"),
        half("device_byte_cycles", "half its cycles to receive a byte", needs="device_clock"),
        half("device_drain_cycles", "half its cycles to pass a byte on", needs="device_clock"),
        half("drain_pause", "pauses of the printer half as long", needs="drain_pause_every"),
        other("window_updates", "window updates of the device: {value}"),
        other("device_silly_window_avoidance", "silly-window avoidance of the device {value}"),
        other("silly_window_avoidance", "the host's rule for a small window: {value}"),
        other("segment_bound", "the host's segments bound by: {value}"),
        half("interactive_ack_latency", "small messages answered in half the time"),
        half("reply_time", "a host that reacts in half the time"),
        twice("write_size", "writes of the print client twice as large"),
        other("write_returns", "writes of the print client that return: {value}"),
        without("loss_to_device", "no losses on the way to the device"),
        without("loss_to_host", "no losses on the way back"),
        *links.PATH_LOSSES,
    ),
    cycle=_cycle,
    whole_s=_whole_s,
    window_B=_window_B,
)
