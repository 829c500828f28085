# SPDX-License-Identifier: GPL-2.0-only
"""The explorer's view as HTML without a script, for a page that has no kernel behind it."""

import html

from study.explorer.session import Session
from study.explorer.view import Asked

STYLE = (
    "border: 1px solid #c8c8c8; padding: 0.6rem; background: #ffffff; color: #1a1a1a; "
    "max-width: 45rem"
)
NOTE = "This page has no kernel, so the controls are not here: open the notebook to move them."


def still(session: Session, system: str) -> str:
    """What the explorer shows of a system as it is, with all of the curve's simulated points."""
    form = session.form(system)
    opening = form["opening"]["values"]
    view = session.answer(Asked(system, values=opening))
    if view["errors"]:
        return f"<p>{html.escape('; '.join(view['errors'].values()))}</p>"
    marks = {"more": True}
    while marks["more"]:
        marks = session.answer(Asked(system, values=opening, marks=True))
    names = ("headline", "beside", "sentence", "command", "exchange")
    words = {name: html.escape(view[name]) for name in names}
    why = html.escape(form["opening"]["why"])
    stars = [f"<li>{html.escape(star)}</li>" for star in view["stars"]]
    return (
        f'<div style="{STYLE}"><p><em>{NOTE}</em></p><p>{html.escape(form["title"])}. {why}</p>'
        f'<p><strong style="font-size: 1.6em">{words["headline"]}</strong></p>'
        f"<p>{words['beside']}</p><p>{words['sentence']}</p><p><code>{words['command']}</code></p>"
        f"<p><strong>What limits it</strong></p>{view['bar']}"
        f"<p><strong>{form['figure'].capitalize()}</strong></p>{marks['curve']}"
        + (f"<p>Measured:</p><ul>{''.join(stars)}</ul>" if stars else "")
        + f"<p><strong>The exchange that repeats</strong></p><p>{words['exchange']}</p>"
        f"{view['ladder']}</div>"
    )
