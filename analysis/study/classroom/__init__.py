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
    """The name of its file in FOLDER: worksheet.de.html."""
    stem, _, ending = KINDS[kind].partition(".")
    return KINDS[kind] if language == "en" else f"{stem}.{language}.{ending}"


def check(kind: str, target: Path) -> None:
    """Raise before the runs what writing after them would raise; our own folder is made."""
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
    """Make one of KINDS at that place, the exercises of the lesson that long or all, in that
    language, the page with these systems of one's own; the files written."""
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
