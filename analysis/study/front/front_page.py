# SPDX-License-Identifier: GPL-2.0-only
"""Front end as a page by itself, over a given engine."""

import json
import os
from pathlib import Path
from typing import Any

from study.base.linking import linked
from study.base.templates import templates
from study.front import forms, words

ROOM = Path(__file__).parent
SITE = "STUDY_SITE"  # the address of a published site, of mkdocs.yml, too
ENGINES = ROOM.parent / "engine"


def page(engine: str, begin: str) -> str:
    """HTML that needs no other file; `engine` is "native" or "message"."""
    scripts = linked(ROOM / "front.js", ROOM / "link.js", ENGINES / f"{engine}.js")
    published = inline_json(published_page())
    return render(
        scripts=scripts, engine=engine, data=inline_json(data(begin)), published=published
    )


def published_page() -> str:
    """Return the class page, which has the front end too, of the site at STUDY_SITE; empty without
    it."""
    site = os.environ.get(SITE, "").rstrip("/")
    return f"{site}/classroom/classroom.html" if site else ""


def data(begin: str) -> dict[str, Any]:
    """Return what the page knows at first; the forms of other systems it asks for."""
    own = [] if begin in forms.names() else [begin]
    first = forms.form(begin, is_patient=False)
    return {
        "scenarios": forms.scenarios(),
        "names": forms.names(own),
        "forms": {begin: first},
        "declared": words.declared(),
        "begin": begin,
    }


def render(**content: object) -> str:
    """Return the page's template."""
    from markupsafe import Markup

    environment = templates(ROOM)
    environment.globals |= {"words": inline_json(words.embedded()), **words.GLOBALS}
    environment.globals["file"] = lambda name: Markup((ROOM / name).read_text(encoding="utf-8"))
    content["scripts"] = Markup(content["scripts"])
    return environment.get_template("page.html.jinja").render(content)


def inline_json(data: object) -> Any:
    """For a script element of the page."""
    from markupsafe import Markup

    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return Markup(text.replace("<", "\\u003c"))
