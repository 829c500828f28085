# SPDX-License-Identifier: GPL-2.0-only
"""The report: one document of the whole study, from results/ and the system files, or of somebody's
own systems, from fresh runs; as HTML, PDF and LaTeX.

system_section.py tells one system, brief.py has the first pages, content.py gathers what the report
says, translated.py puts it into another language, and outline.py puts it in order, as blocks. A
form sets them: report.html.jinja, report.typ and report.tex.jinja. words.toml has the prose.
"""

import subprocess
import sys
from collections.abc import Callable, Collection, Sequence
from importlib import invalidate_caches
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from study.base.errors import StudyError
from study.base.project import BUILD, ROOT, shown, write_whole

if TYPE_CHECKING:
    from study.report.content import Byline
    from study.system.system import System

FOLDER = BUILD / "report"
# Part of waf-tools: the set-up of `./waf report`, without its build.
SET_UP = "import sys; sys.path.insert(0, 'waf-tools'); import set_up; set_up.set_up(['report'])"
FORMS = ("html", "pdf", "latex")
USUAL = ("html", "pdf")


def fetch_typst(say: Callable[[str], object]) -> None:
    """Install Typst, which sets the PDF, if it is missing; set-up does not include it. Raise
    StudyError if this Python is not the project's, or the installation fails."""
    if find_spec("typst") is not None:
        return
    if Path(sys.prefix).resolve() != (ROOT / ".venv").resolve():
        fetch = f"pip install --require-hashes -r {shown(ROOT / 'requirements-report.lock')}"
        raise StudyError(f"the PDF needs typst: {fetch} fetches it into this Python; or --as html")
    say("the PDF needs typst, which ./waf report fetches, too:")
    done = subprocess.run([sys.executable, "-c", SET_UP], cwd=ROOT, stdout=sys.stderr)
    invalidate_caches()
    if done.returncode or find_spec("typst") is None:
        raise StudyError("typst could not be fetched; --as html makes the report without it")


def make(
    folder: Path,
    systems: "Sequence[System]" = (),
    byline: "Byline | None" = None,
    forms: Collection[str] = USUAL,
    language: str = "en",
) -> list[Path]:
    """Write report.html, report.pdf and other forms, all or none, and return their paths. Without
    `systems` the report is the study's."""
    from study.report.content import content
    from study.report.html import html
    from study.report.latex import latex
    from study.report.pdf import pdf

    gathered = content(systems, byline, language)
    files: dict[Path, bytes] = {}
    if "html" in forms:
        files[folder / "report.html"] = html(gathered)
    if "pdf" in forms:
        files[folder / "report.pdf"] = pdf(gathered)
    if "latex" in forms:
        files |= {folder / name: text for name, text in latex(gathered).items()}
    write_whole(files)
    return list(files)
