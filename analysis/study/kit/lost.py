# SPDX-License-Identifier: GPL-2.0-only
"""Packets of a run that its link lost, by cause, if there are any."""

from collections.abc import Mapping

# A column of the results, and the words that follow its count.
LOST = {
    "wan_frames_policed": "policed by the network: above Bc + Be",
    "wan_frames_congested": "dropped by the network: too many waited for a line",
    "router_drops": "dropped by a router: its queue was full",
    "line_losses": "lost on the lines to the network",
    "path_queue_drops": "dropped by the path's queue to the device",
    "path_queue_drops_back": "dropped by the path's queue to the host",
    "path_losses": "lost on the path to the device",
    "path_losses_back": "lost on the path to the host",
}


def lost(record: Mapping[str, object]) -> list[str]:
    """Return a line for each cause of loss with its count, or an empty list without loss."""
    counts = {words: record.get(key) for key, words in LOST.items()}
    return [f"{count:,} {words}" for words, count in counts.items() if count]
