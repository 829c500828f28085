# SPDX-License-Identifier: GPL-2.0-only
"""House style and parts that several figures share. Figures that can be drawn of any system are
in kinds/."""

from collections.abc import Iterable
from dataclasses import replace
from inspect import signature
from types import ModuleType

from study.base.errors import StudyError
from study.base.found import Found
from study.drawing import kinds
from study.drawing.beside_capture import Captured
from study.drawing.flow import BEGINNING, Span
from study.drawing.style import Drawing, drawn
from study.system.system import System

KINDS = Found(kinds.__name__, kinds.__file__)
OF_A_STRETCH = "--from or --to", "is not drawn of a part of a job"


def draw(
    kind: str,
    system: System,
    span: Span,
    size: str = "page",
    captured: Captured | None = None,
    dress: str = "light",
    font: str = "",
    before: System | None = None,
    locale: str = "en",
    headline: bool = True,
    **lists: object,
) -> Drawing:
    """Draw a system in the house style; beside a capture, if the kind can be; over lists of values
    (`vary`, `by`) and of a number of its own (`y`), if it is drawn over any. The caption says where
    a change, of what the system is without it (`before`), rests on no model."""
    from study.drawing.dress import check_font, put_on

    module = KINDS.module(kind)
    given = {name: each for name, each in lists.items() if each}
    if span != BEGINNING:
        given["span"] = span
    _check(kind, given)
    if font:
        check_font(font)
    look = size, font, locale, headline
    if captured is None:
        drawing = drawn(lambda: module.draw(system, **given), *look)
    elif not hasattr(module, "beside"):
        can = [name for name in KINDS if hasattr(KINDS.module(name), "beside")]
        raise StudyError(f"--capture: {kind} has one side; {' and '.join(can)} have two")
    else:
        drawing = drawn(lambda: module.beside(system, span, captured), *look)
    put_on(drawing.figure, dress)
    varied = _varied(module, system, given)
    if why := system.rests_on_no_model(before or replace(system, changes={}), varied):
        return replace(drawing, caption=f"{drawing.caption} {why}.")
    return drawing


def _varied(module: ModuleType, system: System, lists: dict[str, object]) -> list[str]:
    """Return what a figure is drawn over, also unasked."""
    from study.drawing.lists import around

    asked = lists.get("vary") or (around(system, module.AXES) if hasattr(module, "AXES") else ())
    return [*asked, *lists.get("by", ())]


def _check(kind: str, given: Iterable[str]) -> None:
    """Refuse a stretch of time or a list that the kind takes no notice of."""
    for name in given:
        can = [each for each in KINDS if name in signature(KINDS.module(each).draw).parameters]
        if kind not in can:
            flag, why = OF_A_STRETCH if name == "span" else (f"--{name}", "is not drawn over lists")
            raise StudyError(f"{flag}: {kind} {why}; {' and '.join(can)}: so")
