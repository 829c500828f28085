# SPDX-License-Identifier: GPL-2.0-only
"""Player as a page by itself, with the sources' own traces."""

from pathlib import Path

from study.catalogue import systems
from study.classroom.traces import side_by_side
from study.drawing.kinds.limits import looks
from study.front.front_page import render
from study.programs.declaration import all_limits


def document() -> str:
    """Return every trace that the study has of one line, in a player of its own."""
    films = {name: side_by_side(system) for name, system in systems.items()}
    films = {name: pair for name, pair in films.items() if pair}
    return render(
        "player.html.jinja",
        Path(__file__).parent,
        titles={name: systems[name].title for name in films},
        told={"looks": looks(all_limits()), "films": films},
    )
