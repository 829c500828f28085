# SPDX-License-Identifier: GPL-2.0-only
"""Outstanding bytes of three systems against time: held by the window, by a window that shuts, and
by the send buffer."""

from analysis import style
from analysis.drawing.flow import Span, flow, name_of
from analysis.drawing.outstanding import HOW_TO_READ, panel
from analysis.system import systems

SYSTEMS = ("hawking-hps1u", "netgear-ps101", "imagen-v2")
SPANS = {
    "hawking-hps1u": Span(0.1, 0.9),
    "netgear-ps101": Span(0.02, 0.1),
    "imagen-v2": Span(1.0, 4.2),
}
CAPTION = (
    f"Outstanding bytes of three jobs, simulated. {HOW_TO_READ} Of the IMAGEN's 6144 bytes the "
    "host uses only what its send buffer of 2048 holds (the window's size is assumed)."
)


def draw() -> style.Drawing:
    """One above the other; side by side on a slide."""
    import pandas as pd

    figure = style.figure(4.8, 4.8)
    rows, columns = (1, 3) if style.size() == "slide" else (3, 1)
    tables = []
    for axes, name in zip(figure.subplots(rows, columns), SYSTEMS, strict=True):
        system = systems[name]
        stretch = flow(system, system.run(segments=True), SPANS[name])
        panel(axes, stretch)
        axes.set_title(name_of(system), loc="left")
        tables.append(stretch.table().assign(system=name))
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2)
    return style.Drawing(figure, pd.concat(tables), CAPTION)
