# SPDX-License-Identifier: GPL-2.0-only
"""Time per Telnet command against the client's delayed-ACK time, with what was measured on three
clients."""

from dataclasses import replace
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
DELAYS_MS = [0, 10, 20, 40, 60, 80, 100, 150, 200]
# Each client that was measured, at its own delay, and where its name goes.
CLIENTS = {
    "telnet-xp": ("Windows XP", 200, (-2, -36)),
    "telnet-ubuntu": ("Ubuntu", 40, (12, -16)),
    "telnet-xp-ack-frequency-1": ("Windows XP with TcpAckFrequency 1", 0, (40, 1)),
}
MARKERS = {"write and read until": "*", "write and read until prompt": "P"}
CAPTION = (
    "Time per command of the Telnet test against the time the client delays its ACKs; 0 stands for "
    "TcpAckFrequency 1, which delays none. Circles: simulated, 50 commands of 'write and read "
    "until' without quick ACKs at the start; line: closed form, one delay a command. Star and "
    "cross: the two short operations as measured (source: the note on Telnet from Windows XP), "
    "over 50 commands, a number taken from 10.0 s on Windows XP. The server's time is from the "
    "star at 0. Ubuntu's first five commands are spared by quick ACKs, so its star may lie below "
    "the line; the cross above it, 2.841 s, is not explained."
)


def draw() -> style.Drawing:
    """The simulated points, the closed form through them and the measured ones."""
    from matplotlib.figure import Figure

    table = sweep()
    figure = Figure(figsize=(style.PAGE_IN, 3.6), layout="constrained")
    axes = figure.subplots()
    exchange = Exchange.of(systems[SYSTEM].run().parameters)
    line_ms = [
        request_reply.command_s(replace(exchange, client_delayed_ack_s=delay_ms / 1000)) * 1000
        for delay_ms in (0, 200)
    ]
    axes.plot((0, 200), line_ms, color=style.DATA, linewidth=0.8, label="closed form")
    axes.plot(
        table.delayed_ack_ms,
        table.command_ms,
        color=style.DATA,
        marker="o",
        linestyle="",
        label="simulated",
    )
    _mark(axes)
    axes.set(
        xlabel="the client's delayed-ACK time (ms)",
        ylabel="time per command (ms)",
        xlim=(-6, 212),
        ylim=(0, 222),
    )
    axes.set_xticks([0, 40, 100, 200])
    axes.grid(color="0.9", linewidth=0.5)
    axes.legend(loc="upper left")
    return style.Drawing(figure, table, CAPTION)


def sweep() -> "pd.DataFrame":
    """The same commands with every delay."""
    import pandas as pd

    system = systems[SYSTEM]
    changes = [
        {"client_delayed_ack": f"{delay_ms}ms"} if delay_ms else {"client_ack_frequency": 1}
        for delay_ms in DELAYS_MS
    ]
    flags = [system.with_(**change).flags() for change in changes]
    rows = []
    records = run_batch(system.scenario, flags, "time per command against delayed ACK")
    for delay_ms, record in zip(DELAYS_MS, records, strict=True):
        closed_s = request_reply.command_s(Exchange.of(record["parameters"]))
        rows.append((delay_ms, record["outcome"], record["command_s"] * 1000, closed_s * 1000))
    columns = ["delayed_ack_ms", "outcome", "command_ms", "closed_form_ms"]
    return pd.DataFrame(rows, columns=columns)


def _mark(axes: "Axes") -> None:
    commands = int(systems[SYSTEM].settings["commands"].value)
    shown = {"linestyle": "", "color": "#F0E442", "markeredgecolor": "black", "zorder": 5}
    for number, (name, (label, delay_ms, shift)) in enumerate(CLIENTS.items()):
        measured = {row.quantity: row.value for row in systems[name].measured}
        for quantity, marker in MARKERS.items():
            per_command_ms = measured[quantity] / commands * 1000
            text = f"{quantity}, measured" if number == 0 else None
            size = 11 if marker == "*" else 6
            axes.plot(delay_ms, per_command_ms, marker=marker, markersize=size, label=text, **shown)
        at = {"xytext": shift, "textcoords": "offset points"}
        right = "right" if shift[0] < 0 else "left"
        place = (delay_ms, measured["write and read until"] / commands * 1000)
        axes.annotate(label, place, ha=right, **at)
