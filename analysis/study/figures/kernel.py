# SPDX-License-Identifier: GPL-2.0-only
"""Comparison with the Linux kernel: transfers of this machine's own TCP, and the simulated ones
over them.

From fresh runs beside the measurements in results/kernel.csv.
"""

from study.drawing import ratios, style
from study.kernel import kernel_comparison
from study.kernel.kernel_comparison import WITHIN_PCT, Row

DURATIONS_S = [0.01, 0.1, 1, 10]
TITLE = (
    "Of {count} transfers the simulation gives {inside} within {within:.0f} % of a real kernel's "
    "time; out of the box {box}, stock ns-3 {stock}"
)
CAPTION = (
    "Simulated over measured duration of {count} transfers, one dot each: measured through the "
    "TCP of {kernel}, between two network namespaces over a wire in user space; simulated with the "
    "profile linux-6 at both ends over a path of the same rate, delay, queue and losses. Between "
    "the thin lines the two agree within {within:.0f} %: {inside} of {count}. The simulation of a "
    "dot is told which window the kernel advertised and the tick of its clock. Squares: it is told "
    "profile and path alone; {box} of {count} within {within:.0f} %. Crosses: stock "
    "ns-3's TCP over the same paths, with sizes, options, control and timers where it has them; "
    "{stock} of {count} within {within:.0f} %, {stalled} stalled. "
    "results/kernel-comparison.csv names the reason of each other one."
)


def draw() -> style.Drawing:
    """Draw a marker a family, against the measured duration."""
    import pandas as pd

    rows = kernel_comparison.rows()
    table = pd.DataFrame(rows)
    figure, axes = style.one(3.6)
    families = list(dict.fromkeys(row["family"] for row in rows))
    of_families = ((f, [_at(row) for row in rows if row["family"] == f]) for f in families)
    finished = [row for row in rows if row["stock_off_pct"]]
    stock = [_at(row, "stock_off_pct") for row in finished]
    axes.plot(*zip(*stock, strict=True), "x", color="0.55", markersize=3.5, label="stock ns-3")
    box = [_at(row, "out_of_the_box_off_pct") for row in rows if row["out_of_the_box_off_pct"]]
    look = {"color": "0.3", "markersize": 6, "markerfacecolor": "none", "markeredgewidth": 0.5}
    axes.plot(*zip(*box, strict=True), "s", label="out of the box", **look)
    ratios.kinds(axes, of_families)
    every = [ratio for _, ratio in [*map(_at, rows), *box, *stock]]
    ratios.within(axes, WITHIN_PCT, DURATIONS_S, every)
    axes.set(xlabel="measured duration (s)", ylabel=f"simulated{style.fold()}over measured")
    figure.legend(loc="outside upper center", ncols=5 if style.size() == "page" else 3)
    inside = sum(row["within"] == "yes" for row in rows)
    counts = {"count": len(rows), "inside": inside, "within": WITHIN_PCT}
    counts["stock"] = kernel_comparison.count_within(rows, "stock")
    counts["box"] = kernel_comparison.count_within(rows, "out_of_the_box")
    counts["stalled"] = sum(row["stock_outcome"] == "stalled" for row in rows)
    caption = CAPTION.format(kernel=kernel_comparison.kernel(), **counts)
    return style.Drawing(figure, table, caption, TITLE.format(**counts))


def _at(row: Row, column: str = "off_pct") -> tuple[float, float]:
    return float(row["measured_s"]), 1 + float(row[column]) / 100
