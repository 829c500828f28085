# SPDX-License-Identifier: GPL-2.0-only
"""Figures of the study: one module each, named after its file, with one function draw() ->
Drawing. The module's first words say what the figure shows. SYSTEM, or a tuple SYSTEMS, names
the systems that it is about."""

import tomllib
from pathlib import Path
from xml.etree import ElementTree

from study.base.found import Found
from study.catalogue import systems
from study.drawing.dress import check_font, put_on
from study.drawing.languages import ENGLISH, Own, check
from study.drawing.style import Drawing, drawn

FIGURES = Found(__name__, __file__)
ROOM = Path(__file__).parent
DC = "{http://purl.org/dc/elements/1.1/}"


def draw(
    name: str,
    size: str = "page",
    dress: str = "light",
    font: str = "",
    locale: str = ENGLISH,
    headline: bool = True,
) -> Drawing:
    """Draw one figure in the house style, in the dress, the font and the language of the place it
    goes to, with the sentence over it or without."""
    if font:
        check_font(font)
    module = FIGURES.module(name)
    drawing = drawn(module.draw, size, font, locale, headline, _own_words(name, locale))
    put_on(drawing.figure, dress)
    return drawing


def _own_words(name: str, locale: str) -> Own:
    """Return a figure's title and caption as templates, with their translation, and its other
    words."""
    if locale == ENGLISH:
        return Own()
    check(locale)
    words = tomllib.loads((ROOM / f"words.{locale}.toml").read_text("utf-8"))
    module, told = FIGURES.module(name), words.get(name, {})
    kinds = {each: getattr(module, each.upper(), "") for each in ("title", "caption")}
    own = {text: told[each] for each, text in kinds.items() if text and each in told}
    return Own(own, words["words"])


def systems_of(name: str) -> tuple[str, ...]:
    """The systems that it is about, as its module says in SYSTEM or SYSTEMS; none for a figure of
    the whole study."""
    module = FIGURES.module(name)
    return getattr(module, "SYSTEMS", None) or tuple(filter(None, [getattr(module, "SYSTEM", "")]))


def placed() -> dict[str, list[str]]:
    """Return the names of the figures by the first system that they are about; under "" those of
    the whole study."""
    found: dict[str, list[str]] = {name: [] for name in ["", *systems]}
    for name in FIGURES:
        found[next(iter(systems_of(name)), "")].append(name)
    return found


def questions() -> dict[str, list[str]]:
    """Return the gallery's questions, each with the names of the figures that answer it."""
    return tomllib.loads((ROOM / "questions.toml").read_text("utf-8"))


def told(svg: str) -> dict[str, str]:
    """Return the caption and the title that a figure's file has, from its text."""
    found = ElementTree.fromstring(svg)
    names = {"caption": "description", "title": "title"}
    return {name: found.findtext(f".//{DC}{each}") or "" for name, each in names.items()}


def caption(svg: str) -> str:
    """Return the caption alone."""
    return told(svg)["caption"]
