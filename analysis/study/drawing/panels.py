# SPDX-License-Identifier: GPL-2.0-only
"""Figures with several panels: a stretch of each system's job, or an exchange as traced and as
simulated."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from study.base.units import bits_per_second
from study.drawing import style
from study.drawing.arrows import Arrow, arrows
from study.drawing.flow import Flow, Span, product_of, stretch_of, title_of, titled
from study.kit.systems import systems
from study.programs.segments import Segment
from study.system.system import Result, System

TITLES = {"measured": "measured (tcpdump at the host)", "simulated": "simulated"}


Panel = Callable[[style.Axes, Flow], None]


def alone(
    system: System,
    span: Span,
    draw: Panel,
    heights_in: tuple,
    words: tuple[str, str],
    says: Callable[[Flow], str],
) -> style.Drawing:
    """Draw one system's job, a panel by itself; `words` are what it is and how to read it."""
    figure, axes = style.one(*heights_in)
    stretch = _draw(axes, system, span, draw)
    what, how_to_read = words
    caption = f"{what} of the simulated job, {product_of(system)}. {how_to_read}"
    return style.Drawing(figure, stretch.table(), caption, f"{product_of(system)}: {says(stretch)}")


def draw_each(panels: Iterable[style.Axes], spans: Mapping[str, Span], draw: Panel) -> style.Table:
    """One system after the other into its panel; the packets of all."""
    import pandas as pd

    return pd.concat(
        _draw(axes, systems[name], span, draw).table().assign(system=name)
        for axes, (name, span) in zip(panels, spans.items(), strict=True)
    )


def _draw(axes: style.Axes, system: System, span: Span, draw: Panel) -> Flow:
    stretch = stretch_of(system.run(segments=True).packets, span, system.name)
    draw(axes, stretch)
    axes.set_title(titled(title_of(system), stretch.part), loc="left")
    return stretch


def two_sides(
    result: Result, traced: Sequence[Segment], simulated: Sequence[Segment]
) -> dict[str, list[Arrow]]:
    """Draw the same packets of a print job as arrows."""
    rate_bps = bits_per_second(result.parameters["link_rate"])
    sides = {"measured": traced, "simulated": simulated}
    return {name: arrows(side, rate_bps, origin_s=side[0].time_s) for name, side in sides.items()}
