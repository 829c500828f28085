# SPDX-License-Identifier: GPL-2.0-only
"""The explorer's view as HTML without a script, for a page that has no kernel behind it."""

from pathlib import Path

from study.base.templates import templates
from study.explorer.session import Session
from study.explorer.view import Asked


def still(session: Session, system: str) -> str:
    """What the explorer shows of a system as it is, with all of the curve's simulated points."""
    form = session.form(system)
    values = form["opening"]["values"]
    view = session.answer(Asked(system, values=values))
    while view.get("more"):
        view |= session.answer(Asked(system, values=values, marks=True))
    return templates(Path(__file__).parent).get_template("still.html.jinja").render(view, form=form)
