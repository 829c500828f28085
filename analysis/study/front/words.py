# SPDX-License-Identifier: GPL-2.0-only
"""Words of the pages, one file a language: templates state them in English, with marks by which
words.js replaces them."""

import html
import json
import re
import tomllib
from decimal import ROUND_HALF_UP, Context
from functools import cache
from pathlib import Path
from typing import Any

from study.base.project import scenarios
from study.drawing.languages import said
from study.kit.scenario import judges, plans
from study.programs.declaration import all_limits, declaration
from study.programs.labels import spelt

FOLDER = Path(__file__).parent
ENGLISH = "en"
LIMITS = {ENGLISH: "plain", "de": "german"}  # the words of a limit in each language


@cache  # a page asks for each of its words, and the declarations are of the process, too
def read() -> dict[str, dict[str, str]]:
    """Return the texts by language, and by key, which is ROOM.NAME; English first.

    The names of limits come from their declaration, the names of parameters from the figures'
    words. Callers share the returned dict and must not change it."""
    labels = _labels()
    files = sorted(FOLDER.glob("words.*.json"), key=lambda each: ENGLISH not in each.name)
    found = {}
    for file in files:
        language = file.name.split(".")[1]
        texts = json.loads(file.read_text(encoding="utf-8"))
        for name, limit in all_limits().items():
            texts[f"limits.{name}"] = getattr(limit, LIMITS[language])
        found[language] = texts | {f"names.{label}": said(label, language) for label in labels}
    return found


@cache
def declared() -> dict[str, dict[str, dict[str, str]]]:
    """Return for each language the systems' titles by name, and by the English the measured
    quantities and what parameters mean. English has none of them."""
    files = {language: FOLDER / f"declared.{language}.toml" for language in LIMITS}
    none = {"titles": {}, "quantities": {}, "helps": {}}
    return {
        language: tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else none
        for language, file in files.items()
    }


def embedded() -> dict[str, dict[str, str]]:
    """Return the words that a page contains: without the names that are said as they are given."""
    return {
        language: {key: text for key, text in texts.items() if key != f"names.{text}"}
        for language, texts in read().items()
    }


def _labels() -> list[str]:
    """Return the names of all parameters, of each plan's parts, figure and note on its formula, and
    of a scenario's ends."""
    found = {spelt(key) for name in scenarios() for key in declaration(name).parameters}
    for name, plan in plans().items():
        found |= {plan.figure.name, plan.paper_note, *judges(name).ends}
        found |= {section.title for section in plan.sections}
    return sorted(found)


def text(key: str, *values: object) -> str:
    """Return what a key says in English, with {1}, {2} ... filled."""
    said = read()[ENGLISH][key]
    return re.sub(r"\{(\d)\}", lambda found: str(values[int(found[1]) - 1]), said)


def element(key: str, *values: object) -> Any:
    """Return the same in an element that words.js finds."""
    from markupsafe import Markup

    return Markup("<span{}>{}</span>").format(mark(key, *values), marked_up(text(key, *values)))


def mark(key: str, *values: object, of: str = "say") -> Any:
    """Return the attributes by which words.js finds an element; `of` is "say-label" for an
    aria-label, which is then written, too."""
    from markupsafe import Markup

    attributes = {f"data-{of}": key}
    if values:
        attributes["data-values"] = json.dumps([str(value) for value in values])
    if of == "say-label":
        attributes["aria-label"] = text(key, *values)
    return Markup("".join(f' {name}="{html.escape(said)}"' for name, said in attributes.items()))


def number(value: float) -> str:
    """Return the number as the pages' scripts write it, with halves rounded up."""
    digits = Context(prec=3 if value < 1000 else 4, rounding=ROUND_HALF_UP)
    return f"{float(digits.create_decimal(value)):,.10g}"


GLOBALS = {"say": element, "said": mark, "words_of": text}  # of a template


def marked_up(said: str) -> Any:
    """With `code` and *stress* as elements."""
    from markupsafe import Markup, escape

    coded = re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(said)))
    return Markup(re.sub(r"\*([^*\s][^*]*)\*", r"<em>\1</em>", coded))
