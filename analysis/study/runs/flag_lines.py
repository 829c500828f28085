# SPDX-License-Identifier: GPL-2.0-only
"""Points as lines of flags, made on demand: a million of them are half a gigabyte."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from study.programs.declaration import Declaration, Parameter
from study.programs.values import Value
from study.runs.profiles import HOST

LOOKED_AT = 200  # number of values


def line_of(declared: Declaration, given: Mapping[str, Value]) -> str:
    """Return a point as one line of flags: values that differ from defaults, in declared order."""
    flags = (
        flag_of(parameter, given[key])
        for key, parameter in declared.parameters.items()
        if key in given
    )
    return " ".join(filter(None, flags))


def flag_of(parameter: Parameter, value: Value) -> str:
    """Return a value's flag, empty for a default, so that equal points have equal texts."""
    return "" if value.text == parameter.default else f"--{parameter.flag}={value.text}"


def _by_profile(
    parameter: Parameter, by_host: Mapping[str, Mapping[str, Value]]
) -> Callable[[Value], str]:
    """Return a function from a host profile to the flag that it sets, or an empty text."""
    flags = {
        name: flag_of(parameter, profile[parameter.key]) if parameter.key in profile else ""
        for name, profile in by_host.items()
    }
    return lambda host: flags[host.text]


def _written(flag: Callable[[Value], str], column: Sequence[Value]) -> list[str]:
    """Return each value's flag. In a grid values repeat, which the first ones show; then each flag
    is made once."""
    if len({id(value) for value in column[:LOOKED_AT]}) > LOOKED_AT / 2:
        return list(map(flag, column))
    places = list(map(id, column))
    flags = {place: flag(value) for place, value in dict(zip(places, column, strict=True)).items()}
    return [flags[place] for place in places]


class Lines(Sequence[str]):
    """The lines of points whose parameters vary, follow a varied host profile, or are fixed."""

    def __init__(
        self,
        declared: Declaration,
        varied: Mapping[str, Sequence[Value]],
        fixed: Mapping[str, Value],
        by_host: Mapping[str, Mapping[str, Value]],
    ) -> None:
        self._places = range(len(next(iter(varied.values()))) if varied else 1)
        # In declared order, so that equal points have equal texts. Fixed parts are made once.
        self._parts: list[str | tuple[Callable[[Value], str], Sequence[Value]]] = []
        for key, parameter in declared.parameters.items():
            if key == HOST:
                continue
            if key in varied:
                self._parts.append((partial(flag_of, parameter), varied[key]))
            elif key not in fixed and any(key in profile for profile in by_host.values()):
                self._parts.append((_by_profile(parameter, by_host), varied[HOST]))
            elif key in fixed and (flag := flag_of(parameter, fixed[key])):
                if self._parts and isinstance(self._parts[-1], str):
                    self._parts[-1] += f" {flag}"
                else:
                    self._parts.append(flag)

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, place: int | slice) -> str | list[str]:
        places = self._places[place]
        if isinstance(places, int):
            return self._of(range(places, places + 1))[0]
        return self._of(places)

    def _of(self, places: range) -> list[str]:
        columns = []
        for part in self._parts:
            if isinstance(part, str):
                columns.append([part] * len(places))
                continue
            flag, column = part
            start, stop = places.start, places.stop if places.stop >= 0 else None
            chosen = column[start : stop : places.step]
            columns.append(_written(flag, chosen))
        if not columns:
            return [""] * len(places)
        return [" ".join(filter(None, flags)) for flags in zip(*columns, strict=True)]
