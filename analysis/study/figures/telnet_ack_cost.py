# SPDX-License-Identifier: GPL-2.0-only
"""What the cures of the Telnet stall cost in ACKs: per command, per second, and for a download."""

from study.catalogue import systems
from study.drawing import style
from study.runs.batch import run_batch

SYSTEM = "telnet-xp"
CURES = {
    "Nagle on, delayed ACKs": {},
    "TcpAckFrequency 1": {"client_ack_frequency": 1},
    "Nagle off at both ends": {"client_nagle": False, "server_nagle": False},
}
DOWNLOAD = {"commands": 1, "reply_writes": 1, "reply_write": 1_000_000}
PANELS = {
    "acks_per_command": "ACKs per command",
    "acks_per_s": "ACKs per second",
    "acks_per_MB": "ACKs for a reply of 1 MB",
}
TITLE = (
    "TcpAckFrequency 1 costs {more} ACKs a megabyte instead of {own}, Nagle's algorithm off at "
    "both ends {off}"
)
CAPTION = (
    "Segments with nothing but an ACK that the client sends, simulated: for a command of 'write "
    "and read until', in a second of such commands one after the other, and for one reply of 1 "
    "MB. TcpAckFrequency 1 doubles the ACKs of a command and of every download on the machine. "
    "With Nagle's algorithm off at both ends downloads stay as they are. That either cure has "
    "more ACKs per second is because a stalled exchange does next to nothing. Nothing here is "
    "measured."
)


def draw() -> style.Drawing:
    """Draw one panel a count, one bar a cure."""
    table = sweep()
    figure, panels = style.beside(3, 2.2, 3.9, sharey=True)
    colours = ["#000000", "#D55E00", "#56B4E9"]
    for axes, (column, label) in zip(panels, PANELS.items(), strict=True):
        bars = axes.barh(table.cure, table[column], color=colours, height=0.6)
        axes.bar_label(bars, fmt="{:.3g}", padding=3)
        axes.set(xlabel=label, xlim=(0, table[column].max() * 1.25))
        axes.tick_params(axis="y", length=0)
    axes.set_ylim(2.5, -0.5)  # shared; the first on top
    own, more, off = table.acks_per_MB
    return style.Drawing(figure, table, CAPTION, TITLE.format(own=own, more=more, off=off))


def sweep() -> style.Table:
    """Run the commands and the download under each cure."""
    import pandas as pd

    system = systems[SYSTEM]
    changed = [system.with_(**changes) for changes in CURES.values()]
    flags = [each.flags() for each in changed]
    flags += [each.with_(**DOWNLOAD).flags() for each in changed]
    records = run_batch(system.scenario, flags, "ACKs")
    rows = []
    for name, record, download in zip(CURES, records, records[len(CURES) :], strict=False):
        outcomes = {record["outcome"], download["outcome"]}
        acks = record["client_acks"]
        per_s = acks / (record["command_s"] * record["answered"])
        counts = (acks / record["answered"], per_s, download["client_acks"])
        rows.append((name, " ".join(sorted(outcomes)), *counts))
    return pd.DataFrame(rows, columns=["cure", "outcome", *PANELS])
