# SPDX-License-Identifier: GPL-2.0-only
"""How well a capture becomes a system: of transfers of known cause the predicted rate over the
measured one, as captured and after one change.

From results/diagnosis.csv, which `study kernel --captures` measures.
"""

from study.drawing import ratios, style
from study.kernel import verdicts
from study.kernel.verdicts import WHAT_IF_PCT

RATES_KBPS = [0.1, 1, 10, 100, 1000, 10000]
SIDES = {"before": "as captured", "after": "after the change"}
TITLE = (
    "Of {changes} changes {refused} were refused, and {inside} of the other {told} brought what "
    "was predicted, within {within:.0f} %"
)
CAPTION = (
    "Predicted over measured rate of {count} transfers of known cause through the TCP of {kernel}. "
    "A system was made of the capture at the sender and run: unchanged, beside that capture, and "
    "with one change, beside a second capture of the transfer with that change. Of {changes} "
    "changes {refused} were refused, mostly because the packets leave their effect open. {inside} "
    "of the other {told} lie within {within:.0f} %, between the thin lines. A case was "
    "made before the rules of a verdict were finished, or after: results/diagnosis.csv names them."
)


def draw() -> style.Drawing:
    """Draw a marker a kind of prediction and of case."""
    import pandas as pd

    rows = verdicts.read()
    told = [row for row in rows if row["off_pct"]]
    figure, axes = style.one(3.4)
    kinds = [(when, made) for when in SIDES for made in ("before the rules", "after the rules")]
    of_kinds = (
        (
            f"{SIDES[when]}; case made {made}",
            [_at(row) for row in told if (row["when"], row["made"]) == (when, made)],
        )
        for when, made in kinds
    )
    ratios.kinds(axes, of_kinds)
    ratios.within(axes, WHAT_IF_PCT, RATES_KBPS, [_at(row)[1] for row in told])
    axes.set(xlabel="measured rate (kB/s)", ylabel=f"predicted{style.fold()}over measured rate")
    figure.legend(loc="outside upper center", ncols=2 if style.size() == "page" else 1)
    words = _words(rows)
    return style.Drawing(figure, pd.DataFrame(rows), CAPTION.format(**words), TITLE.format(**words))


def _words(rows: list[dict[str, str]]) -> dict[str, object]:
    changes = [row for row in rows if row["when"] == "after"]
    told = [row for row in changes if row["holds"] != "refused"]
    return dict(
        count=len(rows),
        kernel=rows[0]["kernel"],
        changes=len(changes),
        refused=len(changes) - len(told),
        told=len(told),
        inside=sum(abs(float(row["off_pct"] or "inf")) <= WHAT_IF_PCT for row in told),
        within=WHAT_IF_PCT,
    )


def _at(row: dict[str, str]) -> tuple[float, float]:
    return float(row["measured_Bps"]) / 1000, 1 + float(row["off_pct"]) / 100
