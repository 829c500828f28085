# SPDX-License-Identifier: GPL-2.0-only
"""Functions that the notebooks use beside the systems: predictions, pictures, curves of sweeps
with measured points, sentences with computed numbers, and sources.

A cell's result displays itself by a _repr_ method, so no module here needs a notebook.
"""

from study.notebooks.lessons import ask, exercise
from study.notebooks.moments import moments
from study.notebooks.mysteries import diagnosed, mystery, show_budgets, told, whose
from study.notebooks.pictures import Picture, show, show_limits
from study.notebooks.predictions import Prediction, predict
from study.notebooks.rounds import round_trip_ms
from study.notebooks.sweep_curves import Mark, curves, measured_mark, treads
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
