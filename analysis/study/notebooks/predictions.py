# SPDX-License-Identifier: GPL-2.0-only
"""Predictions: written down before the run and compared with its result after it."""

import re
from dataclasses import dataclass
from math import inf
from types import EllipsisType

from study.base.errors import StudyError
from study.judging.reproduction import with_unit
from study.notebooks.texts import Text
from study.system.measured import Measured

WITHIN = 1.1  # a factor that counts as right; mechanisms differ by more


@dataclass(frozen=True)
class Prediction:
    """A question and the prediction, or None if none is written yet."""

    what: str
    unit: str
    yours: float | str | None = None

    def _repr_markdown_(self) -> str:
        none = "none yet; write it in place of the dots and run the cell again"
        given = none if self.yours is None else self._text(self.yours)
        return f"Your prediction, {self.what}: **{given}**"

    def against(
        self,
        simulated: float | str,
        measured: Measured | None = None,
        why: str = "",
        called: str = "simulated",
    ) -> Text:
        """Return a table of the prediction and the result in its unit, with a verdict on how close
        it was. `called` names the result's origin."""
        yours = "not written down" if self.yours is None else self._text(self.yours)
        rows = {"your prediction": yours, called: self._text(simulated)}
        if measured is not None:
            rows["measured"] = with_unit(measured.text, measured.unit)
        lines = [f"| {self.what} | value |", "|---|---:|"]
        lines += [f"| {name} | {text} |" for name, text in rows.items()]
        verdict = self._verdict(simulated)
        return Text("\n".join([*lines, "", " ".join(filter(None, [verdict, why]))]))

    def _verdict(self, simulated: float | str) -> str:
        if self.yours is None:
            return ""
        if isinstance(simulated, str):
            same = str(self.yours).strip().lower() == simulated.lower()
            return "You were right." if same else ""
        if isinstance(self.yours, str):
            return "A number would be compared."
        low, high = sorted((self.yours, simulated))
        if high <= low * WITHIN:
            return "You were right."
        side = "high" if self.yours > simulated else "low"
        return f"You were too {side}" + (f" by a factor of {high / low:.2g}." if low else ".")

    def _text(self, value: float | str) -> str:
        if isinstance(value, str):
            return value
        whole = abs(value) >= 1000 or isinstance(value, int)
        digits = f"{value:,.0f}" if whole else f"{value:#.3g}".rstrip(".")
        return f"{digits} {self.unit}".strip()


def predict(what: str, unit: str = "", yours: float | str | EllipsisType = ...) -> Prediction:
    """Return a prediction: words, or a number of 0 or more in that unit. A text with such a number,
    with or without its unit, counts as the number. An ellipsis is none yet. Raise StudyError if it
    is neither."""
    if yours is ...:
        return Prediction(what, unit)
    if isinstance(yours, bool) or not isinstance(yours, int | float | str):
        raise StudyError(f"{what}: {yours!r} is neither a number nor a text")
    if isinstance(yours, str):
        yours = _number(yours, unit)
    if unit and isinstance(yours, str):
        raise StudyError(f"{what}: {yours!r} is not a number in {unit}; write one, as 12 or 1.5")
    if isinstance(yours, int | float) and not 0 <= yours < inf:
        raise StudyError(f"{what}: {yours!r} cannot be; write a number from 0 up, or words")
    return Prediction(what, unit, yours)


def _number(text: str, unit: str) -> float | str:
    """Return a text's number. A decimal comma is accepted. A comma that could separate thousands is
    an error."""
    bare = text.strip()
    units = (unit, "times", "x", "\u00d7") if unit.startswith("times") else (unit,)
    for each in units:  # KB/s is accepted for kB/s
        if each and bare.lower().endswith(each.lower()):
            bare = bare[: len(bare) - len(each)].strip()
            break
    if re.fullmatch(r"\d{1,3},\d{3}", bare) and not bare.startswith("0,"):
        plain, point = bare.replace(",", ""), bare.replace(",", ".")
        raise StudyError(f"{bare} could be {plain} or {point}; write one of these")
    if re.fullmatch(r"\d*,\d+", bare):
        bare = bare.replace(",", ".")
    try:
        return float(bare)
    except ValueError:
        return text
