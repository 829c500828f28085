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
    """The options for the place that a figure goes to, as one Look."""

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
        "--as",
        "formats",
        default="svg,pdf,png,csv",
        show_default=True,
        metavar="FORMATS",
        help="Of svg, pdf, png, pgf (for LaTeX), csv, tex (a table for LaTeX, with siunitx).",
    )
    @wraps(function)
    def call(
        *systems: object, size: str, dress: str, font: str, formats: str, **options: object
    ) -> object:
        return function(*systems, look=Look.read(size, dress, font, formats), **options)

    return call


@dataclass(frozen=True)
class Look:
    """For what place a figure is."""

    size: str
    dress: str
    font: str
    formats: tuple[str, ...]

    @classmethod
    def read(cls, size: str, dress: str, font: str, formats: str) -> "Look":
        from study.drawing import sizes
        from study.drawing.files import ALL

        sizes.size(size or "page")
        chosen = tuple(each.strip() for each in formats.split(","))
        for each in chosen:
            if each not in ALL:
                raise unknown("format", each, ALL)
        return cls(size or "page", dress, font, chosen)

    def stem(self, folder: Path, title: str) -> Path:
        """Of the files' names."""
        size = "" if self.size == "page" else f"-{self.size.replace(' ', '')}"
        return folder / f"{title}{size}{'' if self.dress == 'light' else f'-{self.dress}'}"

    def is_file(self, target: Path) -> bool:
        """Whether the path names one file to write, by a format, and not a folder."""
        from study.drawing.files import ALL, USUAL

        form = target.suffix[1:]
        if form not in ALL or target.is_dir():
            return False
        if self.formats not in (USUAL, (form,)):
            raise StudyError(f"-o {target} and --as say different formats: leave one out")
        check_writable(target)
        return True
