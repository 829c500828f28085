# SPDX-License-Identifier: GPL-2.0-only
"""Parameters that can be varied on a print job."""

from study.kit import link_parameters
from study.kit.plan import Parameters, Plan, Section, throughput
from study.kit.wire import path_time_s
from study.scenarios.print_job import cycles
from study.scenarios.print_job.explanation import GUIDE
from study.scenarios.print_job.messages import PrintJob

WINDOWS_B = (512, 730, 1024, 1460, 2048, 2920, 4096, 4380, 5840, 8192, 8760, 11680, 16384, 17520)
WINDOWS_B += (23360, 32120, 32768, 46720)
SPREADS = ("ack_latency_spread", "drain_latency_spread")


def _in_full(parameters: Parameters) -> bool:
    """Return whether the job runs without fast-forward: with random numbers, a WAN or a device's
    processor no cycle is certain to repeat."""
    by_chance = (*link_parameters.LOSSES, *SPREADS)
    random = [name for name in by_chance if parameters[name] not in ("0", "0ns")]
    return bool(random or parameters["link"] != "ethernet" or float(parameters["device_clock"]))


def _ceiling(parameters: Parameters) -> tuple[float, str, str] | None:
    """Return the rate in B/s of full segments back to back on an Ethernet or a path's bottleneck
    link, with its parameter and name, or None for another link."""
    job, link = PrintJob.of(parameters), parameters["link"]
    if link == "ethernet":
        return cycles.line_rate_Bps(job), "link_rate", "Ethernet"
    if link == "path":
        return job.mss_B / path_time_s(job.mss_B, (job.path_rate_bps,), 0), "path_rate", "path"
    return None


PLAN = Plan[PrintJob](
    sections=(
        Section("Device", ("receive_window", "ack_latency", "drain_latency", "port_rate")),
        Section(
            "Device: ACK policy",
            (
                "ack_threshold",
                "ack_frequency",
                "window_updates",
                "delayed_ack_timeout",
                "delayed_ack_timer",
                "ack_latency_per_byte",
                "device_silly_window_avoidance",
            ),
        ),
        Section("Device: pauses", ("drain_pause_every", "drain_pause")),
        Section("Host", ("mss", "send_buffer", "nagle", "silly_window_avoidance")),
        link_parameters.LARGE_WINDOWS,
        *link_parameters.SECTIONS,
        Section("Job", ("protocol", "job_size")),
    ),
    figure=throughput("cycle_rate", "whole_job_rate"),
    axis="receive_window",
    formula=GUIDE.rate_Bps,
    losses=link_parameters.LOSSES,
    paper_note="the steady cycle, without beginning, end and pauses",
    size="job_size",
    most_B=3_000_000,
    in_full=_in_full,
    stops={
        "receive_window": WINDOWS_B,
        "send_buffer": WINDOWS_B,
        "mss": (256, 512, 536, 730, 1024, 1460),
    },
    usual={
        "drain_pause_every": "1000000",
        **link_parameters.USUAL,
        "drain_latency": "2ms",
        "port_rate": "2Mbps",
        "ack_latency_per_byte": "500ns",
    },
    ceiling=_ceiling,
)
