# SPDX-License-Identifier: GPL-2.0-only
"""Time per Telnet command against the client's delayed-ACK time, with what was measured on three
clients."""

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.facts import axis_label, value
from study.drawing.jobs import command_times, line, swept
from study.scenarios.request_reply import formulas as request_reply
from study.system.system import System

SYSTEM = "telnet-xp"
DELAYS_MS = [0, 10, 20, 40, 60, 80, 100, 150, 200]
# Each client that was measured, and where its name goes.
CLIENTS = {
    "telnet-xp": ("Windows XP", (-2, -36)),
    "telnet-ubuntu": ("Ubuntu", (12, -16)),
    "telnet-xp-ack-frequency-1": ("Windows XP with TcpAckFrequency 1", (40, 1)),
}
MARKERS = {"write and read until": "*", "write and read until prompt": "P"}
TITLE = (
    "A command takes {none:.0f} ms and once what the client delays its ACK by: {slow:.0f} ms at "
    "{delay} ms"
)
CAPTION = (
    "Time per command of the Telnet test against the time the client delays its ACKs; 0 stands "
    "for TcpAckFrequency 1, which delays none. Circles: simulated, {commands} commands of 'write "
    "and read until' without quick ACKs at the start; line: closed form, one delay a command. "
    "Star and cross: the two short operations as measured (source: the note on Telnet from "
    "Windows XP), over {commands} commands, a number taken from {xp} s on Windows XP. The "
    "server's time is from the star at 0. Ubuntu's first five commands are spared by quick ACKs, "
    "so its star may lie below the line; the cross above it, {cross} s, is not explained."
)


def draw() -> style.Drawing:
    """The simulated points, the closed form through them and the measured ones."""
    system, none = systems[SYSTEM], {"client_ack_frequency": 1}
    jobs = {
        (ms,): system.with_(**({"client_delayed_ack": f"{ms}ms"} if ms else none))
        for ms in DELAYS_MS
    }
    read = command_times(request_reply.command_s)
    table = swept("time per command against delayed ACK", ("delayed_ack_ms",), jobs, read)
    figure, axes = style.one(3.6)
    at = ("client_delayed_ack_s", (0, 200), request_reply.command_s)
    paper = line(system, *at, per=1e-3, each=1e-3)
    axes.plot(*paper, color=style.DATA, linewidth=0.8, label="closed form")
    points = (table.delayed_ack_ms, table.command_ms)
    marks.curve(axes, marks.PLAIN, points, label="simulated")
    _mark(axes)
    axes.set(
        xlabel=axis_label(system, "client_delayed_ack", "ms"),
        ylabel="time per command (ms)",
        xlim=(-6, 212),
        ylim=(0, 222),
    )
    marks.scales(axes, x=[0, 40, 100, 200])
    axes.legend(loc="upper left")
    (_, xp, _), (*_, cross) = (
        [row.value for row in systems[name].measured if row.kind == "operation"]
        for name in (SYSTEM, "telnet-ubuntu")
    )
    caption = CAPTION.format(commands=value(system, "commands"), xp=xp, cross=cross)
    commands_ms = table.command_ms.tolist()
    words = {"none": commands_ms[0], "slow": commands_ms[-1], "delay": DELAYS_MS[-1]}
    return style.Drawing(figure, table, caption, TITLE.format(**words))


def delay_ms(client: System) -> float:
    """How long it keeps a lone ACK: one that acknowledges every segment keeps none."""
    every = value(client, "client_ack_frequency") == 1
    return 0 if every else value(client, "client_delayed_ack", "ms")


def per_command_ms(client: System) -> dict[str, float]:
    """The operations that were measured."""
    commands = value(client, "commands")
    return {row.quantity: row.value / commands * 1000 for row in client.measured}


def _mark(axes: style.Axes) -> None:
    for name, (label, shift) in CLIENTS.items():
        x, measured_ms = delay_ms(systems[name]), per_command_ms(systems[name])
        for quantity, marker in MARKERS.items():
            text = f"{quantity}, measured" if name == SYSTEM else None
            look = {"marker": marker, "markersize": 11 if marker == "*" else 6, "label": text}
            marks.star(axes, (x, measured_ms[quantity]), **look)
        right = "right" if shift[0] < 0 else "left"
        marks.note(axes, label, (x, measured_ms["write and read until"]), shift, ha=right)
