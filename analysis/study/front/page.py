# SPDX-License-Identifier: GPL-2.0-only
"""Front end as a page by itself, over a given engine."""

import json
import os
from pathlib import Path
from typing import Any

from study.base.templates import templates
from study.front import forms, words

ROOM = Path(__file__).parent
# In the order in which they go into a page: each uses what stands before it.
BEFORE = ("words.js", "small.js", "lean-qr.js", "qr.js")
DRAWING = ("classroom/film.js", "classroom/player.js")
DRAWING += ("classroom/ladder.js", "classroom/exchange.js")
FRONT = ("pictures.js", "saved.js", "controls.js", "changes.js", "view.js", "runs.js", "front.js")
LINK = ("commandline.js", "link.js")
SITE = "STUDY_SITE"  # the address of a published site, of mkdocs.yml, too
ENGINES = {"native": ("native.js",), "message": ("native.js", "message.js")}


def page(engine: str, begin: str) -> str:
    """HTML that needs no other file; `engine` is one of ENGINES."""
    room = ROOM.parent
    files = [ROOM / name for name in BEFORE]
    files += [room / name for name in DRAWING]
    files += [room / "engine" / name for name in ("engine.js", *ENGINES[engine])]
    files += [ROOM / name for name in (*FRONT, *LINK)]
    scripts = "\n".join(file.read_text(encoding="utf-8") for file in files)
    published = inline_json(published_page())
    return render(
        scripts=scripts, engine=engine, data=inline_json(data(begin)), published=published
    )


def published_page() -> str:
    """The class page, which has the front end too, of the site at STUDY_SITE; empty without it."""
    site = os.environ.get(SITE, "").rstrip("/")
    return f"{site}/classroom/classroom.html" if site else ""


def data(begin: str) -> dict[str, Any]:
    """What the page knows at first; the forms of other systems it asks for."""
    own = [] if begin in forms.names() else [begin]
    first = forms.form(begin, is_patient=False)
    return {
        "scenarios": forms.scenarios(),
        "names": forms.names(own),
        "forms": {begin: first},
        "begin": begin,
    }


def render(**content: object) -> str:
    """The page's template."""
    from markupsafe import Markup

    environment = templates(ROOM)
    environment.globals |= {"words": inline_json(words.read()), **words.GLOBALS}
    environment.globals["file"] = lambda name: Markup((ROOM / name).read_text(encoding="utf-8"))
    content["scripts"] = Markup(content["scripts"])
    return environment.get_template("page.html.jinja").render(content)


def inline_json(data: object) -> Any:
    """For a script element of the page."""
    from markupsafe import Markup

    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return Markup(text.replace("<", "\\u003c"))
