# SPDX-License-Identifier: GPL-2.0-only
"""Nagle's algorithm on or off at client and server, two by two: which of the four switches off the
stall."""

from study.catalogue import systems
from study.drawing import style
from study.drawing.job_table import command_times, crossed, stalls, swept
from study.drawing.system_facts import axis_label
from study.figures.telnet_delayed_ack import per_command_ms
from study.scenarios.request_reply import formulas as request_reply

SYSTEM = "telnet-xp"
FREQUENCIES = {2: "TcpAckFrequency 2 (default)", 1: "TcpAckFrequency 1"}
SWITCH = {True: "on", False: "off"}
TITLE = (
    "Without the server's Nagle a command takes {server:.0f} ms instead of {on:.0f}; without the "
    "client's alone {client:.0f}"
)
CAPTION = (
    "Time per command of 'write and read until' from Windows XP with Nagle's algorithm on or off "
    "at either end, simulated; a TcpAckFrequency of 2 acknowledges every second segment at "
    "once, 1 every one. Off at the client alone does not help: then the server keeps all of its "
    "reply until its echo is acknowledged, after the same delay. What counts is the server's. "
    "The note on Telnet from Windows XP says as much in words; it measured only the upper left "
    "of both, {0:.0f} and {1:.0f} ms."
)


def draw() -> style.Drawing:
    """Draw two squares of four fields, coloured where commands stall."""
    switches = {"client_nagle": SWITCH, "server_nagle": SWITCH}
    jobs = crossed(systems[SYSTEM], client_ack_frequency=FREQUENCIES, **switches)
    read = command_times(request_reply.command_s) | {"stalls_per_command": stalls}
    table = swept("Nagle", ("ack_frequency", *switches), jobs, read)
    figure, panels = style.beside(2, 2.9, 4.8)
    for axes, frequency in zip(panels, FREQUENCIES, strict=True):
        _square(axes, table[table.ack_frequency == frequency])
        axes.set_title(FREQUENCIES[frequency])
    clients = (SYSTEM, "telnet-xp-ack-frequency-1")
    measured_ms = [per_command_ms(systems[name])["write and read until"] for name in clients]
    of = table.set_index(["ack_frequency", *switches]).command_ms
    words = {"on": of[2, True, True], "server": of[2, True, False], "client": of[2, False, True]}
    return style.Drawing(figure, table, CAPTION.format(*measured_ms), TITLE.format(**words))


def _square(axes: style.Axes, table: style.Table) -> None:
    from matplotlib.patches import Rectangle

    for row in table.itertuples():
        corner = (int(not row.server_nagle), int(not row.client_nagle))
        stalled = row.stalls_per_command > 0.5
        face = "#E69F00" if stalled else "#FFFFFF"
        axes.add_patch(Rectangle(corner, 1, 1, facecolor=face, edgecolor="black", linewidth=0.8))
        text = f"{row.command_ms:.1f} ms\n{'a stall a command' if stalled else 'no stall'}"
        axes.text(corner[0] + 0.5, corner[1] + 0.5, text, ha="center", va="center", fontsize=9)
    labels = [axis_label(systems[SYSTEM], key) for key in ("server_nagle", "client_nagle")]
    axes.set(xlim=(0, 2), ylim=(2, 0), xlabel=labels[0], ylabel=labels[1])
    axes.set_xticks([0.5, 1.5], list(SWITCH.values()))
    axes.set_yticks([0.5, 1.5], list(SWITCH.values()))
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
