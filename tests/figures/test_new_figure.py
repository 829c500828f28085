# SPDX-License-Identifier: GPL-2.0-only
"""A figure is one module: a file put into figures/ is listed, drawn and reproduced, and nothing
else is edited."""

import csv
import os
import re
import subprocess
import sys

from conftest import Project

MODULE = '''# SPDX-License-Identifier: GPL-2.0-only
"""Rate against the window: a stranger's figure."""

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.system_facts import axis_label
from study.drawing.job_table import rates, swept
from study.scenarios.print_job import cycles

SYSTEM = "hawking-hps1u"


def draw() -> style.Drawing:
    system = systems[SYSTEM].with_(job_size=100_000)
    jobs = {(window_B,): system.with_(receive_window=window_B) for window_B in (1460, 2920)}
    table = swept("two windows", ["window_B"], jobs, rates(cycles.steady_rate_Bps))
    figure, axes = style.one(3.0)
    marks.curve(axes, marks.PLAIN, (table.window_B, table.throughput_Bps / 1000))
    axes.set(xlabel=axis_label(system, "receive_window"), ylabel="throughput (kB/s)")
    return style.Drawing(figure, table, "Two windows, simulated.")
'''
MAKE = """
from study.publishing.reproduce import steps
step, = [step for step in steps() if step.name == "figure strangers-window"]
print(*[path.name for path in step.inputs])
step.make()
"""


def test_a_module_is_a_figure_a_file_and_a_step(project: Project):
    module = project.root / "analysis" / "study" / "figures" / "strangers_window.py"
    module.write_text(MODULE)

    listed = project.study("figure").stdout
    assert re.search("^  strangers-window +Rate against the window$", listed, re.M)

    drawn = project.study("figure", "strangers-window", "-o", "mine")
    assert drawn.returncode == 0, drawn.stderr
    files = {path.suffix for path in (project.root / "mine").iterdir()}
    assert files == {".svg", ".pdf", ".png", ".csv", ".json"}
    rows = list(csv.DictReader((project.root / "mine" / "strangers-window.csv").open()))
    assert [row["outcome"] for row in rows] == ["finished", "finished"]

    environment = {**os.environ, "PYTHONPATH": str(project.root / "analysis")}
    command = [sys.executable, "-c", MAKE]
    made = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "strangers_window.py" in made.stdout  # so that an edit makes it anew
    assert (project.root / "results" / "figures" / "strangers-window.svg").is_file()
