# SPDX-License-Identifier: GPL-2.0-only
"""Player as a page by itself, with the sources' own traces."""

from study.catalogue import systems
from study.classroom.page import inline_json, render
from study.classroom.page_units import read
from study.classroom.traces import side_by_side
from study.drawing.kinds.limits import looks


def document() -> str:
    """Return every trace that the study has of one line, in a player of its own."""
    words = read()[0]["words"]
    made = {name: (system, side_by_side(system)) for name, system in systems.items()}
    shown = {name: (system, pair) for name, (system, pair) in made.items() if pair}
    told = {"words": words, "looks": looks(words)}
    told["films"] = {name: pair for name, (_, pair) in shown.items()}
    return render(
        "player.html.jinja",
        shown=[(system.title, name) for name, (system, _) in shown.items()],
        films=inline_json(told),
    )
