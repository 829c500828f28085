# SPDX-License-Identifier: GPL-2.0-only
"""Parameters of the links that a run does not use: they have no effect."""

from collections.abc import Mapping

from study.programs.declaration import Parameter

CHOICE = "link"  # the parameter that selects the link
BY_GROUP = {"link": "ethernet", "path": "path", "wan": "frame-relay"}


def other_link(parameter: Parameter, parameters: Mapping[str, str]) -> str:
    """Return the link of a parameter if the run uses another one, else an empty text."""
    own = BY_GROUP.get(parameter.group, "")
    return own if own and parameters.get(CHOICE, own) != own else ""
