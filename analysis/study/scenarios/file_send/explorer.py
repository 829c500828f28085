# SPDX-License-Identifier: GPL-2.0-only
"""Parameters that can be varied on a file transfer whose sender's processor moves every byte."""

from collections.abc import Mapping

from study.kit import links
from study.kit.plan import Parameters, Plan, Section, throughput
from study.scenarios.file_send.explanation import GUIDE
from study.scenarios.file_send.formulas import FileSend

BUFFERS = 5  # of the short job, whose middle one is like all others


def _short_job(parameters: Parameters) -> Mapping[str, str]:
    # A packet may hold several buffers.
    size_B = BUFFERS * max(int(parameters["file_buffer"]), 2 * int(parameters["mss"]))
    return {"job_size": str(min(size_B, int(parameters["job_size"])))}


PLAN = Plan[FileSend](
    sections=(
        Section("Processor", ("cpu_clock", "word_cycles", "socket_copy_cycles", "sendfile")),
        Section("Bus", ("interface_transfer", "bus_width", "bus_clock", "wait_states")),
        Section("Disk", ("disk_rate", "disk_reading", "file_buffer")),
        Section("Host", ("mss", "send_buffer", "nagle")),
        Section("Client", ("receive_window", "ack_latency")),
        links.LARGE_WINDOWS,
        *links.SECTIONS,
        Section("Job", ("job_size",)),
    ),
    figure=throughput("download_rate"),
    axis="cpu_clock",
    formula=GUIDE.rate_Bps,
    losses=links.LOSSES,
    paper_note="one buffer of the file after the other",
    short_job=_short_job,
    size="job_size",
    most_B=1_000_000,  # the rate is within 0.1 % of the whole file's
    in_full=lambda parameters: True,
    stops={"mss": (256, 512, 536, 730, 1024, 1460), "bus_width": (1, 2, 4, 8)},
    usual=links.USUAL,
)
