# SPDX-License-Identifier: GPL-2.0-only
"""Explorer as HTML without a script, for a page without a kernel: the number, its limit, and the
study's figures of the system."""

import base64
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from study import drawing
from study.answers import run_text
from study.base.errors import StudyError
from study.base.templates import templates
from study.catalogue import systems
from study.drawing import Span, files
from study.front import words
from study.front.forms import form, plan_of
from study.programs.declaration import declaration
from study.programs.labels import spelt

KINDS = ("limits", "curve", "ladder")


def still(name: str) -> str:
    """Return the job as the page opens it."""
    made, plan = form(name, is_patient=False), plan_of(systems[name])
    shortened = made["opening"]["shortened"]
    system = systems[name].with_(**made["opening"]["values"])
    result = system.run()
    value = plan.figure.of(result)
    first = max(result.limits_s, key=lambda key: result.limits_s[key])
    told = declaration(system.scenario).limits
    meaning = told[first].words if first in told else ""
    share_pct = run_text.share_pct(result.limits_s, first)
    return (
        templates(Path(__file__).parent)
        .get_template("still.html.jinja")
        .render(
            title=made["title"],
            why=words.text("front.shortened", *shortened) if shortened else "",
            headline=plan.figure.text(value) if value else result.outcome,
            limit=f"{share_pct:.1f} % of the time: {spelt(first)} ({meaning})",
            command=f".venv/bin/study run {name}",
            stars=[
                words.text(f"front.{star['used']}", star["name"], star["figure"], star["source"])
                for star in made["stars"]
            ],
            pictures=list(_pictures(system)),
        )
    )


def _pictures(system: drawing.System) -> Iterator[tuple[str, str]]:
    """Yield each as an image of its own, and in words."""
    for kind in KINDS:
        with suppress(StudyError):  # a job of one packet has no ladder
            made = drawing.draw(kind, system, Span())
            yield base64.b64encode(files.as_file(made, "png")).decode(), made.caption
