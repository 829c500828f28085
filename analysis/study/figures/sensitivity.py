# SPDX-License-Identifier: GPL-2.0-only
"""Which parameters matter: the effect of each on the rate, the largest of every measured system."""

from study.catalogue import systems
from study.drawing import style
from study.drawing.kinds.sensitivity import bars_of, legend
from study.programs.noted import remembered
from study.trials.jobs import LEAST_B, draws_losses
from study.trials.numbers import SHARE
from study.trials.sensitivity import Sensitivity, sensitivity

TITLE = (
    "One or two numbers decide how fast most transfers go: in {few} of {count} systems a third "
    "moves the rate less than half as much as the first"
)
CAPTION = (
    "How many % the throughput (of Telnet: commands a second) changes for 1 % of a parameter: 1 is "
    "in proportion. Of each measured system the parameters with the largest effect (mean size of "
    "Morris's elementary effects, simulated; line: their standard deviation), every number of its "
    f"file and its host's profile moved within {SHARE:.0%} of its value, as far as the program "
    "allows it; choices, zeros, counts below 3 and the size of the job stand. Of a job the first "
    f"{LEAST_B / 1e6:g} MB were run; two stalls of the Linksys are in them. Both ways: more is "
    "faster at some values of the others, slower at others, as where a window is no longer a whole "
    "number of segments. Systems that lose packets at random are left out, as part of an effect is "
    "chance there. Drawn are the systems with the largest effects for which there is room."
)
# Of each size: panels side by side, bars a panel, and in print the height of a row of panels.
ARRANGED = {"column": (1, 5, 0.86), "page": (2, 5, 0.95), "slide": (3, 3, 0.94)}
MOST_PANELS = {"column": 9, "page": 18, "slide": 12}  # for which there is room


def draw() -> style.Drawing:
    """A panel a system, the largest effect on top."""
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
