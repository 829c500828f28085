# SPDX-License-Identifier: GPL-2.0-only
"""Pages made of templates and scripts; and the front end as a page by itself, over a given
engine."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from study.base.linking import linked
from study.base.templates import inline_json, templates
from study.front import forms, words

ROOM = Path(__file__).parent
SITE = "STUDY_SITE"  # the address of a published site, of mkdocs.yml, too
REMARK = re.compile(r"^[ ]*(//(?! SPDX).*|/\*\*.*\*/)\n", re.MULTILINE)  # a line of its own
INDENT = re.compile(r"^ +", re.MULTILINE)  # no text of the scripts goes over a line's end


def page(engine: str, begin: str) -> str:
    """HTML that needs no other file; `engine` is "native" or "message". The page asks for the forms
    of other systems."""
    own = [] if begin in forms.names() else [begin]
    known = data(forms.names(own), {begin: forms.form(begin, is_patient=False)})
    told = {"data": known, "published": published_page()}
    return render("page.html.jinja", ROOM, engine=engine, **told)


def published_page() -> str:
    """Return the class page, which has the front end too, of the site at STUDY_SITE; empty without
    it."""
    site = os.environ.get(SITE, "").rstrip("/")
    return f"{site}/classroom/classroom.html" if site else ""


def data(names: Mapping[str, str], made: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a page knows of systems: their names with their titles, and the forms of some, of
    which it begins with the first."""
    return {
        "scenarios": forms.scenarios(),
        "names": names,
        "forms": made,
        "declared": words.declared(),
        "begin": next(iter(made)),
    }


def render(template: str, room: Path, **content: object) -> str:
    """Return a template of a room or of the front end, filled. `say` takes words.en.json's, `file`
    and `linked` take files of the room, `marked_up` marks up `*word*`, `json` is for a script
    element."""
    from markupsafe import Markup

    def script(*names: str) -> Markup:
        """Without comments and indentation; the licence lines stay."""
        return Markup(INDENT.sub("", REMARK.sub("", linked(*(room / name for name in names)))))

    environment = templates(room, ROOM)
    environment.filters |= {"marked_up": words.marked_up, "number": words.number}
    environment.filters["json"] = inline_json
    environment.globals |= {"words": words.embedded(), "linked": script, **words.GLOBALS}
    environment.globals["file"] = lambda name: Markup((room / name).read_text(encoding="utf-8"))
    return environment.get_template(template).render(content)
