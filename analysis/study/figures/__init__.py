# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the study: one module each, named after its file, with one function draw() ->
Drawing. The module's first words say what the figure shows; SYSTEM, or a tuple SYSTEMS, whom it is
about."""

from xml.etree import ElementTree

from study.base.found import Found
from study.catalogue import systems
from study.drawing.dress import check_font, put_on
from study.drawing.style import Drawing, drawn

FIGURES = Found(__name__, __file__)
DC = "{http://purl.org/dc/elements/1.1/}"


def draw(name: str, size: str = "page", dress: str = "light", font: str = "") -> Drawing:
    """Draw one figure in the house style, in the dress and the font of the place it goes to."""
    if font:
        check_font(font)
    drawing = drawn(FIGURES.module(name).draw, size, font)
    put_on(drawing.figure, dress)
    return drawing


def systems_of(name: str) -> tuple[str, ...]:
    """The systems that it is about, as its module says in SYSTEM or SYSTEMS; none for a figure of
    the whole study."""
    module = FIGURES.module(name)
    return getattr(module, "SYSTEMS", None) or tuple(filter(None, [getattr(module, "SYSTEM", "")]))


def placed() -> dict[str, list[str]]:
    """The names of the figures by the first system that they are about; under "" those of the whole
    study."""
    found: dict[str, list[str]] = {name: [] for name in ["", *systems]}
    for name in FIGURES:
        found[next(iter(systems_of(name)), "")].append(name)
    return found


def told(svg: str) -> dict[str, str]:
    """The caption and the title that a figure's file has, from its text."""
    found = ElementTree.fromstring(svg)
    names = {"caption": "description", "title": "title"}
    return {name: found.findtext(f".//{DC}{each}") or "" for name, each in names.items()}


def caption(svg: str) -> str:
    """The caption alone."""
    return told(svg)["caption"]
