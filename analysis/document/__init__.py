# SPDX-License-Identifier: GPL-2.0-only
"""The report: one document of the whole study as HTML and PDF, from results/ and the system files.

content.py gathers what both say; words.toml has the prose, report.html.jinja and report.typ the
form.
"""

from importlib.util import find_spec
from pathlib import Path

from analysis.errors import StudyError
from analysis.project import BUILD, write_whole

FOLDER = BUILD / "report"
NEEDED = ("jinja2", "typst")


def check_installed() -> None:
    """Raise before the work when what it needs is not there: it is not part of set-up."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise StudyError(f"the report needs {' and '.join(missing)}: ./waf report fetches them")


def make(folder: Path) -> list[Path]:
    """Write report.html and report.pdf, both or neither."""
    from analysis.document.content import content
    from analysis.document.html import html
    from analysis.document.pdf import pdf

    gathered = content()
    files = {folder / "report.html": html(gathered), folder / "report.pdf": pdf(gathered)}
    write_whole(files)
    return list(files)
