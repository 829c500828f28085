# SPDX-License-Identifier: GPL-2.0-only
"""Residuals of the whole study: every measured figure of every system beside its simulation.

From fresh runs, which a test holds against results/reproduction.csv.
"""

from study.drawing import style
from study.drawing.residual_plot import residual_plot
from study.judging import reproduction

CAPTION = (
    "How far the simulation is from every measured figure of the study, in percent of the "
    "measurement; the axis is linear up to 1 % and logarithmic beyond. Diamonds: predictions, from "
    "which no parameter was set; circles: inputs, from which one was set, alone or as one of a "
    "sample whose median was taken. Sources: each figure's, in the system files."
)


def draw() -> style.Drawing:
    """All rows of the table of results."""
    import pandas as pd

    rows = reproduction.rows()
    table = pd.DataFrame(rows)[["system", "quantity", "used_as", "residual_pct"]]
    return style.Drawing(residual_plot(rows), table, CAPTION)
