# SPDX-License-Identifier: GPL-2.0-only
"""The segments' size at the points of a sweep over the MTU or the link, which it follows."""

from collections.abc import Mapping, Sequence
from functools import cache

from study.programs import values
from study.programs.declaration import Declaration
from study.programs.values import Value
from study.runs.profiles import HOST
from study.system.mss import LINK, MTU, following, mss_keys
from study.system.system import System


def segments_that_fit(
    system: System,
    declared: Declaration,
    varied: Mapping[str, Sequence[Value]],
    by_host: Mapping[str, Mapping[str, Value]],
) -> dict[str, list[Value]]:
    """Return a column of segment sizes for each MSS that the sweep neither varies nor sets."""
    if not {MTU, LINK} & set(varied):
        return {}
    own, keys = system.parameters(), [key for key in (MTU, LINK, HOST) if key in varied]
    free = sorted(mss_keys(declared) - set(varied) - set(system.changes))

    @cache
    def at(*texts: str) -> dict[str, Value]:
        point = dict(zip(keys, texts, strict=True))
        profile = by_host.get(point.get(HOST, ""), {})
        before = own | {key: value.text for key, value in profile.items()}
        fits = following(declared, before, point)
        text = {key: fits[key].text if key in fits else before[key] for key in free}
        return {key: values.read(declared.parameter(key), text[key]) for key in free}

    columns = ([value.text for value in varied[key]] for key in keys)
    points = [at(*texts) for texts in zip(*columns, strict=True)]
    return {key: [point[key] for point in points] for key in free}
