# SPDX-License-Identifier: GPL-2.0-only
"""What can be turned on a print job."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from analysis.closed_forms import print_job
from analysis.closed_forms.print_job import PrintJob
from analysis.declaration import declaration
from analysis.explorer.plan import Parameters, Plan, Section
from analysis.units import bits_per_second, seconds

WINDOWS_B = (512, 730, 1024, 1460, 2048, 2920, 4096, 4380, 5840, 8192, 8760, 11680, 16384, 17520)
WINDOWS_B += (23360, 32120, 32768, 46720)
MOST_SEGMENTS = 1500  # of the short job: what is drawn at once
READ = {"time": seconds, "data-rate": bits_per_second}


def _on_paper(parameters: Parameters, key: str) -> Callable[[str], float] | None:
    """One window a cycle. There is no formula for a frame-relay path, nor for one with losses."""
    lossy = any(float(parameters[name]) for name in ("loss_to_device", "loss_to_host"))
    if parameters["link"] != "ethernet" or lossy:
        return None
    job = PrintJob.of(parameters)
    field = next((f for f in PrintJob.__dataclass_fields__ if _is_of(f, key)), None)
    if field is None:
        return None
    read = READ.get(declaration("print-job").parameter(key).type, float)

    def rate_Bps(text: str) -> float:
        changed = replace(job, **{field: read(text)})
        if changed.device_clock:
            return print_job.processor_rate_Bps(changed)
        return print_job.steady_rate_Bps(changed)

    return rate_Bps


def _is_of(field: str, key: str) -> bool:
    """Whether a formula's field, a key with its unit behind it, is this parameter's."""
    return field in (key, f"{key}_s", f"{key}_B", f"{key}_bps")


def _short_job(parameters: Parameters) -> Mapping[str, str]:
    """Long enough for the congestion window, which grows by a segment an ACK, to reach what the
    device or the host's buffer lets be outstanding; and a few cycles more."""
    mss_B = int(parameters["mss"])
    most_B = min(int(parameters["receive_window"]), int(parameters["send_buffer"]))
    bursts = most_B // mss_B + 1
    segments = min(bursts * bursts // 2 + 12 * bursts + 20, MOST_SEGMENTS)
    return {"job_size": str(min(segments * mss_B, int(parameters["job_size"])))}


PLAN = Plan(
    sections=(
        Section("Device", ("receive_window", "ack_latency", "drain_latency", "port_rate")),
        Section(
            "Device: ACK policy",
            ("ack_threshold", "delayed_ack_timeout", "delayed_ack_timer", "ack_latency_per_byte"),
        ),
        Section("Host", ("mss", "send_buffer", "nagle", "silly_window_avoidance")),
        Section("Link", ("link_rate", "link_delay")),
        Section("Job", ("protocol", "job_size")),
    ),
    axis="receive_window",
    on_paper=_on_paper,
    paper_note="the steady cycle, without beginning, end and pauses",
    short_job=_short_job,
    stops={
        "receive_window": WINDOWS_B,
        "send_buffer": WINDOWS_B,
        "mss": (256, 512, 536, 730, 1024, 1460),
    },
    usual={
        "drain_latency": "2ms",
        "port_rate": "2Mbps",
        "ack_latency_per_byte": "500ns",
        "link_delay": "500ns",
    },
    limits={
        "receive_window": "the host has filled the device's window and waits for its ACK",
        "drain": "the device's buffer is not empty yet, so its window is still small",
        "delayed_ack": "the device keeps back its ACK on purpose",
        "cpu": "the host's own reactions, segment after segment",
        "link": "the line is carrying frames, and can carry no more",
        "send_buffer": "the host's send buffer is full of data not yet acknowledged",
        "congestion_window": "the congestion window has no room",
        "nagle": "Nagle's algorithm holds a small segment until an ACK comes",
        "retransmission": "lost segments wait for their retransmission timeout",
        "application": "the programs at both ends answer each other",
        "handshake": "the connection is being set up",
    },
)
