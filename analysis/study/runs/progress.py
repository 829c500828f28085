# SPDX-License-Identifier: GPL-2.0-only
"""Progress of a long call, shown in a terminal and in a notebook, but not in a pipe."""

import sys
import warnings
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from typing import Protocol

# While it is true no progress is shown: somebody else shows it, of many such calls.
quiet: ContextVar[bool] = ContextVar("quiet", default=False)
PATIENCE_S = 1.0  # in which nobody asks how long it takes
# The metadata of such an output.
FOR_THOSE_WHO_WAIT = {"study": {"progress": True}}


def shows_progress(wanted: bool | None) -> bool:
    """As asked for; otherwise in a terminal and in a notebook, and not in a pipe."""
    if wanted is None:
        return not quiet.get() and (sys.stderr.isatty() or _is_notebook())
    return wanted


def tell(*lines: str) -> None:
    """Say what happened to whoever waits: on stderr, which JupyterLab would colour as an error; so
    in a notebook as an output of its own, marked as one that a published page leaves out."""
    if not _is_notebook():
        print(*lines, sep="\n", file=sys.stderr)
        return
    from IPython.display import display

    display({"text/plain": "\n".join(lines)}, raw=True, metadata=FOR_THOSE_WHO_WAIT)


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and hasattr(shell, "kernel")


class Bar(Protocol):
    """What shows how many points are done, while it is open."""

    def update(self, count: float) -> object: ...


class _Silent:
    """Nobody looks."""

    def update(self, count: float) -> None:
        pass


def bar(
    doing: str, total: float, done: int, progress: bool | None, **own: object
) -> AbstractContextManager[Bar]:
    """In a notebook a widget, in a terminal a line that goes when it is done, else nothing. What it
    has of its `own` is tqdm's."""
    if not shows_progress(progress):
        return nullcontext(_Silent())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a notebook without widgets, which has a line then
        from tqdm.auto import tqdm

    look = {"desc": doing, "unit": "point", "leave": False, "smoothing": 0.1, "file": sys.stderr}
    return tqdm(total=total, initial=done, **look | own)
