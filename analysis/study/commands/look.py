# SPDX-License-Identifier: GPL-2.0-only
"""The options of a figure for the place that it goes to: size, dress, font and formats."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path

import click

from study.base.errors import StudyError, unknown
from study.base.project import check_writable


def dressed(function: Callable[..., object]) -> Callable[..., object]:
    """Add the options of a figure's look, which become one Look."""

    @click.option(
        "--size",
        default="",
        metavar="SIZE",
        help="For a column, page (the default), slide (16:9) or poster, or as in 85mm or"
        " 88mm x 60mm.",
    )
    @click.option(
        "--dress",
        type=click.Choice(["light", "dark", "grey"]),
        default="light",
        help="For a light page, a dark one, or a printer without colours.",
    )
    @click.option("--font", default="", metavar="NAME", help="A font of this machine.")
    @click.option(
        "--locale",
        default="en",
        metavar="LANGUAGE",
        help="The language of words and numbers: en (the default) or de.",
    )
    @click.option("--no-title", is_flag=True, help="Without the sentence over it.")
    @click.option(
        "--as",
        "formats",
        default="svg,pdf,png,csv",
        show_default=True,
        metavar="FORMATS",
        help="Of svg, pdf, png, pgf (for LaTeX), csv, tex (a table for LaTeX, with siunitx).",
    )
    @wraps(function)
    def call(
        *systems: object,
        size: str,
        dress: str,
        font: str,
        formats: str,
        locale: str,
        no_title: bool,
        **options: object,
    ) -> object:
        look = Look.read(size, dress, font, formats, locale, not no_title)
        return function(*systems, look=look, **options)

    return call


@dataclass(frozen=True)
class Look:
    """The size, dress, font, formats and language of a figure."""

    size: str
    dress: str
    font: str
    formats: tuple[str, ...]
    locale: str
    headline: bool

    @classmethod
    def read(
        cls, size: str, dress: str, font: str, formats: str, locale: str, headline: bool
    ) -> "Look":
        """Return a checked look. Raise StudyError for an unknown size, format or language."""
        from study.drawing import languages, sizes
        from study.drawing.files import ALL

        sizes.size(size or "page")
        chosen = tuple(each.strip() for each in formats.split(","))
        for each in chosen:
            if each not in ALL:
                raise unknown("format", each, ALL)
        languages.check(locale)
        return cls(size or "page", dress, font, chosen, locale, headline)

    @property
    def options(self) -> dict[str, object]:
        """The arguments for the functions that draw, without the size."""
        names = ("dress", "font", "locale", "headline")
        return {name: getattr(self, name) for name in names}

    def stem(self, folder: Path, title: str) -> Path:
        """Return the path of the files without their suffixes."""
        size = "" if self.size == "page" else f"-{self.size.replace(' ', '')}"
        return folder / f"{title}{size}{self._suffix}"

    @property
    def _suffix(self) -> str:
        parts = (self.dress, "light"), (self.locale, "en")
        return "".join(f"-{own}" for own, usual in parts if own != usual)

    def is_file(self, target: Path) -> bool:
        """Return whether the path names one file, by its format, and not a folder. Raise StudyError
        if the file cannot be written, or --as asks for other formats."""
        from study.drawing.files import ALL, USUAL

        form = target.suffix[1:]
        if form not in ALL or target.is_dir():
            return False
        if self.formats not in (USUAL, (form,)):
            raise StudyError(f"-o {target} and --as say different formats: leave one out")
        check_writable(target)
        return True
