# SPDX-License-Identifier: GPL-2.0-only
"""Parameters that can be varied between the two ends of a TCP scenario, for any of its links."""

from study.kit.plan import USUAL_LOSS, Section

LOSSES = ("loss_to_device", "loss_to_host", "path_loss")
# Without a window scale option from both ends no window is larger than 65,535 B (RFC 7323, 2.2).
LARGE_WINDOWS = Section(
    "Large windows", ("device_window_scale", "host_window_scale", "device_sack", "host_sack")
)
SECTIONS = (
    Section("Link", ("link",)),
    Section("Ethernet", ("link_rate", "link_delay"), when=("link", "ethernet")),
    Section("Path", ("path_rate", "rtt", "path_loss"), when=("link", "path")),
    Section(
        "Frame relay",
        ("branch_access_rate", "headquarters_access_rate", "cloud_delay", "committed_rate"),
        when=("link", "frame-relay"),
    ),
    Section("Losses", LOSSES[:2], when=("link", "ethernet")),
)
USUAL = {
    "link_delay": "500ns",
    "rtt": "40ms",
    "committed_rate": "256kbps",
    **dict.fromkeys(LOSSES, USUAL_LOSS),
}
