# SPDX-License-Identifier: GPL-2.0-only
"""The two exchanges as space-time diagrams: request and reply beside a packet burst, from the
workstation on the left to the server on the right."""

from study.catalogue import systems
from study.drawing import style
from study.drawing.arrows import Arrow, draw_arrows, frame, table
from study.drawing.job_table import on_paper
from study.drawing.system_facts import value
from study.scenarios.file_read import formulas as file_read

SYSTEM = "netware"
END_MS = 1000
BURST_SIZE = 14  # fewer packets than fitted, so that the end of a burst can be seen
PROTOCOLS = {"request-reply": "request and reply", "packet-burst": "packet burst"}
TITLE = "In the same second a burst brings {times:.1f} times the octets of request and reply"
CAPTION = (
    "The first second of a file read over the WAN, simulated; time runs down. Left each time the "
    "workstation, whose interface stamps the packets as the source's analyzer did; right the "
    "server, at the other end of the frame relay. Brown, dashed: requests. Blue: packets of the "
    "file. With request and reply the line to the branch rests while the next request is in "
    "flight; in a burst the next packet is always behind the one before, and the line rests only "
    f"between two bursts. A burst has {BURST_SIZE} packets here, fewer than the {{fitted}} fitted "
    "to the source, so that its end and the next request can be seen. The server's own instants "
    "follow from its times and the closed form."
)


def draw() -> style.Drawing:
    """Draw both exchanges over the same time."""
    figure, panels = style.beside(2, 5.2, 7.0)
    sides = {protocol: _arrows(protocol) for protocol in PROTOCOLS}
    for axes, (protocol, side) in zip(panels, sides.items(), strict=True):
        frame(axes, 0, END_MS, ("workstation", "server"))
        draw_arrows(axes, side, near="workstation", data="server")
        octets = sum(each.segment.length for each in side)
        axes.set_title(f"{PROTOCOLS[protocol]}: {octets:,} octets of the file", pad=16)
    caption = CAPTION.format(fitted=value(systems[SYSTEM], "burst_size"))
    single, burst = (sum(each.segment.length for each in side) for side in sides.values())
    return style.Drawing(figure, _table(sides), caption, TITLE.format(times=burst / single))


def _arrows(protocol: str) -> list[Arrow]:
    """Packets that the workstation sent or received in the time drawn. A packet of the file leaves
    the server when its turn comes: the first one the server's time after the request has arrived,
    the others behind it on the server's own LAN."""
    system = systems[SYSTEM].with_(protocol=protocol, burst_size=BURST_SIZE)
    result = system.run(segments=True)
    read = on_paper(result)
    request_ms = file_read.one_way_s(read, file_read.request_ipx_B(read)) * 1000
    lan_s = file_read.occupied_s(read, file_read.data_ipx_B(read))["headquarters LAN"]
    step_ms = max(lan_s, file_read.gap_s(read)) * 1000
    drawn, leaves_ms = [], 0.0
    for segment in result.packets:
        at_ms = segment.time_s * 1000
        if at_ms > END_MS:
            break
        if segment.sender == "workstation":
            drawn.append(Arrow(segment, at_ms, at_ms + request_ms))
            leaves_ms = at_ms + request_ms + read.server_time_s * 1000
        else:
            drawn.append(Arrow(segment, at_ms, leaves_ms))
            leaves_ms += step_ms
    return drawn


def _table(sides: dict[str, list[Arrow]]) -> style.Table:
    names = {"exchange": "protocol", "time_ms": "workstation_ms"}
    made = table(sides).rename(columns=names).drop(columns="flags")
    far_ms = [f"{arrow.far_ms:.6f}" for side in sides.values() for arrow in side]
    made.insert(2, "server_ms", far_ms)
    made["window"] = made.window.where(made.sender != "server")  # what a server has is no window
    return made.astype({"window": "Int64"})
