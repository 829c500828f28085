# SPDX-License-Identifier: GPL-2.0-only
"""Report as LaTeX source for further editing, with its figures as PDF."""

import re
from collections.abc import Iterator

from study.base.templates import templates
from study.drawing.tex_table import escaped
from study.report.content import ROOM

FOLDER = "latex"
# Characters that LaTeX's usual text fonts lack.
SIGNS = {"\N{MINUS SIGN}": "$-$", "µ": r"\textmu{}", "\N{NO-BREAK SPACE}": "~"}


def latex(content: dict) -> dict[str, bytes]:
    """Return the report's files by name."""
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
    """Return a text escaped for LaTeX."""
    made = escaped(str(text))
    made = made.replace("--", "-{}-")  # otherwise a dash
    for sign, command in SIGNS.items():
        made = made.replace(sign, command)
    return made


def breakable(text: str) -> str:
    """Return a parameter's name that may break after an underscore."""
    return text.replace(r"\_", r"\_\allowbreak{}")


def inline(text: str) -> str:
    """Return a text with `code` and *emphasis* as LaTeX."""
    coded = re.sub(r"`([^`]+)`", r"\\texttt{\1}", tex(text))
    return re.sub(r"\*([^*\s][^*]*)\*", r"\\emph{\1}", coded)
