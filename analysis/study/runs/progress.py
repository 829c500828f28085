# SPDX-License-Identifier: GPL-2.0-only
"""Progress of a long call, shown in a terminal and in a notebook, but not in a pipe."""

import sys
import warnings
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from typing import Protocol

# While True no progress is shown: the caller shows that of many such calls.
quiet: ContextVar[bool] = ContextVar("quiet", default=False)
PATIENCE_S = 1.0  # a call shorter than this needs no progress bar
# Metadata of progress output.
FOR_THOSE_WHO_WAIT = {"study": {"progress": True}}


def shows_progress(wanted: bool | None) -> bool:
    """Return whether to show progress: `wanted`, by default in a terminal or a notebook."""
    if wanted is None:
        return not quiet.get() and (sys.stderr.isatty() or _is_notebook())
    return wanted


def tell(*lines: str) -> None:
    """Print lines on progress. They go to stderr; in a notebook, where JupyterLab would colour that
    as an error, they are an output that published pages omit."""
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
    """A progress bar, open as a context manager."""

    def update(self, count: float) -> object: ...


class _Silent:
    """A bar that shows nothing."""

    def update(self, count: float) -> None:
        pass


def bar(
    doing: str, total: float, done: int, progress: bool | None, **own: object
) -> AbstractContextManager[Bar]:
    """Return a progress bar: a widget in a notebook, a temporary line in a terminal, otherwise
    none. `own` are tqdm's options."""
    if not shows_progress(progress):
        return nullcontext(_Silent())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a notebook without widgets, which then shows a line
        from tqdm.auto import tqdm

    look = {"desc": doing, "unit": "point", "leave": False, "smoothing": 0.1, "file": sys.stderr}
    return tqdm(total=total, initial=done, **look | own)
