# SPDX-License-Identifier: GPL-2.0-only
"""The teacher's worksheets as they are printed: each page is filled, and nothing falls off one."""

import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from study.classroom import lesson

from tests.browser import visit

PDFTOPPM, PDFTOTEXT = shutil.which("pdftoppm"), shutil.which("pdftotext")
MARGIN = 18 / 297  # of @page
INK = 200  # darker is ink
THIRD = 1 / 3

pytestmark = pytest.mark.skipif(not (PDFTOPPM and PDFTOTEXT), reason="poppler is not installed")


def printed(browser: Any, kind: str, minutes: int | None, language: str, folder: Path) -> Path:
    page, pdf = folder / "worksheet.html", folder / "worksheet.pdf"
    page.write_text(lesson.document(kind, minutes, language), encoding="utf-8")
    with visit(browser, page.as_uri()) as seen:
        seen.page.wait_for_selector(".page")
        seen.page.pdf(path=pdf, prefer_css_page_size=True)
    assert seen.said == []
    return pdf


def emptiest(picture: Path) -> float:
    """The largest part of a page, from margin to margin, on which there is nothing."""
    _, size, _, grey = picture.read_bytes().split(b"\n", 3)
    width, height = map(int, size.split())
    rows = [row for row in range(height) if min(grey[row * width : (row + 1) * width]) < INK]
    edges = [MARGIN * height, *rows, (1 - MARGIN) * height]
    return max(below - above for above, below in pairwise(edges)) / height


@pytest.mark.parametrize(
    ("minutes", "language"), [(None, "en"), (45, "en"), (60, "en"), (90, "en"), (None, "de")]
)
@pytest.mark.parametrize("kind", ["worksheet", "answers"])
def test_no_page_of_a_sheet_is_more_than_a_third_empty(
    browser: Any, program: Path, tmp_path: Path, kind: str, minutes: int | None, language: str
):
    pdf = printed(browser, kind, minutes, language, tmp_path)
    assert PDFTOPPM and PDFTOTEXT
    subprocess.run([PDFTOPPM, "-r", "30", "-gray", pdf, tmp_path / "page"], check=True)
    empty = {path.name: emptiest(path) for path in sorted(tmp_path.glob("page*.pgm"))}
    assert len(empty) > 1 and max(empty.values()) < THIRD, empty
    done = subprocess.run([PDFTOTEXT, "-layout", pdf, "-"], capture_output=True, text=True)
    for each in lesson.exercises():
        times = 2 if kind == "worksheet" else 1
        wanted = minutes is None or minutes in each.data["lesson"]
        assert done.stdout.count(f" {each.data['id']} ") == (times if wanted else 0), each.data
