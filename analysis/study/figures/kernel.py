# SPDX-License-Identifier: GPL-2.0-only
"""The fourth judge: transfers of this machine's own TCP, and the simulated ones over them.

From fresh runs beside the measurements in results/kernel.csv.
"""

from study.drawing import ratios, style
from study.kernel import comparison
from study.kernel.comparison import WITHIN_PCT, Row

DURATIONS_S = [0.01, 0.1, 1, 10]
TITLE = (
    "Of {count} transfers the simulation gives {inside} within {within:.0f} % of a real kernel's "
    "time"
)
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
    of_families = ((f, [_at(row) for row in rows if row["family"] == f]) for f in families)
    ratios.kinds(axes, of_families)
    ratios.within(axes, WITHIN_PCT, DURATIONS_S, [_at(row)[1] for row in rows])
    axes.set(xlabel="measured duration (s)", ylabel=f"simulated{style.fold()}over measured")
    figure.legend(loc="outside upper center", ncols=5 if style.size() == "page" else 3)
    inside = sum(row["within"] == "yes" for row in rows)
    counts = {"count": len(rows), "inside": inside, "within": WITHIN_PCT}
    caption = CAPTION.format(kernel=comparison.kernel(), **counts)
    return style.Drawing(figure, table, caption, TITLE.format(**counts))


def _at(row: Row) -> tuple[float, float]:
    return float(row["measured_s"]), 1 + float(row["off_pct"]) / 100
