# SPDX-License-Identifier: GPL-2.0-only
"""The explorer's view as HTML without a script, for a page that has no kernel behind it."""

import html

from analysis.explorer.session import Asked, Session

STYLE = (
    "border: 1px solid #c8c8c8; padding: 0.6rem; background: #ffffff; color: #1a1a1a; "
    "max-width: 45rem"
)
NOTE = "This page has no kernel, so the controls are not here: open the notebook to move them."


def still(session: Session, system: str) -> str:
    """What the explorer shows of a system as it is, with all of the curve's simulated points."""
    opening = session.form(system)["opening"]["values"]
    view = session.answer(Asked(system, values=opening))
    if view["errors"]:
        return f"<p>{html.escape('; '.join(view['errors'].values()))}</p>"
    marks = {"more": True}
    while marks["more"]:
        marks = session.answer(Asked(system, values=opening, marks=True))
    names = ("headline", "beside", "sentence", "command")
    words = {name: html.escape(view[name]) for name in names}
    stars = [f"<p>Measured: {html.escape(star)}</p>" for star in view["stars"]]
    return (
        f'<div style="{STYLE}"><p><em>{NOTE}</em></p>'
        f'<p><strong style="font-size: 1.6em">{words["headline"]}</strong></p>'
        f"<p>{words['beside']}</p><p>{words['sentence']}</p><p><code>{words['command']}</code></p>"
        f"{view['bar']}{marks['curve']}{''.join(stars)}{view['ladder']}</div>"
    )
