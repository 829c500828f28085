# SPDX-License-Identifier: GPL-2.0-only
"""The one kind of error a user sees: a sentence that says what is wrong, what is allowed and what
to do."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class StudyError(Exception):
    """A sentence for the user. The command line prints it on one line and exits with status 2."""

    def _render_traceback_(self) -> list[str]:
        """Return the traceback that a notebook shows: the sentence alone."""
        return [str(self)]


class Refused(StudyError):
    """Error about one parameter, named as the user gave it: a Python keyword, a key of a file at
    its `place`, or, by `typed`, a flag."""

    def __init__(
        self, flag: str, said: str, name: str = "", place: str = "", short: str = ""
    ) -> None:
        self.flag, self.said, self.place, self.short = flag, said, place, short
        where = f"{place}: " if place else ""
        super().__init__(f"{where}{name or flag.replace('-', '_')}: {said}")

    def at(self, name: str, place: str) -> "Refused":
        """Return the same error about the entry `name` of a file at `place`."""
        return Refused(self.flag, self.said, name, place)

    def typed(self, arguments: Sequence[str]) -> str:
        """Return the message for the command line, with the flag's name."""
        if self.place:
            return str(self)
        given = {each.partition("=")[0] for each in arguments}
        flag = self.short if self.short and f"--{self.short}" in given else self.flag
        return f"--{flag}: {self.said}"


def unknown(what: str, given: str, known: Iterable[str]) -> StudyError:
    """Return the error for an unknown name, with similar known names, or all of them if none is
    similar."""
    names = sorted(set(known))
    near = get_close_matches(given.lower(), names, n=3, cutoff=0.5)
    if near:
        return StudyError(f"there is no {what} {given!r}; did you mean {' or '.join(near)}?")
    return StudyError(f"there is no {what} {given!r}; there are: {', '.join(names) or 'none'}")


def why(error: OSError) -> str:
    """Return the operating system's message in lower case, for the middle of a sentence."""
    return (error.strerror or str(error)).lower()
