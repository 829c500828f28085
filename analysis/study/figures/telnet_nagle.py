# SPDX-License-Identifier: GPL-2.0-only
"""Nagle's algorithm on or off at client and server, two by two: which of the four switches off the
stall."""

from itertools import product
from typing import TYPE_CHECKING

from study.catalogue import systems
from study.drawing import style
from study.runs.batch import run_batch
from study.scenarios.request_reply import formulas as request_reply
from study.scenarios.request_reply.formulas import Exchange

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SYSTEM = "telnet-xp"
FREQUENCIES = {2: "TcpAckFrequency 2 (default)", 1: "TcpAckFrequency 1"}
SWITCH = {True: "on", False: "off"}
CAPTION = (
    "Time per command of 'write and read until' from Windows XP with Nagle's algorithm on or off "
    "at either end, simulated; a TcpAckFrequency of 2 acknowledges every second segment at "
    "once, 1 every one. Off at the client alone does not help: then the server keeps all of its "
    "reply until its echo is acknowledged, after the same delay. What counts is the server's. "
    "The note on Telnet from Windows XP says as much in words; it measured only the upper left "
    "of both, 200 and 5 ms."
)


def draw() -> style.Drawing:
    """Two squares of four fields, coloured where commands stall."""
    table = sweep()
    figure = style.figure(2.9, 4.8)
    rows, columns = (2, 1) if style.size() == "column" else (1, 2)
    for axes, frequency in zip(figure.subplots(rows, columns), FREQUENCIES, strict=True):
        _square(axes, table[table.ack_frequency == frequency])
        axes.set_title(FREQUENCIES[frequency])
    return style.Drawing(figure, table, CAPTION)


def sweep() -> "pd.DataFrame":
    """The same commands under every combination."""
    import pandas as pd

    system = systems[SYSTEM]
    points = list(product(FREQUENCIES, (True, False), (True, False)))
    flags = [
        system.with_(client_ack_frequency=n, client_nagle=client, server_nagle=server).flags()
        for n, client, server in points
    ]
    rows = []
    for point, record in zip(points, run_batch(system.scenario, flags, "Nagle"), strict=True):
        closed_s = request_reply.command_s(Exchange.of(record["parameters"]))
        stalls = record["stalls"] / record["answered"]
        times_ms = (record["command_s"] * 1000, closed_s * 1000)
        rows.append((*point, record["outcome"], *times_ms, stalls))
    columns = ["ack_frequency", "client_nagle", "server_nagle", "outcome"]
    columns += ["command_ms", "closed_form_ms", "stalls_per_command"]
    return pd.DataFrame(rows, columns=columns)


def _square(axes: "Axes", table: "pd.DataFrame") -> None:
    from matplotlib.patches import Rectangle

    for row in table.itertuples():
        corner = (int(not row.server_nagle), int(not row.client_nagle))
        stalled = row.stalls_per_command > 0.5
        face = "#E69F00" if stalled else "#FFFFFF"
        axes.add_patch(Rectangle(corner, 1, 1, facecolor=face, edgecolor="black", linewidth=0.8))
        text = f"{row.command_ms:.1f} ms\n{'a stall a command' if stalled else 'no stall'}"
        axes.text(corner[0] + 0.5, corner[1] + 0.5, text, ha="center", va="center", fontsize=9)
    axes.set(xlim=(0, 2), ylim=(2, 0), xlabel="Nagle at the server", ylabel="Nagle at the client")
    axes.set_xticks([0.5, 1.5], list(SWITCH.values()))
    axes.set_yticks([0.5, 1.5], list(SWITCH.values()))
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
