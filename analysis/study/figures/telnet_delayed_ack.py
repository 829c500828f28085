# SPDX-License-Identifier: GPL-2.0-only
"""Time per Telnet command against the client's delayed-ACK time, with what was measured on three
clients."""

from study.catalogue import systems
from study.drawing import marks
from study.drawing.curves import Curves, Over, Read, Up, Words
from study.drawing.job_table import command_times
from study.drawing.style import Axes, Table
from study.drawing.system_facts import value
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


def words(read: Read) -> Words:
    (_, xp, _), (*_, cross) = (
        [row.value for row in systems[name].measured if row.kind == "operation"]
        for name in (SYSTEM, "telnet-ubuntu")
    )
    return {
        "commands": value(systems[SYSTEM], "commands"),
        "xp": xp,
        "cross": cross,
        "none": read(0, 0),
        "slow": read(0, DELAYS_MS[-1]),
        "delay": DELAYS_MS[-1],
    }


def delay_ms(client: System) -> float:
    """Return how long it keeps a lone ACK: one that acknowledges every segment keeps none."""
    every = value(client, "client_ack_frequency") == 1
    return 0 if every else value(client, "client_delayed_ack", "ms")


def per_command_ms(client: System) -> dict[str, float]:
    """Return the operations that were measured."""
    commands = value(client, "commands")
    return {row.quantity: row.value / commands * 1000 for row in client.measured}


def notes(axes: Axes, table: Table) -> None:
    """Each client that was measured."""
    for name, (label, shift) in CLIENTS.items():
        x, measured_ms = delay_ms(systems[name]), per_command_ms(systems[name])
        for quantity, marker in MARKERS.items():
            text = f"{quantity}, measured" if name == SYSTEM else None
            look = {"marker": marker, "markersize": 11 if marker == "*" else 6, "label": text}
            marks.star(axes, (x, measured_ms[quantity]), **look)
        right = "right" if shift[0] < 0 else "left"
        marks.note(axes, label, (x, measured_ms["write and read until"]), shift, ha=right)


draw = Curves(
    TITLE,
    CAPTION,
    curves=lambda: {"": systems[SYSTEM]},
    over=Over(
        "client_delayed_ack",
        DELAYS_MS,
        "ms",
        none={"client_ack_frequency": 1},
        called="delayed_ack",
        log=False,
        ticks=[0, 40, 100, 200],
    ),
    up=Up("time per command", "ms", 1.0, command_times, paper_per=1e-3, log=False),
    form=request_reply.command_s,
    words=words,
    notes=notes,
    heights=(3.6,),
).draw
