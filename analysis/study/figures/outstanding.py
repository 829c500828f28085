# SPDX-License-Identifier: GPL-2.0-only
"""Outstanding bytes of three systems against time: held by the window, by a window that shuts, and
by the send buffer."""

from study.catalogue import systems
from study.drawing import style
from study.drawing.flow import Span
from study.drawing.kinds.outstanding import HOW_TO_READ, panel
from study.drawing.panels import draw_each
from study.drawing.system_facts import value

SPANS = {
    "hawking-hps1u": Span(0.1, 0.9),
    "netgear-ps101": Span(0.02, 0.1),
    "imagen-v2": Span(1.0, 4.2),
}
SYSTEMS = tuple(SPANS)
TITLE = (
    "The Hawking is sent all {0} B that its window holds, the Netgear {1} of {2} B, the IMAGEN no "
    "more than {3} of {4} B"
)
CAPTION = (
    f"Outstanding bytes of three jobs, simulated. {HOW_TO_READ} Of the IMAGEN's {{0}} bytes the "
    "host uses only what its send buffer of {1} holds (the window's size is assumed)."
)


def draw() -> style.Drawing:
    """Draw one above the other; side by side on a slide."""
    figure = style.figure(4.8, 4.8)
    rows, columns = (1, 3) if style.size() == "slide" else (3, 1)
    table = draw_each(figure.subplots(rows, columns), SPANS, panel)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2)
    own = [value(systems["imagen-v2"], key) for key in ("receive_window", "send_buffer")]
    most = table.groupby("system").outstanding_B.max()
    offered = table[table.sender == "device"].groupby("system").window.max()
    hawking, *others = [(most[name], offered[name]) for name in SPANS]
    title = TITLE.format(hawking[0], *(number for pair in others for number in pair))
    return style.Drawing(figure, table, CAPTION.format(*own), title)
