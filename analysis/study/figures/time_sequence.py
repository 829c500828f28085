# SPDX-License-Identifier: GPL-2.0-only
"""Time-sequence graphs of the Hawking and the Netgear: a window of two segments acknowledged late,
and a window of less than one that shuts with each."""

from study.drawing import style
from study.drawing.flow import Span
from study.drawing.kinds.time_sequence import HOW_TO_READ, panel
from study.drawing.panels import draw_each

SPANS = {"hawking-hps1u": Span(0, 0.56), "netgear-ps101": Span(0, 0.075)}
SYSTEMS = tuple(SPANS)
AT_ONCE_MS, USUAL = 2, 3  # later than it takes to hand the next down; pauses at the end
TITLE = (
    "The Hawking's host waits {0:.0f} ms for the ACK of its two segments, the Netgear's {1:.0f} ms "
    "for a window that shuts with each"
)
CAPTION = (
    "The beginning of a job to the Hawking H-PS1U and to the Netgear PS101, simulated, from the "
    f"host's segment table. {HOW_TO_READ} The Hawking's steady cycle begins at 166 ms, after "
    "commands and early writes; the Netgear's window shuts with each segment and opens with a "
    "second ACK."
)


def draw() -> style.Drawing:
    """Side by side, or one above the other in a column."""
    figure, panels = style.beside(2, 3.6, 5.6)
    table = draw_each(panels, SPANS, panel)
    waits_ms = [_wait_ms(table[table.system == name]) for name in SYSTEMS]
    return style.Drawing(figure, table, CAPTION, TITLE.format(*waits_ms))


def _wait_ms(packets: style.Table) -> float:
    """Return the usual pause between two segments that do not follow each other at once."""
    data = packets[(packets.sender == "host") & (packets.length > 0)]
    pauses_ms = data.time_s.astype(float).diff() * 1000
    return pauses_ms[pauses_ms > AT_ONCE_MS].tail(USUAL).median()
