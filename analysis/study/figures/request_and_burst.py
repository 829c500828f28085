# SPDX-License-Identifier: GPL-2.0-only
"""The two exchanges as space-time diagrams: request and reply beside a packet burst, from the
workstation on the left to the server on the right."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from study.catalogue import systems
from study.drawing import style
from study.programs.segments import Segment
from study.scenarios.file_read import formulas as file_read
from study.scenarios.file_read.formulas import FileRead

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SYSTEM = "netware"
END_MS = 1000
BURST_SIZE = 14  # fewer packets than fitted, so that the end of a burst can be seen
PROTOCOLS = {"request-reply": "request and reply", "packet-burst": "packet burst"}
CAPTION = (
    "The first second of a file read over the WAN, simulated; time runs down. Left each time the "
    "workstation, whose interface stamps the packets as the source's analyzer did; right the "
    "server, at the other end of the frame relay. Brown, dashed: requests. Blue: packets of the "
    "file. With request and reply the line to the branch rests while the next request is on its "
    "way; in a burst the next packet is always behind the one before, and the line rests only "
    f"between two bursts. A burst has {BURST_SIZE} packets here, fewer than the 45 fitted to the "
    "source, so that its end and the next request can be seen. The server's own instants follow "
    "from its times and the closed form."
)


@dataclass(frozen=True)
class Arrow:
    """A packet between the two lines, in milliseconds."""

    segment: Segment
    workstation_ms: float
    server_ms: float


def draw() -> style.Drawing:
    """Both exchanges over the same time."""
    figure = style.figure(5.2, 7.0)
    rows, columns = (2, 1) if style.size() == "column" else (1, 2)
    sides = {}
    for axes, (protocol, title) in zip(
        figure.subplots(rows, columns), PROTOCOLS.items(), strict=True
    ):
        sides[protocol] = _arrows(protocol)
        _draw(axes, sides[protocol])
        octets = sum(each.segment.length for each in sides[protocol])
        axes.set_title(f"{title}: {octets:,} octets of the file", pad=16)
    return style.Drawing(figure, _table(sides), CAPTION)


def _arrows(protocol: str) -> list[Arrow]:
    """Packets that the workstation sent or received in the time drawn. A packet of the file leaves
    the server when its turn comes: the first one the server's time after the request has arrived,
    the others behind it on the server's own LAN."""
    system = systems["netware"].with_(protocol=protocol, burst_size=BURST_SIZE)
    result = system.run(segments=True)
    read = FileRead.of(result.parameters)
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


def _draw(axes: "Axes", side: list[Arrow]) -> None:
    axes.set(xlim=(0, 1), ylim=(END_MS, 0))
    axes.spines["right"].set_visible(True)
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([0, 1], ["workstation", "server"])
    axes.tick_params(axis="x", length=0, labeltop=True, labelbottom=False)
    if axes.get_subplotspec().is_first_col():
        axes.set_ylabel("time (ms)")
    for arrow in side:
        request = arrow.segment.sender == "workstation"
        ends = [(0, arrow.workstation_ms), (1, arrow.server_ms)]
        start, end = ends if request else reversed(ends)
        line = {
            "arrowstyle": "-|>",
            "color": style.ACK if request else style.DATA,
            "linestyle": (0, (4, 2)) if request else "-",
            "linewidth": 0.9,
            "mutation_scale": 7,
            "shrinkA": 0,
            "shrinkB": 0,
        }
        axes.annotate("", end, start, arrowprops=line, annotation_clip=True)


def _table(sides: dict[str, list[Arrow]]) -> "pd.DataFrame":
    import pandas as pd

    rows = []
    for name, side in sides.items():
        for arrow in side:
            of = arrow.segment
            times = (f"{arrow.workstation_ms:.6f}", f"{arrow.server_ms:.6f}")
            window = None if of.sender == "server" else of.window
            rows.append((name, *times, of.sender, of.seq, of.length, of.ack, window))
    columns = ["protocol", "workstation_ms", "server_ms", "sender", "seq", "length", "ack"]
    table = pd.DataFrame(rows, columns=[*columns, "window"])
    return table.astype({"ack": "Int64", "window": "Int64"})
