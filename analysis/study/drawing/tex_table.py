# SPDX-License-Identifier: GPL-2.0-only
r"""A figure's numbers as a table for LaTeX: columns of numbers are siunitx's S, and in each head
stands the unit that the column's name ends in."""

from study.drawing.languages import ENGLISH, said
from study.drawing.style import Table
from study.programs.labels import spelt

UNITS = {
    "Bps": r"\byte\per\second",
    "kBps": r"\kilo\byte\per\second",
    "bps": r"\bit\per\second",
    "kbps": r"\kilo\bit\per\second",
    "B": r"\byte",
    "s": r"\second",
    "ms": r"\milli\second",
    "us": r"\micro\second",
    "pct": r"\percent",
    "MHz": r"\mega\hertz",
}
ESCAPED = {each: f"\\{each}" for each in "&%$#_{}"}
ESCAPED |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
DIGITS = 6  # that mean anything


def as_tex(table: Table, caption: str, locale: str = ENGLISH) -> str:
    """Return a tabular in a language, with what it wants and its caption as comments."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    numeric = [
        is_numeric_dtype(column.dtype) and not is_bool_dtype(column.dtype)
        for _, column in table.items()
    ]
    columns = " ".join("S" if each else "l" for each in numeric)
    heads = " & ".join(head(column, locale) for column in table.columns)
    rows = (
        " & ".join(
            _number(value) if is_number else escaped(_shown(value))
            for value, is_number in zip(row, numeric, strict=True)
        )
        for row in table.itertuples(index=False, name=None)
    )
    lines = [
        "% \\usepackage{siunitx,booktabs}",
        *([] if locale == ENGLISH else ["% \\sisetup{output-decimal-marker={,}}"]),
        *(f"% {line}" for line in caption.splitlines()),
        f"\\begin{{tabular}}{{{columns}}}",
        "\\toprule",
        f"{heads} \\\\",
        "\\midrule",
        *(f"{row} \\\\" for row in rows),
        "\\bottomrule",
        "\\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def head(column: str, locale: str = ENGLISH) -> str:
    """ "ack_latency_ms" is "{ACK latency (\\si{\\milli\\second})}"."""
    stem, _, suffix = column.rpartition("_")
    if not stem or suffix not in UNITS:
        return f"{{{escaped(said(spelt(column), locale))}}}"
    return f"{{{escaped(said(spelt(stem), locale))} (\\si{{{UNITS[suffix]}}})}}"


def escaped(text: str) -> str:
    """As LaTeX sets these letters, and no command."""
    return "".join(ESCAPED.get(letter, letter) for letter in text)


def _number(value: object) -> str:
    shown = _shown(value)
    return f"{float(shown):.{DIGITS}g}" if shown else "{}"


def _shown(value: object) -> str:
    import pandas as pd

    return "" if pd.isna(value) else str(value)
