# SPDX-License-Identifier: GPL-2.0-only
"""Translation of a report: what this package says of the systems, by words.LANGUAGE.toml and the
words of the figures. What the systems' files say (titles, quantities, sources) stays as it is."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

from study.base.project import read_text
from study.drawing.languages import ENGLISH, Own, numbers, speaker

ROOM = Path(__file__).parent
NAME = re.compile("[A-Za-z -]+")  # a parameter's name without a value
FILLED = ("question", "found", "changing", "trust")
CELLS = ("measured", "simulated", "closed_form", "residual")
KINDS = ("used_as", "basis", "residual")  # a residual may be "inside"
Say = Callable[[str], str]


def translated(content: dict, language: str) -> dict:
    """Return the content in a language, with the translations of the forms' labels."""
    if language == ENGLISH:
        return content | {"language": language, "labels": {}}
    told = tomllib.loads(read_text(ROOM / f"words.{language}.toml"))
    say = speaker(language, Own(phrases=told["phrases"]))
    prose = told["prose"]
    is_titled = content["words"]["title"] != content["usual_title"]
    own = {"title": content["words"]["title"]} if is_titled else {}
    question = prose["own_question" if content["is_own"] else "question"]
    return content | {
        "language": language,
        "labels": told["labels"],
        "words": prose | own,
        **{key: [say(line) for line in content[key]] for key in FILLED},
        "question": [say(content["question"][0]), *question],
        "table": [_line(row, say, language) for row in content["table"]],
        "systems": [_system(system, say, language) for system in content["systems"]],
        "hosts": [_parameters(host, say) for host in content["hosts"]],
    }


def change(text: str, say: Say) -> str:
    """Return a change of parameters: "receive window 2920 B -> 5840 B"."""
    return ", ".join(_part(part, say) for part in re.split(r", (?:with )?", text))


def _part(text: str, say: Say) -> str:
    """Return a translated part. Its name is the longest beginning with a translation."""
    none, own = ("ohne ", text[3:]) if text.startswith("no ") else ("", text)
    words = own.replace("->", "→").split(" ")
    for count in range(len(words), 0, -1) if words[0] != "and" else ():  # "and 3 more"
        name = " ".join(words[:count])
        if NAME.fullmatch(name) and say(name) != name:
            return f"{none}{say(name)} {say(' '.join(words[count:]))}".strip()
    return say(text)


def _line(row: dict, say: Say, language: str) -> dict:
    what, mark, worth = row["best"].rpartition(": ")
    best = f"{change(what, say)}: {say(worth)}" if mark else say(worth)
    cells = row["row"] and _cells(row["row"], say, language)
    return row | {"row": cells, "limit": say(row["limit"]), "best": best}


def _cells(row: dict, say: Say, language: str) -> dict:
    made = row | {key: numbers(row[key], language) for key in CELLS if row.get(key)}
    return made | {key: say(made[key]) for key in KINDS if made.get(key)}


def _system(system: dict, say: Say, language: str) -> dict:
    return _parameters(system, say) | {
        **{key: [_change(row, say) for row in system[key]] for key in ("changes", "worse")},
        "why": say(system["why"]),
        "nothing": [change(text, say) for text in system["nothing"]],
        "agrees": say(system["agrees"]),
        "rows": [_cells(row, say, language) for row in system["rows"]],
    }


def _change(row: dict, say: Say) -> dict:
    return {
        **row,
        "words": change(row["words"], say),
        **{key: say(row[key]) for key in ("after", "worth")},
    }


def _parameters(file: dict, say: Say) -> dict:
    groups = [
        {
            "group": say(group["group"]),
            "rows": [row | {"basis": say(row["basis"])} for row in group["rows"]],
        }
        for group in file["parameters"]
    ]
    return file | {"about": say(file["about"]), "parameters": groups}
