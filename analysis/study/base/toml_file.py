# SPDX-License-Identifier: GPL-2.0-only
"""A TOML file of the user's, and the line that an error is about."""

import math
import re
import reprlib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from study.base import read_once
from study.base.errors import StudyError, unknown, why
from study.base.project import read_bounded, shown

Kinds = Mapping[str, tuple[type, ...]]
Kind = TypeVar("Kind")
NAMES = {str: "text", int: "number", float: "number", bool: "true or false"}
NAMES |= {list: "list", dict: "table"}
# Shortens a nested table in an error message to about one line.
BRIEF = reprlib.Repr()
BRIEF.maxlevel, BRIEF.maxstring, BRIEF.maxother, BRIEF.maxlong = 3, 200, 200, 200
MOST_B = 1_000_000  # of a file; the largest of the study has about 10 kB
LARGEST = 2**63  # TOML 1.0, "Integer": 64 bits with a sign
DIGITS = re.compile(r"[=\[,]\s*[+-]?[0-9][0-9_]{18,}")  # a number that could be out of range
# A key or a table at a line's beginning, and a text after an equals sign.
NAMED = re.compile(
    r"""^\s*\[*\s*["']?(?P<key>[^\s"'=\].\[]+)["']?(?=\s*[=\].])|=\s*(["'])(?P<text>.*?)\2"""
)
NUL = re.compile(r"\\u0000|\\U00000000")  # TOML allows NUL in a text only by these escapes


class TomlFile:
    """The content of a TOML file, and errors that name its path, line and key."""

    def __init__(self, path: Path) -> None:
        self.shown, self.text = shown(path), ""
        read_once.uses(path)
        try:
            # An editor's byte-order mark is no part of the text.
            self.text = read_bounded(path, MOST_B).decode("utf-8-sig")
            self.content = tomllib.loads(self.text)
        except OSError as error:
            raise StudyError(f"cannot read {path}: {why(error)}") from error
        except UnicodeDecodeError as error:
            raise StudyError(
                f"cannot read {self.shown}: it is not UTF-8 text (byte {error.start})"
            ) from error
        except tomllib.TOMLDecodeError as error:
            raise self._syntax(str(error)) from error
        except ValueError as error:  # more digits than Python reads
            raise self._too_large() from error
        except RecursionError as error:
            raise StudyError(
                f"cannot read {self.shown}: its tables or lists are nested too deep;"
                " a file like it has three levels"
            ) from error

        self._check_values(self.content)

    def _check_values(self, value: object) -> None:
        """Refuse integers out of TOML's range and NUL characters. Iterate, since a key of many
        parts nests deeper than Python's recursion limit."""
        rest = [value]
        while rest:
            each = rest.pop()
            if isinstance(each, dict | list):
                rest += each.values() if isinstance(each, dict) else each
            elif isinstance(each, int) and not -LARGEST <= each < LARGEST:
                raise self._too_large()
            elif isinstance(each, str) and "\0" in each:
                raise StudyError(f"{self._first(NUL)}: a text has a NUL character; leave it out")

    def _too_large(self) -> StudyError:
        limits = f"-{LARGEST} to {LARGEST - 1}"
        return StudyError(f"{self._first(DIGITS)}: a whole number is out of range; give {limits}")

    def _first(self, pattern: re.Pattern[str]) -> str:
        """Return the file and the line of the pattern's first match."""
        found = pattern.search(self.text)
        return (
            f"{self.shown}:{self.text.count(chr(10), 0, found.start()) + 1}"
            if found
            else self.shown
        )

    def _syntax(self, message: str) -> StudyError:
        at = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)", message)
        line = int(at[1]) if at and at[1] else len(self.text.splitlines())
        what = message.replace(at[0], "") if at else message
        return StudyError(f"{self.shown}:{line}: not TOML: {' '.join(what.split())}")

    def place(self, key: str | None = None) -> str:
        """Return the file and the first line that sets `key`, begins it as a table or has that
        text."""
        at = self._lines.get(key) if key else None
        line = f":{at}" if at else ""
        return f"{self.shown}{line}"

    @cached_property
    def _lines(self) -> dict[str, int]:
        """The first line of each key, table and text."""
        found: dict[str, int] = {}
        for number, line in enumerate(self.text.split("\n"), 1):
            for each in NAMED.finditer(line):
                found.setdefault(each["key"] or each["text"], number)
        return found

    def error(self, message: str, key: str | None = None) -> StudyError:
        """Return an error with the message, located at that key."""
        return StudyError(f"{self.place(key)}: {message}")

    def entries(self, tables: Mapping[str, type], required: tuple[str, ...]) -> dict[str, Any]:
        """Return the top-level entries, after checking that each is known and has its type. Raise
        StudyError if an entry is unknown, missing or of a wrong type."""
        for key in self.content:
            if key not in tables:
                raise self.error(str(unknown("entry", key, tables)), key)
        for key in required:
            if key not in self.content:
                raise self.error(f'has no {key}; give one: {key} = "..."')
        return {key: self.typed(self.content, key, tables[key]) for key in self.content}

    def check(self, table: dict, kinds: Kinds, key: str, part: str = "") -> None:
        """Raise StudyError for an unknown entry or a wrong type in the table at `key`, or in a
        `part` of it."""
        for name in table:
            if name not in kinds:
                raise self.error(f"{key}{part}: {unknown('entry', name, kinds)}", key)
            self.typed(table, name, *kinds[name], at=key)

    def typed(self, table: dict, key: str, *kinds: type, at: str = "") -> Any:
        """Return the entry at `key`, after checking its type. A boolean is no number; nan and inf
        are refused."""
        value = table[key]
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        fits = isinstance(value, kinds) and (not isinstance(value, bool) or bool in kinds)
        if not fits or (is_number and not math.isfinite(value)):
            wanted = " or ".join(dict.fromkeys(NAMES[kind] for kind in kinds))
            where = f"{at}: " if at else ""
            raise self.error(f"{where}{key} = {BRIEF.repr(value)} has to be a {wanted}", at or key)
        return value


class TomlFiles(Mapping[str, Kind]):
    """The TOML files of a folder by name; a path to a .toml file is accepted as well. `load` reads
    a file, again only after it has changed. Files of the folder `beside` are found by name, but not
    iterated over."""

    def __init__(
        self, what: str, folder: Path, load: Callable[[Path], Kind], beside: Path | None = None
    ) -> None:
        self._what, self._folder, self._load = what, folder, read_once.kept(load)
        self.beside = _names(beside) if beside else []
        self._beside = beside

    def __getitem__(self, name: str) -> Kind:
        if name.endswith(".toml"):
            return self._load(Path(name))
        if name in self.beside:
            return self._load(self._beside / f"{name}.toml")
        if name not in list(self):
            raise unknown(self._what, name, [*self, *self.beside])
        return self._load(self._folder / f"{name}.toml")

    def __iter__(self) -> Iterator[str]:
        return iter(_names(self._folder))

    def __len__(self) -> int:
        return len(list(iter(self)))


def _names(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.toml"))
