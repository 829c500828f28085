# SPDX-License-Identifier: GPL-2.0-only
"""HTML templates, filled so that a text stays a text and a name that is not given is an error."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


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
