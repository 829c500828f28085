# SPDX-License-Identifier: GPL-2.0-only
"""Questions of a unit, with the right answer computed from its runs. An ask's `python` uses the
words of `Words`: `v(window=5840)` is the unit's number at that window, the other controls as
they begin."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from study.base.errors import StudyError
from study.classroom.page_units import Unit, own
from study.front.words import number


class Words:
    """What the runs of a unit say."""

    def __init__(
        self, unit: Unit, found: Sequence[float], limits: Mapping[str, Sequence[int]]
    ) -> None:
        self._unit, self._found, self._limits = unit, found, limits

    def v(self, **changes: object) -> float:
        """Return the unit's figure."""
        return self._found[self._place(changes)]

    def share(self, limit: str, **changes: object) -> float:
        """Return the limit's percentage of the time."""
        return self._limits[limit][self._place(changes)] / 10 if limit in self._limits else 0

    def top(self, **changes: object) -> str:
        """The limit that takes most of the time."""
        return max(self._limits, key=lambda limit: self.share(limit, **changes))

    def first(self, control: str, holds: Callable[[float], bool], **changes: object) -> object:
        """Return the first stop of a control at which the figure satisfies `holds`."""
        for step in self._unit.control(control).steps:
            if holds(self.v(**changes, **{control: step.given})):
                return step.given
        raise StudyError(f"units.toml: {self._unit.id} has no such stop of {control}")

    def last_gain(self, control: str, least: float, **changes: object) -> object:
        """Return the first stop after which no figure is `least` times as large."""
        steps = self._unit.control(control).steps
        values = [self.v(**changes, **{control: step.given}) for step in steps]
        return next(s.given for n, s in enumerate(steps) if max(values[n:]) < least * values[n])

    def best(self, choices: Mapping[str, Mapping[str, object]]) -> str:
        """Return the change with the highest figure, or the lowest where that is better."""
        chosen = min if self._unit.data["y"].get("lower") else max
        return chosen(choices, key=lambda name: self.v(**choices[name]))

    def each_draw(self, python: str) -> list[float]:
        """Return the expression's value for each random seed of the unit; empty without seeds."""
        draws = range(self._unit.data.get("draws", 0))
        return [Draw(self._unit, number, self._limits).told(python) for number in draws]

    def low(self, **changes: object) -> float:
        """Return the lowest figure of the unit's draws, at a stop of its curve."""
        return self._range(changes)[0]

    def high(self, **changes: object) -> float:
        """Return the highest figure over the unit's random seeds, at a stop of its curve."""
        return self._range(changes)[1]

    def _range(self, changes: Mapping[str, object]) -> tuple[float, float]:
        moved = self._unit.moved
        assert self._unit.ranges and set(changes) <= {moved.id}
        return self._unit.ranges[moved.place(self._unit.at(changes)[moved.id])]

    def _place(self, changes: Mapping[str, object]) -> int:
        """Return which of the runs it is, of changes by control name with `_` for `-`."""
        spelt = {name.replace("_", "-"): value for name, value in changes.items()}
        return self._unit.index(self._unit.at(spelt))

    def p(self, key: str) -> float:
        """Return a parameter of the system, in s, bit/s or as it stands."""
        number = own(self._unit.system, key).number
        assert not isinstance(number, str)
        return float(number)

    def told(self, python: str) -> Any:
        """Return the value of an expression of units.toml."""
        names = {name: getattr(self, name) for name in WORDS}
        return eval(python, {"__builtins__": BUILTINS} | names)


class Draw(Words):
    """What another seed of a unit's losses says."""

    def __init__(self, unit: Unit, number: int, limits: Mapping[str, Sequence[int]]) -> None:
        super().__init__(unit, [], limits)
        self._number = number

    def v(self, **changes: object) -> float:
        return self._unit.drawn([self._place(changes)])[0][self._number]


WORDS = ("v", "low", "high", "p", "share", "top", "first", "last_gain", "best")
BUILTINS = {"abs": abs, "max": max, "min": min}


def facts(unit: Unit, words: Words) -> dict[str, str]:
    """Return the unit's own figures, for its texts."""
    drawn = {"draws": str(unit.data["draws"])} if "draws" in unit.data else {}
    return drawn | _said(unit.data.get("facts", {}), words)


def _said(given: Mapping[str, str], words: Words) -> dict[str, str]:
    return {name: number(words.told(python)) for name, python in given.items()}


def asks(unit: Unit, words: Words) -> list[dict[str, Any]]:
    """Return what the page asks, with what is right and why."""
    made = []
    for place, data in enumerate(unit.data["ask"]):
        value = words.told(data["python"])
        known = facts(unit, words) | _said(data.get("facts", {}), words)
        draws = words.each_draw(data["python"]) if data["kind"] == "number" else []
        if isinstance(value, float):
            known["value"] = number(value)
        if draws:
            known |= {"least": number(min(draws)), "most": number(max(draws))}

        def filled(text: str, known: Mapping[str, str] = known) -> str:
            return unit.filled(text, known)

        asked = {"id": f"{unit.id}-{place + 1}", "kind": data["kind"], "known": known}
        asked["question"] = filled(data["question"])
        if data["kind"] == "choice":
            choices = {each["id"]: each for each in data["choices"]}
            if value not in choices:
                raise StudyError(f"units.toml: {asked['id']}: {value!r} is none of its choices")
            asked["right"] = list(choices).index(value)
            asked["choices"] = [
                [filled(each["says"]), filled(each["why"])] for each in choices.values()
            ]
        else:
            asked |= {"why": filled(data["why"]), "hint": filled(data["hint"])}
        if data["kind"] == "number":
            right = [min([value, *draws]), max([value, *draws])]
            asked |= {"right": right, "within": data["within_pct"] / 100, "unit": data["unit"]}
        if data["kind"] == "stop":
            at = unit.at(data.get("with", {}) | {data["control"]: value})
            asked |= {"right": unit.places(at), "control": data["control"]}
        made.append(asked)
    return made
