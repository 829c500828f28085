# SPDX-License-Identifier: GPL-2.0-only
"""How well a capture becomes a system: of transfers of known cause the predicted rate over the
measured one, as captured and after one change.

From results/diagnosis.csv, which `study kernel --captures` measures.
"""

from study.drawing import marks, style
from study.kernel import verdicts
from study.kernel.verdicts import WHAT_IF_PCT

RATES_KBPS = [0.1, 1, 10, 100, 1000, 10000]
RATIOS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 1, 1.25, 2, 5, 10, 20, 50, 100]
WHEN = {"before": "as captured", "after": "after the change"}
CAPTION = (
    "Predicted over measured rate of {count} transfers of known cause through the TCP of {kernel}. "
    "A system was made of the capture at the sender and run: unchanged, beside that capture, and "
    "with one change, beside a second capture of the transfer with that change. Of {changes} "
    "changes {refused} were refused for what the model has not; {inside} of the other {told} lie "
    "within {within:.0f} %, between the thin lines. A case was made before the rules of the judge "
    "were finished, or after; results/diagnosis.csv names them."
)


def draw() -> style.Drawing:
    """A marker a kind of prediction and of case."""
    import pandas as pd

    rows = verdicts.read()
    told = [row for row in rows if row["off_pct"]]
    figure, axes = style.one(3.4)
    kinds = [(when, made) for when in WHEN for made in ("before the rules", "after the rules")]
    for (when, made), (colour, _, marker) in zip(kinds, style.CURVES, strict=False):
        own = [row for row in told if (row["when"], row["made"]) == (when, made)]
        if own:
            look = {"linestyle": "", "marker": marker, "color": colour, "fillstyle": "none"}
            label = f"{WHEN[when]}; case made {made}"
            axes.plot(*zip(*map(_at, own), strict=True), label=label, **look)
    for edge in (1 - WHAT_IF_PCT / 100, 1, 1 + WHAT_IF_PCT / 100):
        axes.axhline(edge, color="0.4", linewidth=0.8 if edge == 1 else 0.4)
    axes.set(xlabel="measured rate (kB/s)", ylabel=f"predicted{style.fold()}over measured rate")
    ratios = [_at(row)[1] for row in told]
    ticks = [tick for tick in RATIOS if min([0.9, *ratios]) <= tick <= max([1.1, *ratios])]
    marks.scales(axes, log="xy", x=RATES_KBPS, y=ticks, grid=False)
    figure.legend(loc="outside upper center", ncols=2 if style.size() == "page" else 1)
    return style.Drawing(figure, pd.DataFrame(rows), _caption(rows))


def _caption(rows: list[dict[str, str]]) -> str:
    changes = [row for row in rows if row["when"] == "after"]
    told = [row for row in changes if row["off_pct"]]
    return CAPTION.format(
        count=len(rows),
        kernel=rows[0]["kernel"],
        changes=len(changes),
        refused=len(changes) - len(told),
        told=len(told),
        inside=sum(abs(float(row["off_pct"])) <= WHAT_IF_PCT for row in told),
        within=WHAT_IF_PCT,
    )


def _at(row: dict[str, str]) -> tuple[float, float]:
    return float(row["measured_Bps"]) / 1000, 1 + float(row["off_pct"]) / 100
