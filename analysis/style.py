# SPDX-License-Identifier: GPL-2.0-only
"""How every figure looks and how it is saved: column widths, colours that survive colour blindness
and a grey printer, and files that come out the same to the byte each time."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.project import write_whole

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

COLUMN_IN = 3.5
PAGE_IN = 7.2
# Okabe and Ito's palette. The protocol colours follow tcptrace: data blue, window green, ACK brown.
DATA, ACK, WINDOW, MEASURED = "#0072B2", "#A65100", "#009E73", "#000000"
# Curves differ in colour, dash and marker at once, darkest first.
CURVES = [
    ("#000000", "-", "o"),
    ("#0072B2", "--", "s"),
    ("#009E73", "-.", "^"),
    ("#D55E00", ":", "D"),
    ("#CC79A7", (0, (5, 1, 1, 1, 1, 1)), "v"),
]
SETTINGS = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so it is the same everywhere
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "lines.linewidth": 1.0,
    "lines.markersize": 3.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "svg.hashsalt": "study",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "savefig.dpi": 200,
}
# Each format's name for the caption, and what it would otherwise say of the day and the versions.
FORMATS = {
    "svg": ("Description", {"Date": None, "Creator": None}),
    "pdf": ("Subject", {"CreationDate": None, "Creator": None, "Producer": None}),
    "png": ("Description", {"Software": None}),
}


@dataclass(frozen=True)
class Drawing:
    """A figure, the numbers in it, and the sentence under it."""

    figure: "Figure"
    table: "pd.DataFrame"
    caption: str


@contextmanager
def style() -> Iterator[None]:
    """Everything drawn inside follows the house style, whatever the user's own settings are."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        yield


def save_all(drawing: Drawing, stem: Path) -> list[Path]:
    """Write SVG, PDF, PNG and the table beside them as CSV: all four or none."""
    contents = {}
    for suffix, (caption, metadata) in FORMATS.items():
        out = io.BytesIO()
        with style():  # the salt and the fonts are looked up when saving, too
            metadata = {**metadata, caption: drawing.caption}
            drawing.figure.savefig(out, format=suffix, metadata=metadata)
        contents[stem.with_suffix(f".{suffix}")] = out.getvalue()
    table = drawing.table.to_csv(index=False, lineterminator="\n")
    contents[stem.with_suffix(".csv")] = table.encode()
    write_whole(contents)
    return list(contents)
