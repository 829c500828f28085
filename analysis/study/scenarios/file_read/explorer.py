# SPDX-License-Identifier: GPL-2.0-only
"""Parameters that can be varied on a file read over the WAN."""

from study.kit.plan import USUAL_LOSS, Plan, Section, throughput
from study.scenarios.file_read import formulas
from study.scenarios.file_read.formulas import FileRead

LOSSES = ("loss_to_branch", "loss_to_headquarters")


PLAN = Plan[FileRead](
    sections=(
        Section("Protocol", ("protocol",)),
        Section("Request and reply", ("read_size",), when=("protocol", "request-reply")),
        Section(
            "Packet burst",
            ("burst_size", "fragment_size", "burst_gap"),
            when=("protocol", "packet-burst"),
        ),
        Section("Ends", ("server_time", "turnaround_time")),
        Section("Lines", ("branch_access_rate", "headquarters_access_rate", "branch_lan_rate")),
        Section(
            "Frame relay", ("cloud_delay", "committed_rate", "committed_burst", "excess_burst")
        ),
        Section("Losses", LOSSES),
        Section("File", ("file_size",)),
    ),
    figure=throughput("read_rate", "file_rate"),
    axis="branch_access_rate",
    formula=formulas.file_rate_Bps,
    losses=LOSSES,
    paper_note="the whole file, if the network drops nothing",
    size="file_size",
    most_B=3_000_000,
    in_full=lambda parameters: True,
    stops={
        "branch_access_rate": (56_000, 64_000, 128_000, 256_000, 512_000, 1_024_000, 1_544_000),
        "committed_rate": (16_000, 32_000, 64_000, 128_000, 256_000, 512_000, 1_024_000),
        "read_size": (512, 1024, 1436),
        "burst_size": (1, 2, 4, 8, 16, 32, 45, 64, 128, 256),
    },
    usual={"burst_gap": "45ms", **dict.fromkeys(LOSSES, USUAL_LOSS)},
)
