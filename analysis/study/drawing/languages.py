# SPDX-License-Identifier: GPL-2.0-only
"""Translation of a figure: words from words.LANGUAGE.toml, numbers with a decimal comma. A
figure states its texts in English; they are replaced before its layout."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from study.base.errors import unknown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROOM = Path(__file__).parent
ENGLISH = "en"
# A number that is no part of a name or a version: "V2.1", "RFC 9438, 5.1" and "10.0.0.1" stay.
NUMBER = re.compile(
    r"(?<![\w.,])(?<!RFC )(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\d.]*\.\d)(?![A-Za-z])"
)
SHORT_NUMBER = 4  # digits that are not parted
MARKS = re.compile(r"\{(\w+)[^}]*\}")  # a slot of a template
WITHIN = r"(?:(?!\. ).)+?"  # what fills a slot of a phrase: no more than a sentence
SHORT = 12  # letters of its own: such a phrase joins no parts of a sentence
WITHIN_A_PART = "[^;]+?"
END = re.compile(r"(?<=[.]) (?=[A-Z])")  # between two sentences


Template = tuple[re.Pattern, Callable]  # of a text, and what makes the other of it


def languages(room: Path = ROOM) -> list[str]:
    """Return the languages that a room has words for; those of a figure by default."""
    return [ENGLISH, *sorted(path.name.split(".")[1] for path in room.glob("words.*.toml"))]


def check(language: str, room: Path = ROOM) -> None:
    """Refuse a language that a room has no words for."""
    if language not in languages(room):
        raise unknown("locale", language, languages(room))


@dataclass(frozen=True)
class Own:
    """A figure's own texts, beside the words that all figures share. `templates` has its title and
    caption in English, each with its translation, which has the same slots. `phrases` has further
    phrases with their translations."""

    templates: Mapping[str, str] = field(default_factory=dict)
    phrases: Mapping[str, str] = field(default_factory=dict)


def translate(figure: "Figure", language: str, own: Own | None = None) -> Callable[[str], str]:
    """Put every text of a figure into a language. Return what does so with the texts beside it."""
    if language == ENGLISH:
        return str
    say = _Words(language, own or Own())
    _put_on(figure, say)
    return say.sentences


def said(text: str, language: str) -> str:
    """Return a text in a language, with its numbers."""
    return text if language == ENGLISH else speaker(language, Own())(text)


def speaker(language: str, own: Own) -> Callable[[str], str]:
    """Return what puts texts into a language, with own phrases beside those of all."""
    return _Words(language, own).sentences


def numbers(text: str, language: str) -> str:
    """Return a text with its numbers as a language writes them."""
    return text if language == ENGLISH else NUMBER.sub(_number, text)


def _number(match: re.Match) -> str:
    whole, part = match[1].replace(",", ""), match[2] or ""
    if len(whole) > SHORT_NUMBER:  # as the pages write it: a point could be a decimal one
        whole = f"{int(whole):,}".replace(",", "\u202f")
    return whole + part.replace(".", ",")


class _Words:
    """The words of a language, with those of one figure."""

    def __init__(self, language: str, own: Own) -> None:
        self._names, self._ends, phrases = _read(language)
        self._own = [_compiled(*pair, slot=".+?") for pair in own.templates.items()]
        every = {**phrases, **own.phrases}
        # What has most letters of its own first: "{1} to {2}" would take every sentence.
        first = sorted(every, key=lambda each: -len(MARKS.sub("", each)))
        self._patterns = [*self._own, *(_compiled(each, every[each]) for each in first)]

    def sentences(self, text: str) -> str:
        """Return a text of several sentences: what is known as a whole, and each of the rest."""
        parts = END.split(text)
        for place in range(len(parts), 0, -1):  # a figure's own sentences, and others behind
            head = self._matched(" ".join(parts[:place]), self._own)
            if head:
                return " ".join([head, *map(self, parts[place:])])
        return " ".join(map(self, parts))

    def __call__(self, text: str) -> str:
        """Return a word or a sentence; one that is not known keeps its words."""
        if found := self._whole(text):
            return found
        for mark in ("; ", ", ", ": "):
            if mark in text:
                return mark.join(map(self, text.split(mark)))
        return NUMBER.sub(_number, text)

    def _whole(self, text: str) -> str:
        if not text.strip() or text in self._names:
            return self._names.get(text, text)
        first, _, rest = text.partition(" ")
        if first in self._ends and rest in self._names:
            return f"{self._ends[first]}: {self._names[rest]}"
        small = text[0].lower() + text[1:]
        if small in self._names:
            return self._names[small]
        return self._matched(text, self._patterns)

    def _matched(self, text: str, patterns: Sequence[Template]) -> str:
        for pattern, made in patterns:
            if found := pattern.fullmatch(text):
                return made(found, self)
        return ""


@cache
def _read(language: str) -> tuple[dict, dict, dict]:
    check(language)
    words = tomllib.loads((ROOM / f"words.{language}.toml").read_text("utf-8"))
    return words["names"], words["ends"], words["phrases"]


@cache
def _compiled(english: str, other: str, slot: str = "") -> Template:
    """Return a template as a pattern, and what makes the other of what fills its slots."""
    parts = MARKS.split(english)
    slot = slot or (WITHIN if len("".join(parts[::2])) > SHORT else WITHIN_A_PART)
    seen: set[str] = set()
    text = ""
    for place, part in enumerate(parts):
        if place % 2 == 0:
            text += re.escape(part)
        else:
            text += f"(?P=s{part})" if part in seen else f"(?P<s{part}>{slot})"
            seen.add(part)

    def made(found: re.Match, say: "_Words") -> str:
        return MARKS.sub(lambda slot: say.sentences(found[f"s{slot[1]}"]), other)

    return re.compile(text, re.DOTALL), made


def _put_on(figure: "Figure", say: "_Words") -> None:
    """Translate every text of a figure, and the numbers at its axes."""
    from matplotlib.text import Text

    figure.draw_without_rendering()  # ticks are made when they are drawn
    ticks = set()
    for axis in chain.from_iterable((axes.xaxis, axes.yaxis) for axes in figure.axes):
        axis.set_major_formatter(_formatter(axis.get_major_formatter(), say))
        ticks |= {*axis.get_ticklabels(), *axis.get_ticklabels(minor=True), axis.offsetText}
    for text in figure.findobj(Text):
        if text not in ticks and text.get_text().strip():
            text.set_text(_folded(text.get_text(), say))


def _folded(text: str, say: "_Words") -> str:
    """Return the translation of a text, in as many lines as the text has."""
    lines = text.split("\n")
    if len(lines) == 1:
        return say(text)
    made = say._whole(" ".join(lines))
    if not made:
        return "\n".join(map(say, lines))
    most = -(-len(made) // len(lines)) + 2
    return "\n".join(wrap(made, most))


def _formatter(own: object, say: "_Words") -> object:
    """Return the same ticks, in the language."""
    from matplotlib.ticker import Formatter

    class Translated(Formatter):
        def __call__(self, value: float, place: int | None = None) -> str:
            return _folded(own(value, place), say)

        def set_locs(self, places: object) -> None:
            own.set_locs(places)

        def set_axis(self, axis: object) -> None:
            super().set_axis(axis)
            own.set_axis(axis)

    return Translated()
