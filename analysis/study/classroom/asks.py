# SPDX-License-Identifier: GPL-2.0-only
"""Questions of a unit, with the right answer computed from its runs. An ask's `python` uses the
words of `Words`: `v(window=5840)` is the unit's number at that window, the other controls as
they begin."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from study.base.errors import StudyError
from study.classroom.page_units import Unit, own
from study.front.words import number


@dataclass(frozen=True)
class Words:
    """What the runs of a unit say; with `draw`, what that seed of its losses says."""

    unit: Unit
    found: Sequence[float]
    limits: Mapping[str, Sequence[int]]
    draw: int | None = None

    def v(self, **changes: object) -> float:
        """Return the unit's figure."""
        place = self._place(changes)
        return self.found[place] if self.draw is None else self.unit.drawn(place)[self.draw]

    def share(self, limit: str, **changes: object) -> float:
        """Return the limit's percentage of the time."""
        return self.limits[limit][self._place(changes)] / 10 if limit in self.limits else 0.0

    def top(self, **changes: object) -> str:
        """The limit that takes most of the time."""
        return max(self.limits, key=lambda limit: self.share(limit, **changes))

    def first(self, control: str, holds: Callable[[float], bool], **changes: object) -> object:
        """Return the first stop of a control at which the figure satisfies `holds`."""
        for step in self.unit.control(control).steps:
            if holds(self.v(**changes, **{control: step.given})):
                return step.given
        raise StudyError(f"units.toml: {self.unit.id} has no such stop of {control}")

    def last_gain(self, control: str, least: float, **changes: object) -> object:
        """Return the first stop after which no figure is `least` times as large."""
        steps = self.unit.control(control).steps
        values = [self.v(**changes, **{control: step.given}) for step in steps]
        return next(s.given for n, s in enumerate(steps) if max(values[n:]) < least * values[n])

    def best(self, choices: Mapping[str, Mapping[str, object]]) -> str:
        """Return the change with the highest figure, or the lowest where that is better."""
        chosen = min if self.unit.data["y"].get("lower") else max
        return chosen(choices, key=lambda name: self.v(**choices[name]))

    def each_draw(self, python: str) -> list[float]:
        """Return the expression's value for each random seed of the unit; empty without seeds."""
        draws = range(self.unit.data.get("draws", 0))
        return [replace(self, draw=number).told(python) for number in draws]

    def low(self, **changes: object) -> float:
        """Return the lowest figure over the unit's random seeds."""
        return min(self.unit.drawn(self._place(changes)))

    def high(self, **changes: object) -> float:
        """Return the highest figure over the unit's random seeds."""
        return max(self.unit.drawn(self._place(changes)))

    def _place(self, changes: Mapping[str, object]) -> int:
        """Return which of the runs it is, of changes by control name with `_` for `-`."""
        spelt = {name.replace("_", "-"): value for name, value in changes.items()}
        return self.unit.index(self.unit.at(spelt))

    def p(self, key: str) -> float:
        """Return a parameter of the system, in s, bit/s or as it stands."""
        number = own(self.unit.system, key).number
        assert not isinstance(number, str)
        return float(number)

    def told(self, python: str) -> Any:
        """Return the value of an expression of units.toml."""
        names = {name: getattr(self, name) for name in WORDS}
        return eval(python, {"__builtins__": BUILTINS} | names)


WORDS = ("v", "low", "high", "p", "share", "top", "first", "last_gain", "best")
BUILTINS = {"abs": abs, "max": max, "min": min}


def facts(words: Words) -> dict[str, str]:
    """Return the unit's own figures, for its texts."""
    data = words.unit.data
    drawn = {"draws": str(data["draws"])} if "draws" in data else {}
    return drawn | _said(data.get("facts", {}), words)


def _said(given: Mapping[str, str], words: Words) -> dict[str, str]:
    return {name: number(words.told(python)) for name, python in given.items()}


def asks(words: Words) -> list[dict[str, Any]]:
    """Return what the page asks, with what is right and why."""
    unit, made = words.unit, []
    for place, data in enumerate(unit.data["ask"]):
        value = words.told(data["python"])
        known = facts(words) | _said(data.get("facts", {}), words)
        draws = words.each_draw(data["python"]) if data["kind"] == "number" else []
        if isinstance(value, float):
            known["value"] = number(value)
        if draws:
            known |= {"least": number(min(draws)), "most": number(max(draws))}
        filled = partial(unit.filled, facts=known)
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
            at = unit.at({data["control"]: value})
            asked |= {"right": unit.places(at), "control": data["control"]}
        made.append(asked)
    return made
