# SPDX-License-Identifier: GPL-2.0-only
"""Dresses of a finished figure: light, dark, or grey for a printer without colours. Each colour
of the figure is replaced, so a figure states its colours once."""

import colorsys
from collections.abc import Callable

from study.base.errors import StudyError, unknown
from study.drawing.style import Figure

Colour = tuple[float, float, float, float]
DARK = (0.09, 0.09, 0.11, 1.0)  # the page
PALE = 0.93  # what black becomes on it


def dark(colour: Colour) -> Colour:
    """Greys change places with their opposites, colours become light enough to be seen."""
    red, green, blue, alpha = colour
    hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    if saturation < 0.1 or light in (0.0, 1.0):
        span = PALE - DARK[0]
        return (*(DARK[0] + (1 - light) * span,) * 3, alpha)
    return (*colorsys.hls_to_rgb(hue, max(light, 0.55), saturation), alpha)


def grey(colour: Colour) -> Colour:
    """As bright as it looks."""
    red, green, blue, alpha = colour
    return (*(0.299 * red + 0.587 * green + 0.114 * blue,) * 3, alpha)


DRESSES: dict[str, Callable[[Colour], Colour] | None] = {"light": None, "dark": dark, "grey": grey}
ONE = ("color", "markerfacecolor", "markeredgecolor")  # one colour each
MANY = ("facecolor", "edgecolor")  # one, or of a collection several


def put_on(figure: Figure, name: str) -> None:
    """Every colour of it, the page's too."""
    if name not in DRESSES:
        raise unknown("dress", name, DRESSES)
    turn = DRESSES[name]
    if turn is None:
        return
    figure.draw_without_rendering()  # ticks are made when they are drawn
    seen: set[int] = set()
    for artist in [*figure.findobj(), figure.patch]:
        for each in (artist, getattr(artist, "arrow_patch", None), _box(artist)):
            if each is not None and id(each) not in seen:
                seen.add(id(each))
                _turn(each, turn)
    for axes in figure.axes:  # those that a later drawing makes
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_tick_params(which="both", color=_turned("black", turn))


def _box(artist: object) -> object:
    return artist.get_bbox_patch() if hasattr(artist, "get_bbox_patch") else None


def _turn(artist: object, turn: Callable[[Colour], Colour]) -> None:
    from matplotlib.collections import Collection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.text import Text

    names = ONE if isinstance(artist, (Line2D, Text)) else MANY
    if not isinstance(artist, (Line2D, Text, Patch, Collection)):
        return
    # All are read before one is set: a marker's may follow its line's.
    own = {
        name: getattr(artist, f"get_{name}")() for name in names if hasattr(artist, f"get_{name}")
    }
    if isinstance(artist, Collection) and artist.get_array() is not None:
        artist.set_array(None)  # or what is not filled would be, in the colour of its level
    for name, colours in own.items():
        getattr(artist, f"set_{name}")(_turned(colours, turn))


def _turned(colours: object, turn: Callable[[Colour], Colour]) -> object:
    """Return one colour or several in this dress; "none" and those that follow another stay."""
    from matplotlib.colors import to_rgba, to_rgba_array

    if isinstance(colours, str) and colours in ("none", "auto", "face"):
        return colours
    try:
        one = to_rgba(colours)
    except (ValueError, TypeError):
        return [turn(tuple(each)) for each in to_rgba_array(colours)] or "none"
    return turn(one)


def check_font(name: str) -> None:
    """Refuse one that this machine has not: matplotlib would take another without a word."""
    from matplotlib import font_manager

    families = {entry.name for entry in font_manager.fontManager.ttflist}
    if name not in families:
        raise StudyError(f"font: {unknown('font', name, sorted(families))}")
