# SPDX-License-Identifier: GPL-2.0-only
"""The explorer's notebook as a page without code: `python -m analysis.explorer.serve`, with any
options of Voila's."""

import os
import sys
from pathlib import Path

from analysis.project import BUILD, ROOT

TEXT = ROOT / "notebooks" / "explorer" / "6-what-if-explorer.md"
HERE = Path(__file__).parent
# What draws widgets. Others that may be installed want parts of JupyterLab that a page has not got.
EXTENSIONS = (
    "anywidget",
    "@jupyter-widgets/jupyterlab-manager",
    "@voila-dashboards/widgets-manager8",
)


def working_copy(folder: Path = BUILD / "explorer") -> Path:
    """The notebook as Jupyter's programs want it, made of its text."""
    import jupytext

    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"{TEXT.stem}.ipynb"
    jupytext.write(jupytext.read(TEXT), made)
    return made


def main(options: list[str]) -> None:
    """Become Voila."""
    paths = [str(HERE), *filter(None, [os.environ.get("JUPYTER_PATH")])]
    # Its kernel starts beside the notebook and has to find the study.
    found = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["JUPYTER_PATH"] = os.pathsep.join(paths)
    os.environ["PYTHONPATH"] = os.pathsep.join(found)
    command = [sys.executable, "-m", "voila", str(working_copy()), "--template=offline"]
    command += [f"--VoilaConfiguration.extension_allowlist={name}" for name in EXTENSIONS]
    os.execv(sys.executable, [*command, *options])


if __name__ == "__main__":
    main(sys.argv[1:])
