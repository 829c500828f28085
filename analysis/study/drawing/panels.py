# SPDX-License-Identifier: GPL-2.0-only
"""A panel each: a stretch of several systems' jobs, or an exchange as traced and as simulated."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from study.base.units import bits_per_second
from study.drawing.arrows import Arrow, arrows
from study.drawing.flow import Flow, Span, flow, name_of
from study.kit.systems import systems
from study.programs.segments import Segment
from study.system.system import Result

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def draw_each(
    panels: "Iterable[Axes]", spans: Mapping[str, Span], draw: "Callable[[Axes, Flow], None]"
) -> "pd.DataFrame":
    """One system after the other into its panel; the packets of all."""
    import pandas as pd

    tables = []
    for axes, (name, span) in zip(panels, spans.items(), strict=True):
        system = systems[name]
        stretch = flow(system, system.run(segments=True), span)
        draw(axes, stretch)
        axes.set_title(name_of(system), loc="left")
        tables.append(stretch.table().assign(system=name))
    return pd.concat(tables)


def two_sides(
    result: Result, traced: Sequence[Segment], simulated: Sequence[Segment]
) -> dict[str, list[Arrow]]:
    """The same packets of a print job as arrows, by the title of their panel."""
    rate_bps = bits_per_second(result.parameters["link_rate"])
    sides = {"measured (tcpdump at the host)": traced, "simulated": simulated}
    return {name: arrows(side, rate_bps, origin_s=side[0].time_s) for name, side in sides.items()}
