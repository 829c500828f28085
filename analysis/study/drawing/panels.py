# SPDX-License-Identifier: GPL-2.0-only
"""A stretch of several systems' jobs, a panel each."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from study.drawing.flow import Flow, Span, flow, name_of
from study.kit.systems import systems

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
