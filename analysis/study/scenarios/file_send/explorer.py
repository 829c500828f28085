# SPDX-License-Identifier: GPL-2.0-only
"""Parameters that can be varied on a file transfer whose sender's processor moves every byte."""

from study.kit import link_parameters
from study.kit.plan import Plan, Section, throughput
from study.scenarios.file_send.explanation import GUIDE
from study.scenarios.file_send.formulas import FileSend

PLAN = Plan[FileSend](
    sections=(
        Section("Processor", ("cpu_clock", "word_cycles", "socket_copy_cycles", "sendfile")),
        Section("Bus", ("interface_transfer", "bus_width", "bus_clock", "wait_states")),
        Section("Disk", ("disk_rate", "disk_reading", "file_buffer")),
        Section("Host", ("mss", "send_buffer", "nagle")),
        Section("Client", ("receive_window", "ack_latency")),
        link_parameters.LARGE_WINDOWS,
        *link_parameters.SECTIONS,
        Section("Job", ("job_size",)),
    ),
    figure=throughput("download_rate"),
    axis="cpu_clock",
    formula=GUIDE.rate_Bps,
    losses=link_parameters.LOSSES,
    paper_note="one buffer of the file after the other",
    size="job_size",
    most_B=1_000_000,  # the rate is within 0.1 % of the whole file's
    in_full=lambda parameters: True,
    stops={"mss": (256, 512, 536, 730, 1024, 1460), "bus_width": (1, 2, 4, 8)},
    usual=link_parameters.USUAL,
)
