# SPDX-License-Identifier: GPL-2.0-only
"""A candidate: a system with a few free numbers, which a fit moves."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from study.programs.declaration import declaration
from study.programs.values import SECOND, limits

PRINT_JOB, EXCHANGE = "print-job", "request-reply"
# Free numbers: how a value becomes a flag's text, by the type of its parameter.
TEXTS = {"time": "{:.9f}s", "data-rate": "{:.0f}bps", "integer": "{:.0f}", "queue-size": "{:.0f}p"}
# Weight of what is seldom the cause: writes one by one, which can imitate any transfer, and a slow
# line back, of which a slow one ahead gives the same packets.
SELDOM = 1.5
WIDE = 4.0  # times the rate of close ACKs, where those come at a program's pace


@dataclass(frozen=True)
class Free:
    """A number of a candidate that is fitted."""

    key: str
    start: float  # in s, bit/s or as it stands
    steps: tuple[float, ...] = (1.0,)  # times the start, of the first look
    scenario: str = PRINT_JOB
    low: float = 0.0  # where its range goes lower

    def text(self, value: float) -> str:
        """As a flag takes it, as far as its range goes."""
        parameter = declaration(self.scenario).parameter(self.key)
        size = SECOND if parameter.type == "time" else 1.0
        low, high = limits(parameter)
        return TEXTS[parameter.type].format(min(max(value, self.low, low / size), high / size))


@dataclass(frozen=True)
class Candidate:
    """A system with free numbers. The first of them is the one that its name says limits."""

    name: str
    scenario: str
    settings: Mapping[str, str]
    free: tuple[Free, ...] = field(default=())
    # Times which its distance counts beside others': a list of all writes imitates more than a
    # system of a few numbers does.
    weight: float = 1.0

    @property
    def family(self) -> str:
        """What it has in common with its variants."""
        return self.name.split(",")[0].split(" without")[0].split(" of ")[0].split(" over ")[0]

    def at(self, values: Mapping[str, float]) -> dict[str, str]:
        """Return the settings with the free numbers at some values."""
        told = {each.key: each.text(values.get(each.key, each.start)) for each in self.free}
        return {**self.settings, **told}
