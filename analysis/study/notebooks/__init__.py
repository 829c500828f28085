# SPDX-License-Identifier: GPL-2.0-only
"""What the notebooks call besides the systems: a prediction to keep, pictures, curves of sweeps
with the measured points on them, sentences with computed numbers, and the sources.

What a cell returns shows itself in a notebook (it has a _repr_ of that name), so that nothing here
needs one.
"""

from study.notebooks.curves import Mark, curves, measured_mark, treads
from study.notebooks.lessons import ask, exercise
from study.notebooks.moments import moments
from study.notebooks.mysteries import diagnosed, mystery, show_budgets, told, whose
from study.notebooks.pictures import Picture, show, show_limits
from study.notebooks.predictions import Prediction, predict
from study.notebooks.rounds import round_trip_ms
from study.notebooks.texts import Text, compared, measured, packets, say, sources, table

__all__ = [
    "Mark",
    "Picture",
    "Prediction",
    "Text",
    "ask",
    "compared",
    "curves",
    "diagnosed",
    "exercise",
    "measured",
    "measured_mark",
    "moments",
    "mystery",
    "packets",
    "predict",
    "round_trip_ms",
    "say",
    "show",
    "show_budgets",
    "show_limits",
    "sources",
    "table",
    "told",
    "treads",
    "whose",
]
