# SPDX-License-Identifier: GPL-2.0-only
"""The one kind of error a user sees: a sentence that says what is wrong, what is allowed and what
to do."""

from collections.abc import Iterable
from difflib import get_close_matches


class StudyError(Exception):
    """A sentence for the user. The command line prints it on one line and exits with status 2."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows of it: the sentence without the calls that led there."""
        return [str(self)]


def unknown(what: str, given: str, known: Iterable[str]) -> StudyError:
    """The error for a name that is not among the known ones: names the near ones, or all when none
    is near."""
    names = sorted(set(known))
    near = get_close_matches(given.lower(), names, n=3, cutoff=0.5)
    if near:
        return StudyError(f"there is no {what} {given!r}; did you mean {' or '.join(near)}?")
    return StudyError(f"there is no {what} {given!r}; there are: {', '.join(names) or 'none'}")


def why(error: OSError) -> str:
    """What the system says of it, in the middle of a sentence."""
    return (error.strerror or str(error)).lower()
