# SPDX-License-Identifier: GPL-2.0-only
"""How far the closed form of a job is from the simulation, against the window in units of what the
line carries while the device waits with its ACK: where one window a cycle stops being the story."""

from study.base.units import bits_per_second, seconds
from study.drawing import marks, style
from study.judging import closed_forms
from study.judging.closed_forms import REST, Point
from study.kit.scenario import about

SCENARIO, FORMULA = "print-job", "whole_job_s"
NAMES = {REST: "all others"}
LINEAR_PCT = 1e-4  # up to here the axis is linear, so that 0 can be shown
TITLE = (
    "The closed form of a job is within {others:.2g} % where one thing at a time is waited for, "
    "and up to {worst:.0f} % off where sending and waiting overlap"
)
CAPTION = (
    "Error of the closed form of a whole job, at {points} jobs with eleven parameters varied at "
    "once, against the window over the product of the line's rate and the ACK latency. Below 1 "
    "the line waits for the window and the formula is right within a percent, mostly to rounding "
    "(the axis is linear below 0.0001 %, so that 0 stands on it). Where the line is as slow as "
    "the device, or the device's buffer empties late, sending and waiting overlap, which the "
    "formula leaves out. Nothing here is measured."
)


def draw() -> style.Drawing:
    """Draw one marker a job of the grid, in the colour of what explains its error."""
    import pandas as pd

    (check, *_) = about(SCENARIO).checks
    rows = [
        (_over_product(point), point.region, point.closed_form, point.simulated, point.error_pct)
        for point in closed_forms.compared(check)[FORMULA]
    ]
    columns = ["window_over_product", "region", "closed_form_s", "simulated_s", "error_pct"]
    table = pd.DataFrame(rows, columns=columns).round(6)
    figure, axes = style.one(3.4)
    regions = sorted(table.region.unique(), key=lambda region: region == REST)
    for region, (colour, _, marker) in zip(regions, style.CURVES[1:], strict=False):
        part = table[table.region == region]
        look = {"linestyle": "", "marker": marker, "markersize": 2.5, "color": colour}
        look["clip_on"] = False
        axes.plot(
            part.window_over_product, part.error_pct.abs(), label=NAMES.get(region, region), **look
        )
    axes.axhline(1, color="0.4", linewidth=0.8)
    axes.axvline(1, color="0.4", linewidth=0.8)
    label = "receive window / (line's rate x ACK latency)"
    axes.set(xlabel=label, ylabel="error of the formula (%)")
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=LINEAR_PCT, linscale=0.6)
    axes.set_ylim(bottom=0)
    marks.scales(axes, y=[0, *(10.0**power for power in range(-4, 3))], grid=False)
    figure.legend(loc="outside upper center", ncols=3)
    worst = table.error_pct.abs().groupby(table.region == REST).max()
    title = TITLE.format(others=worst[True], worst=worst[False])
    return style.Drawing(figure, table, CAPTION.format(points=len(table)), title)


def _over_product(point: Point) -> float:
    at = point.changes
    product_B = bits_per_second(at["link_rate"]) / 8 * seconds(at["ack_latency"])
    return float(at["receive_window"]) / product_B
