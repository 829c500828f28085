# SPDX-License-Identifier: GPL-2.0-only
"""Capture beside the simulation of a system: the same stretch of both, on one time scale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from study.drawing import style
from study.drawing.flow import Flow, Span, stretch_of, titled
from study.programs.segments import Segment
from study.system.system import System


@dataclass(frozen=True)
class Captured:
    """The packets of a capture, its ends called as the system's scenario calls them."""

    name: str
    packets: Sequence[Segment]


def both(system: System, span: Span, captured: Captured) -> dict[str, Flow]:
    """Return the stretch of each, by its side. Where the capture has no SYN both count from their
    first data."""
    simulated = system.run(segments=True).packets
    measured = _from_zero(captured.packets, 0)
    if measured and "S" not in measured[0].flags:
        first = next((place for place, each in enumerate(simulated) if each.length), 0)
        simulated = _from_zero(simulated, first)
    left = stretch_of(measured, span, captured.name)
    right = stretch_of(simulated, Span(span.begin_s, left.end_s), system.name)
    return {"measured": left, "simulated": right}


def _from_zero(packets: Sequence[Segment], first: int) -> list[Segment]:
    """From one packet on, which is at 0."""
    kept = list(packets[first:])
    begin_s = kept[0].time_s if kept else 0.0
    return [
        each._replace(
            time_s=each.time_s - begin_s,
            far_s=None if each.far_s is None else each.far_s - begin_s,
        )
        for each in kept
    ]


def titles(captured: Captured, parts: Mapping[str, str]) -> Mapping[str, str]:
    """Over each side, with which part of it all is shown."""
    names = {"measured": f"measured ({captured.name})", "simulated": "simulated"}
    return {side: titled(name, parts[side]) for side, name in names.items()}


def table(sides: Mapping[str, Flow]) -> style.Table:
    """Return the packets of both."""
    import pandas as pd

    return pd.concat(flow.table().assign(exchange=name) for name, flow in sides.items())
