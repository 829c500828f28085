# SPDX-License-Identifier: GPL-2.0-only
"""Material for a class: a page to try transfers on, a worksheet of exercises, its answers, and
captures to read in Wireshark.

units.toml has the page's words; page.html.jinja, page.css and the scripts have its form. The
lesson is in notebooks/lesson/. Every number comes from a run.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from study.base.project import BUILD, check_folder, check_writable, write_whole

FOLDER = BUILD / "classroom"
KINDS = {
    "page": "classroom.html",
    "player": "player.html",
    "worksheet": "worksheet.html",
    "answers": "answers.html",
    "captures": "captures",
}


def file_of(kind: str, language: str) -> str:
    """Return the file name of a kind in a language, as in worksheet.de.html."""
    stem, _, ending = KINDS[kind].partition(".")
    return KINDS[kind] if language == "en" else f"{stem}.{language}.{ending}"


def check(kind: str, target: Path) -> None:
    """Raise StudyError before any run if the target cannot be written. Make the default folder."""
    if kind == "captures":
        check_folder(target)
        return
    if target.parent == FOLDER:
        check_folder(FOLDER)
        FOLDER.mkdir(parents=True, exist_ok=True)
    check_writable(target)


def make(
    kind: str,
    target: Path,
    minutes: int | None = None,
    say: Callable[[str], None] = lambda _: None,
    own: Sequence[str] = (),
    language: str = "en",
) -> list[Path]:
    """Write one of KINDS, and return the files written. `minutes` is the length of the lesson, None
    for all exercises; `own` are the TOML files of systems for the page."""
    if kind == "page":
        from study.classroom.page import page

        text = page(say, own)
    elif kind == "player":
        from study.classroom.player_page import document

        text = document()
    else:
        from study.classroom import lesson

        if kind == "captures":
            return lesson.captures(target)
        text = lesson.document(kind, minutes, language)
    write_whole({target: text.encode()})
    return [target]
