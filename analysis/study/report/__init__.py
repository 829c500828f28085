# SPDX-License-Identifier: GPL-2.0-only
"""The report: one document of the whole study, from results/ and the system files, or of somebody's
own systems, from fresh runs; as HTML, PDF and LaTeX.

told.py has what is told of one system, brief.py the first pages, content.py gathers what all forms
say; words.toml has the prose, report.html.jinja, report.typ and report.tex.jinja the form.
"""

from collections.abc import Collection, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from study.base.errors import StudyError
from study.base.project import BUILD, write_whole

if TYPE_CHECKING:
    from study.report.content import Byline
    from study.system.system import System

FOLDER = BUILD / "report"
FORMS = ("html", "pdf", "latex")
USUAL = ("html", "pdf")


def check_installed() -> None:
    """Raise before the work when what sets the PDF is not there: it is not part of set-up."""
    if find_spec("typst") is None:
        raise StudyError("the report needs typst: ./waf report fetches it")


def make(
    folder: Path,
    systems: "Sequence[System]" = (),
    byline: "Byline | None" = None,
    forms: Collection[str] = USUAL,
) -> list[Path]:
    """Write report.html, report.pdf and what else is asked for, all or none: of the study, or of
    these systems."""
    from study.report.content import content
    from study.report.html import html
    from study.report.latex import latex
    from study.report.pdf import pdf

    gathered = content(systems, byline)
    files: dict[Path, bytes] = {}
    if "html" in forms:
        files[folder / "report.html"] = html(gathered)
    if "pdf" in forms:
        files[folder / "report.pdf"] = pdf(gathered)
    if "latex" in forms:
        files |= {folder / name: text for name, text in latex(gathered).items()}
    write_whole(files)
    return list(files)
