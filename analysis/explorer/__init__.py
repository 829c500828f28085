# SPDX-License-Identifier: GPL-2.0-only
"""The explorer: a system's parameters as sliders and switches, and at once what the job becomes.

    from analysis.explorer import explorer
    explorer("hawking-hps1u")

One module a scenario says what can be turned; it has one entry in SCENARIOS. Labels, units, ranges
and choices come from the scenario's own declaration.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from analysis.errors import StudyError
from analysis.explorer.session import Session

if TYPE_CHECKING:
    from analysis.explorer.widget import Explorer

SCENARIOS = {
    "file-read": "analysis.explorer.file_read",
    "file-send": "analysis.explorer.file_send",
    "print-job": "analysis.explorer.print_job",
    "request-reply": "analysis.explorer.request_reply",
}


def session() -> Session:
    """What the widget asks, without a widget."""
    return Session({scenario: import_module(name).PLAN for scenario, name in SCENARIOS.items()})


@cache
def _shared() -> Session:
    """One for all explorers of a kernel: a cell that is run again leaves no programs behind."""
    return session()


def explorer(system: str) -> "Explorer":
    """The widget, beginning with that system: a name, or a path to a .toml file."""
    asked = _shared()
    asked.begin_with(system)
    try:
        from analysis.explorer.widget import Explorer
    except ImportError:
        raise StudyError("the explorer needs anywidget: `./waf explore` fetches it") from None
    return Explorer(asked, system)
