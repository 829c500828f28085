# SPDX-License-Identifier: GPL-2.0-only
"""Claims about what is written for LaTeX: it can be set, where LaTeX is installed."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from study import report, systems
from study.kit.systems import load
from study.report.content import Byline

WANTED = ("pgf.sty", "siunitx.sty", "xltabular.sty")
POINTS = 25  # that a line may be too wide, of those that are set ragged
DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp,pgf,siunitx,booktabs}
\begin{document}
\input{mine.pgf}

\input{mine.tex}
\end{document}
"""


def installed() -> bool:
    if shutil.which("pdflatex") is None:
        return False
    return subprocess.run(["kpsewhich", *WANTED], capture_output=True).returncode == 0


pytestmark = pytest.mark.skipif(not installed(), reason="LaTeX with its pictures is not installed")


def set_by_latex(source: Path) -> str:
    """What it says of it; it has to come to an end with a page."""
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", source.name]
    done = subprocess.run(command, cwd=source.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
    assert source.with_suffix(".pdf").read_bytes().startswith(b"%PDF")
    return source.with_suffix(".log").read_text(errors="replace")


def test_a_report_can_be_set_and_no_table_leaves_the_page(program: Path, tmp_path: Path):
    device = tmp_path / "my-device_2.toml"
    device.write_text('title = "My device: 50 % & more, 1 µs_or_so"\nscenario = "print-job"\n')
    chosen = [load(device), systems["telnet-xp"], systems["netware"]]
    by = Byline(("A. Author", "B. Author"), "Somewhere & Sons", "1 May", "Two of mine")
    report.make(tmp_path, chosen, by, ("latex",))
    log = set_by_latex(tmp_path / "latex" / "report.tex")
    assert "X Columns too narrow" not in log
    assert "Float too large" not in log
    assert max(map(float, re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)), default=0) < POINTS


def test_a_figure_and_its_table_can_be_put_into_a_paper(program: Path, tmp_path: Path):
    drawn = (
        systems["hawking-hps1u"]
        .with_(job_size=50_000)
        .figure("curve", vary={"receive_window": [1460, 2920]}, by={"ack_latency": ["1ms", "20ms"]})
    )
    for suffix in ("pgf", "tex"):
        drawn.save(tmp_path / f"mine.{suffix}")
    (tmp_path / "paper.tex").write_text(DOCUMENT)
    set_by_latex(tmp_path / "paper.tex")
