# SPDX-License-Identifier: GPL-2.0-only
"""Report as LaTeX source for further editing, with its figures as PDF."""

import re
from collections.abc import Iterator

from study.base.templates import templates
from study.drawing.tex_table import escaped
from study.report.content import ROOM

FOLDER = "latex"
# What no font of LaTeX's usual ones has in its text.
SIGNS = {"\N{MINUS SIGN}": "$-$", "µ": r"\textmu{}", "\N{NO-BREAK SPACE}": "~"}


def latex(content: dict) -> dict[str, bytes]:
    """The files by their names."""
    environment = templates(ROOM)
    environment.autoescape = False
    environment.globals["t"] = lambda label: content["labels"].get(label, label)
    environment.filters["tex"] = tex
    environment.filters["inline"] = inline
    environment.filters["breakable"] = breakable
    text = environment.get_template("report.tex.jinja").render(content)
    figures = {f"{FOLDER}/{each['name']}.pdf": each["pdf"] for each in _figures(content)}
    return {f"{FOLDER}/report.tex": text.encode(), **figures}


def _figures(content: dict) -> Iterator[dict]:
    yield content["method"]
    yield from content["glance_figures"]
    yield from content["figures"]
    for system in content["systems"]:
        yield system["budget"]
        yield from system["figures"]


def tex(text: object) -> str:
    """A text as LaTeX sets it."""
    made = escaped(str(text))
    made = made.replace("--", "-{}-")  # which would be a dash
    for sign, command in SIGNS.items():
        made = made.replace(sign, command)
    return made


def breakable(text: str) -> str:
    """A parameter's name that may go on in the next line behind an underscore."""
    return text.replace(r"\_", r"\_\allowbreak{}")


def inline(text: str) -> str:
    """`code` and *emphasis*."""
    coded = re.sub(r"`([^`]+)`", r"\\texttt{\1}", tex(text))
    return re.sub(r"\*([^*\s][^*]*)\*", r"\\emph{\1}", coded)
