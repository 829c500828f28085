# SPDX-License-Identifier: GPL-2.0-only
"""The explorer as a page without code: `python -m study.explorer.serve`, with any options of
Voila's. What Voila serves is a notebook of two cells, made here; the one for a class, with
questions around it, is notebooks/6-what-if-explorer.md."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from study.base.project import BUILD, write_whole

PAGE = BUILD / "explorer" / "what-if.ipynb"
WORDS = """# What if?

Before you move anything: what would twice the window give, or a line ten times as fast? Write your
guess down, then move one slider at a time, with the mouse or with the arrow keys. A field takes any
value of its range, also where its slider has none. The command under the number gives the same
result in a terminal."""
CODE = """from study.explorer import explorer

explorer("hawking-hps1u")"""
# What draws widgets. Others that may be installed want parts of JupyterLab that a page has not got.
EXTENSIONS = (
    "anywidget",
    "@jupyter-widgets/jupyterlab-manager",
    "@voila-dashboards/widgets-manager8",
)


def page() -> Path:
    """The notebook, written anew."""
    import nbformat
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    cells = [new_markdown_cell(WORDS), new_code_cell(CODE)]
    text = nbformat.writes(new_notebook(cells=cells, metadata=kernel | {"title": "What if?"}))
    write_whole({PAGE: text.encode()})
    return PAGE


def main(options: list[str]) -> None:
    """Become Voila."""
    if find_spec("voila") is None:
        sys.exit("explore: the explorer's page needs Voila; `./waf explore` fetches it")
    paths = filter(None, [str(Path(__file__).parent), os.environ.get("JUPYTER_PATH")])
    os.environ["JUPYTER_PATH"] = os.pathsep.join(paths)
    command = [sys.executable, "-m", "voila", str(page()), "--template=offline"]
    command += [f"--VoilaConfiguration.extension_allowlist={name}" for name in EXTENSIONS]
    os.execv(sys.executable, [*command, *options])


if __name__ == "__main__":
    main(sys.argv[1:])
