# SPDX-License-Identifier: GPL-2.0-only
"""Explorer: a system's parameters as sliders and switches, with the resulting job shown at once.

    from study.explorer import explorer
    explorer("hawking-hps1u")

The page is that of study.front, over the native programs. A scenario's `explorer` lists the
parameters that can be varied. Labels, units, ranges and choices come from the scenario's own
declaration.
"""

from functools import cache
from typing import TYPE_CHECKING

from study.base.errors import StudyError
from study.explorer.backend import Backend

if TYPE_CHECKING:
    from study.explorer.widget import Explorer

# One for all explorers of a kernel: a cell that is run again leaves no programs behind.
_shared = cache(Backend)


def explorer(system: str) -> "Explorer":
    """Return the widget, beginning with that system: a name, or a path to a .toml file."""
    asked = _shared()
    asked.begin_with(system)
    try:
        from study.explorer.widget import Explorer
    except ImportError:
        raise StudyError("the explorer needs anywidget: `./waf notebooks` fetches it") from None
    return Explorer(asked, system)
