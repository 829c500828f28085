# SPDX-License-Identifier: GPL-2.0-only
"""What is drawn of a figure as boxes: its letters, its legends, and its markers."""

from itertools import combinations
from typing import Any

DOT_PT = 3  # a smaller marker is one of a grid


def texts(figure: Any) -> list[Any]:
    """The texts that come to paper; a tick outside the axes does not."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    drawn, draw = [], Text.draw

    def record(text: Any, renderer: Any, *arguments: Any) -> None:
        drawn.append(text)
        draw(text, renderer, *arguments)

    Text.draw = record
    try:
        FigureCanvasAgg(figure).draw()
    finally:
        Text.draw = draw
    return [text for text in dict.fromkeys(drawn) if text.get_text() and text.get_visible()]


def box(text: Any) -> Any:
    """Of its letters alone: a note's own box has the line to its point, too."""
    from matplotlib.text import Text

    return Text.get_window_extent(text)


def legends(figure: Any) -> list[Any]:
    return [*figure.legends, *(axes.get_legend() for axes in figure.axes if axes.get_legend())]


def holds(outer: Any, inner: Any) -> bool:
    """Whether a box lies in another."""
    across = outer.x0 <= inner.x0 and inner.x1 <= outer.x1
    return across and outer.y0 <= inner.y0 and inner.y1 <= outer.y1


def outside(figure: Any, shown: list[Any]) -> list[str]:
    """Letters and legends that the page cuts off."""
    page = figure.bbox.padded(1)
    boxes = {text.get_text(): box(text) for text in shown}
    boxes |= {f"legend {n}": each.get_window_extent() for n, each in enumerate(legends(figure))}
    return [name for name, box in boxes.items() if not holds(page, box)]


def touching(shown: list[Any]) -> list[tuple[str, str]]:
    """Pairs of texts of which one is over the other."""
    upright = [text for text in shown if text.get_rotation() in (0, 90)]
    boxes = {text: box(text).padded(-2) for text in upright}  # what letters leave
    return [
        (one.get_text(), other.get_text())
        for (one, first), (other, second) in combinations(boxes.items(), 2)
        if first.overlaps(second)
    ]


def covered(figure: Any, shown: list[Any]) -> list[str]:
    """Legends and notes with a marker of the data under them."""
    inside = {id(part) for each in legends(figure) for part in each.findobj()}
    over = [(f"legend {n}", each) for n, each in enumerate(legends(figure))]
    over += [(text.get_text(), text) for text in shown if id(text) not in inside]
    found = []
    for axes in figure.axes:
        lines = [line for line in axes.lines if line.get_markersize() > DOT_PT]
        marked = [line for line in lines if line.get_marker() not in ("None", "", None, "|")]
        points = [
            tuple(point)
            for line in marked
            for point in line.get_transform().transform(line.get_xydata())
            if axes.bbox.contains(*point)
        ]
        for name, each in over:
            is_text = hasattr(each, "get_fontsize")
            over_it = (box(each) if is_text else each.get_window_extent()).padded(-1)
            if each.axes in (axes, None) and any(over_it.contains(*point) for point in points):
                found.append(name)
    return found
