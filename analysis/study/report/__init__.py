# SPDX-License-Identifier: GPL-2.0-only
"""The report: one document of the whole study as HTML and PDF, from results/ and the system files.

content.py gathers what both say; words.toml has the prose, report.html.jinja and report.typ the
form.
"""

from importlib.util import find_spec
from pathlib import Path

from study.base.errors import StudyError
from study.base.project import BUILD, write_whole

FOLDER = BUILD / "report"


def check_installed() -> None:
    """Raise before the work when what sets the PDF is not there: it is not part of set-up."""
    if find_spec("typst") is None:
        raise StudyError("the report needs typst: ./waf report fetches it")


def make(folder: Path) -> list[Path]:
    """Write report.html and report.pdf, both or neither."""
    from study.report.content import content
    from study.report.html import html
    from study.report.pdf import pdf

    gathered = content()
    files = {folder / "report.html": html(gathered), folder / "report.pdf": pdf(gathered)}
    write_whole(files)
    return list(files)
