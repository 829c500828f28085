# SPDX-License-Identifier: GPL-2.0-only
"""The explorer's notebook as a page without code: `python -m analysis.explorer.serve`, with any
options of Voila's."""

import os
import sys
from pathlib import Path

from analysis.project import ROOT

NOTEBOOK = ROOT / "notebooks" / "6-what-if-explorer.ipynb"
HERE = Path(__file__).parent
# What draws widgets. Others that may be installed want parts of JupyterLab that a page has not got.
EXTENSIONS = (
    "anywidget",
    "@jupyter-widgets/jupyterlab-manager",
    "@voila-dashboards/widgets-manager8",
)


def main(options: list[str]) -> None:
    """Become Voila."""
    paths = [str(HERE), *filter(None, [os.environ.get("JUPYTER_PATH")])]
    # Its kernel starts beside the notebook and has to find the study.
    found = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["JUPYTER_PATH"] = os.pathsep.join(paths)
    os.environ["PYTHONPATH"] = os.pathsep.join(found)
    command = [sys.executable, "-m", "voila", str(NOTEBOOK), "--template=offline"]
    command += [f"--VoilaConfiguration.extension_allowlist={name}" for name in EXTENSIONS]
    os.execv(sys.executable, [*command, *options])


if __name__ == "__main__":
    main(sys.argv[1:])
