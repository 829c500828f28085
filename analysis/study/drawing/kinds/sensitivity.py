# SPDX-License-Identifier: GPL-2.0-only
"""Sensitivity of a system's rate: the effect of each parameter, the largest on top."""

from study.drawing import style
from study.drawing.flow import name_of
from study.drawing.system_facts import said
from study.programs.labels import spelt
from study.system.system import System
from study.trials.numbers import SHARE
from study.trials.sensitivity import NONE, Sensitivity, sensitivity

LOOKS = {
    "faster": ("#0072B2", "", "more is faster"),
    "slower": ("#E69F00", "////", "more is slower"),
    "both": ("0.75", "xxxx", "both ways"),
}
MOST_BARS = 12  # bars


def draw(system: System) -> style.Drawing:
    """Draw a bar a parameter that does something."""
    found = sensitivity(system, steps=False)
    shown = sum(effect.size >= NONE for effect in found.effects)
    count = max(1, min(shown, MOST_BARS))
    height_in = 1.1 + 0.2 * count
    figure, axes = style.one(height_in, height_in + 0.3)
    bars_of(axes, found, count)
    first = found.effects[0]
    title = f"The rate of {name_of(system)} rests most on its {spelt(first.key)}"
    axes.set_xlabel(f"change of the rate for 1 %{style.fold()}of the parameter (%)")
    legend(figure)
    caption = (
        f"How many % the rate of {name_of(system)} changes for 1 % of a parameter: 1 is in "
        "proportion (mean size of Morris's elementary effects, simulated; line: their standard "
        f"deviation), each moved within {SHARE:.0%} of its value."
    )
    if shown > MOST_BARS:
        caption += f" The {MOST_BARS} largest of {shown} are drawn."
    return style.Drawing(figure, found.table(), caption, title)


def legend(figure: style.Figure) -> None:
    """Of the three directions."""
    from matplotlib.patches import Patch

    keys = [
        Patch(facecolor=colour, hatch=hatch, edgecolor="black", linewidth=0.4, label=label)
        for colour, hatch, label in LOOKS.values()
    ]
    figure.legend(handles=keys, loc="outside upper center", ncols=len(keys))


def bars_of(axes: style.Axes, found: Sensitivity, bars: int) -> None:
    """The largest effects, the largest on top."""
    shown = [effect for effect in found.effects if effect.size >= NONE][:bars]
    for place, effect in enumerate(shown):
        colour, hatch, _ = LOOKS[effect.direction]
        look = {"color": colour, "hatch": hatch, "edgecolor": "black", "linewidth": 0.4}
        error = {"elinewidth": 0.8, "capsize": 1.5}
        axes.barh(
            place, effect.size, height=0.7, xerr=[[0], [effect.spread]], error_kw=error, **look
        )
    slide = style.size() == "slide"
    names = [
        spelt(each.key) + ("" if slide else f": {said(found.system, each.key)}") for each in shown
    ]
    axes.set_yticks(range(len(shown)), names)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(bars - 0.5, -0.5)
