# SPDX-License-Identifier: GPL-2.0-only
"""HTML templates, filled so that a text stays a text and a name that is not given is an error; and
JSON for what they make."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


def templates(*folders: Path) -> "Environment":
    """Return the templates of the first folder, with those of the next as fallback."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def json_text(data: object) -> str:
    """Return the data as JSON without blanks."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def inline_json(data: object) -> "Markup":
    """Return the data as JSON for a script element."""
    from markupsafe import Markup

    return Markup(json_text(data).replace("<", "\\u003c"))
