# SPDX-License-Identifier: GPL-2.0-only
"""Exercises of the lesson that a notebook also asks, from notebooks/lesson/exercises.toml."""

from study import classroom
from study.base.errors import unknown
from study.base.project import in_project
from study.classroom import lesson
from study.classroom.lesson import Exercise
from study.notebooks.texts import Text

CAPTURES = classroom.FOLDER / classroom.KINDS["captures"]


def exercise(name: str) -> Exercise:
    known = {each.data["id"]: each for each in lesson.exercises()}
    if name not in known:
        raise unknown("exercise", name, known)
    return known[name]


def ask(name: str) -> Text:
    """Return an exercise's question, its material and its hint, folded. Write its capture to a file
    if it has one."""
    asked = exercise(name)
    parts = [asked.data["question"]]
    if "trace" in asked.data:
        parts.append(f"```\n{asked.trace_text().rstrip()}\n```")
    if "capture" in asked.data:
        lesson.captures(CAPTURES)
        parts.append(f"The file: `{in_project(CAPTURES / asked.data['capture'])}`.")
    if "filter" in asked.data:
        parts.append(f"The filter: `{asked.data['filter']}`")
    parts.append(f"<details><summary>Hint</summary>\n\n{asked.data['hint']}\n\n</details>")
    return Text("\n\n".join(parts))
