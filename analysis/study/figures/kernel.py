# SPDX-License-Identifier: GPL-2.0-only
"""The fourth judge: transfers of this machine's own TCP, and the simulated ones over them.

From fresh runs beside the measurements in results/kernel.csv.
"""

from itertools import cycle

from study.drawing import marks, style
from study.kernel import comparison
from study.kernel.comparison import WITHIN_PCT, Row

MARKERS = "osD^v<>pPX*h8"
DURATIONS_S = [0.01, 0.1, 1, 10]
RATIOS = [0.2, 0.3, 0.5, 0.7, 0.9, 1, 1.1, 1.5, 2, 3, 5]
CAPTION = (
    "Simulated over measured duration of {count} transfers, one dot each: measured through the "
    "TCP of {kernel}, between two network namespaces over a wire in user space; simulated with the "
    "profile linux-6 at both ends over a path of the same rate, delay, queue and losses. Between "
    "the thin lines the two agree within {within:.0f} %: {inside} of {count}. "
    "results/kernel-comparison.csv names the reason of each other one."
)


def draw() -> style.Drawing:
    """A marker a family, against the measured duration."""
    import pandas as pd

    rows = comparison.rows()
    table = pd.DataFrame(rows)
    figure, axes = style.one(3.6)
    families = list(dict.fromkeys(row["family"] for row in rows))
    for place, (family, marker) in enumerate(zip(families, cycle(MARKERS), strict=False)):
        own = [row for row in rows if row["family"] == family]
        colour = style.CURVES[place % len(style.CURVES)][0]
        look = {"linestyle": "", "marker": marker, "color": colour, "fillstyle": "none"}
        axes.plot(*zip(*map(_at, own), strict=True), label=family, **look)
    for edge in (1 - WITHIN_PCT / 100, 1, 1 + WITHIN_PCT / 100):
        axes.axhline(edge, color="0.4", linewidth=0.8 if edge == 1 else 0.4)
    axes.set(xlabel="measured duration (s)", ylabel=f"simulated{style.fold()}over measured")
    ratios = [_at(row)[1] for row in rows]
    ticks = [tick for tick in RATIOS if min([0.9, *ratios]) <= tick <= max([1.1, *ratios])]
    marks.scales(axes, log="xy", x=DURATIONS_S, y=ticks, grid=False)
    figure.legend(loc="outside upper center", ncols=5 if style.size() == "page" else 3)
    inside = sum(row["within"] == "yes" for row in rows)
    counts = {"count": len(rows), "inside": inside, "within": WITHIN_PCT}
    return style.Drawing(figure, table, CAPTION.format(kernel=comparison.kernel(), **counts))


def _at(row: Row) -> tuple[float, float]:
    return float(row["measured_s"]), 1 + float(row["off_pct"]) / 100
