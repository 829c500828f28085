# SPDX-License-Identifier: GPL-2.0-only
"""Report as one HTML file that needs no other file: figures are inlined as SVG."""

import re
from collections.abc import Sequence

from study.base.templates import templates
from study.report.content import ROOM
from study.report.outline import outline

# Verdana has about the width of DejaVu Sans.
FONTS = "'DejaVu Sans', 'Bitstream Vera Sans', Verdana, sans-serif"
TAGS = {"code": "code", "emph": "em", "strong": "strong"}  # of spans


def html(content: dict) -> bytes:
    from markupsafe import Markup

    environment = templates(ROOM)
    environment.filters["spans"] = lambda spans: Markup("".join(map(_span, spans)))
    environment.filters["svg"] = lambda figure: Markup(_svg(figure))
    template = environment.get_template("report.html.jinja")
    return template.render(content, blocks=outline(content)).encode()


def _span(span: Sequence[str]) -> str:
    from markupsafe import escape

    kind, text, *target = map(escape, span)
    if target:
        return f'<a href="{target[0]}">{text}</a>'
    return f"<{TAGS[kind]}>{text}</{TAGS[kind]}>" if kind else text


def _svg(figure: dict) -> str:
    """Return a figure's SVG without metadata, with ids that are unique in the document."""
    from markupsafe import escape

    text = figure["svg"]
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    name = figure["name"]
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", text)
    text = text.replace("'DejaVu Sans'", FONTS)
    label = escape(figure["title"] or figure["caption"])
    return text.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)
