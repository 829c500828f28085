# SPDX-License-Identifier: GPL-2.0-only
"""Report as LaTeX source for further editing, with its figures as PDF."""

from collections.abc import Sequence

from study.base.templates import templates
from study.drawing.tex_table import escaped
from study.report.content import ROOM
from study.report.outline import outline

FOLDER = "latex"
# Characters that LaTeX's usual text fonts lack.
SIGNS = {"\N{MINUS SIGN}": "$-$", "µ": r"\textmu{}", "\N{NO-BREAK SPACE}": "~"}
COMMANDS = {"": "%s", "code": r"\texttt{%s}", "emph": r"\emph{%s}", "strong": r"\textbf{%s}"}
SHARED = {"l": "Y", "r": "Z"}  # columns by side


def latex(content: dict) -> dict[str, bytes]:
    """Return the report's files by name."""
    environment = templates(ROOM)
    environment.autoescape = False
    environment.filters |= {"tex": tex, "breakable": breakable, "widths": widths}
    environment.filters["spans"] = lambda spans: "".join(map(_span, spans))
    blocks = outline(content)
    text = environment.get_template("report.tex.jinja").render(content, blocks=blocks)
    figures = {f"{FOLDER}/{each['name']}.pdf": each["pdf"] for each in blocks if "pdf" in each}
    return {f"{FOLDER}/report.tex": text.encode(), **figures}


def widths(columns: Sequence[dict]) -> str:
    """Return a table's columns: those that share a width are given their part of it."""
    shared = [each["width"] for each in columns if each["width"]]
    return "".join(
        f"{SHARED[each['side']]}{{{each['width'] / sum(shared) * len(shared):.3f}}}"
        if each["width"]
        else each["side"]
        for each in columns
    )


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


def _span(span: Sequence[str]) -> str:
    kind, text, *target = span
    if not target:
        return COMMANDS[kind] % tex(text)
    command = "hyperlink" if target[0].startswith("#") else "href"
    return rf"\{command}{{{target[0].removeprefix('#')}}}{{{tex(text)}}}"
