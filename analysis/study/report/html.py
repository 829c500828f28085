# SPDX-License-Identifier: GPL-2.0-only
"""Report as one HTML file that needs no other file: figures are inlined as SVG."""

import re

from study.base.templates import templates
from study.report.content import ROOM

# Verdana has about the width of DejaVu Sans.
FONTS = "'DejaVu Sans', 'Bitstream Vera Sans', Verdana, sans-serif"


def html(content: dict) -> bytes:
    from markupsafe import Markup

    environment = templates(ROOM)
    environment.filters["inline"] = lambda text: Markup(_inline(text))
    environment.globals["t"] = lambda label: content["labels"].get(label, label)
    environment.globals["svg"] = lambda figure: Markup(_svg(figure))
    return environment.get_template("report.html.jinja").render(content).encode()


def _inline(text: str) -> str:
    """Return a text with `code` and *emphasis* as HTML."""
    from markupsafe import escape

    coded = re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text)))
    return re.sub(r"\*([^*\s][^*]*)\*", r"<em>\1</em>", coded)


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
