# SPDX-License-Identifier: GPL-2.0-only
"""Time-sequence graphs of the Hawking and the Netgear: a window of two segments acknowledged late,
and a window of less than one that shuts with each."""

from study.drawing import style
from study.drawing.flow import Span
from study.drawing.kinds.time_sequence import HOW_TO_READ, panel
from study.drawing.panels import draw_each

SPANS = {"hawking-hps1u": Span(0, 0.56), "netgear-ps101": Span(0, 0.075)}
SYSTEMS = tuple(SPANS)
CAPTION = (
    "The beginning of a job to the Hawking H-PS1U and to the Netgear PS101, simulated, from the "
    f"host's segment table. {HOW_TO_READ} The Hawking's steady cycle begins at 166 ms, after "
    "commands and early writes; the Netgear's window shuts with each segment and opens with a "
    "second ACK."
)


def draw() -> style.Drawing:
    """Side by side, or one above the other in a column."""
    figure, panels = style.beside(2, 3.6, 5.6)
    return style.Drawing(figure, draw_each(panels, SPANS, panel), CAPTION)
