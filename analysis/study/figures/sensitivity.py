# SPDX-License-Identifier: GPL-2.0-only
"""Which parameters matter: the effect of each on the rate, the largest of every measured system."""

from study.catalogue import systems
from study.drawing import style
from study.drawing.kinds.sensitivity import bars_of, legend
from study.programs.noted import remembered
from study.trials.job_sizes import draws_losses
from study.trials.numbers import SHARE
from study.trials.sensitivity import Sensitivity, sensitivity

TITLE = (
    "One or two numbers decide the rate of most transfers: in {few} of {count} systems the third "
    "has less than half the effect of the first"
)
CAPTION = (
    "Change of the throughput in % for a change of a parameter by 1 % (Telnet: commands per "
    "second). 1 means in proportion. Each measured system has the parameters with the largest "
    "effects: the mean size of Morris's elementary effects, simulated, and their standard "
    "deviation as a line. Every number of the system's file and of its host's profile was varied "
    f"within {SHARE:.0%} of its value, as far as the program allows it. Choices, zeros, counts "
    "below 3 and the size of the job were not varied. The rate is the whole job's; a "
    "long job's follows from its beginning. Both ways: a larger value is faster or "
    "slower, depending on the other parameters, for example where a window stops being a whole "
    "number of segments. Systems with random losses are left out, because part of an effect is "
    "chance there. The figure has as many systems as fit, those with the largest effects."
)
# Of each size: panels side by side, bars a panel, and in print the height of a row of panels.
ARRANGED = {"column": (1, 5, 0.86), "page": (2, 5, 0.95), "slide": (3, 3, 0.94)}
MOST_PANELS = {"column": 9, "page": 18, "slide": 12}  # for which there is room


def draw() -> style.Drawing:
    """Draw a panel a system, the largest effect on top."""
    import pandas as pd

    every = ranked()
    table = pd.concat([each.table() for each in every])
    across, bars, row_in = ARRANGED[style.size()]
    largest = sorted(every, key=lambda each: -each.effects[0].size)[: MOST_PANELS[style.size()]]
    found = [each for each in every if each in largest]
    rows = -(-len(found) // across)
    figure = style.figure(rows * row_in, column_in=rows * row_in)
    panels = figure.subplots(rows, across, sharex=True, squeeze=False).flatten()
    for panel, each in zip(panels, found, strict=False):
        bars_of(panel, each, bars)
        panel.set_title(each.system.name, loc="left", fontsize=7, fontweight="bold", pad=2)
    for empty in panels[len(found) :]:
        empty.set_visible(False)
    for panel in panels[len(found) - across : len(found)]:  # the lowest of each column
        panel.tick_params(labelbottom=True)
    largest = max(effect.size + effect.spread for each in found for effect in each.effects)
    panels[0].set_xlim(0, 1.05 * largest)
    figure.supxlabel("change of the rate for 1 % of the parameter (%)", fontsize=8)
    legend(figure)
    third = [each.effects[2].size if len(each.effects) > 2 else 0.0 for each in every]
    few = sum(size < each.effects[0].size / 2 for size, each in zip(third, every, strict=True))
    return style.Drawing(figure, table, CAPTION, TITLE.format(few=few, count=len(every)))


@remembered  # for every size of the figure
def ranked() -> list[Sensitivity]:
    """Of each measured system that loses nothing by chance."""
    asked = [each for each in systems.values() if each.measured and not draws_losses(each)]
    return [sensitivity(each, steps=False) for each in asked]
