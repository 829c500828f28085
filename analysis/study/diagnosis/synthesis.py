# SPDX-License-Identifier: GPL-2.0-only
"""Diagnosis by synthesis: the cause of a transfer's speed is the limit of the system whose
simulation gives its packets."""

from collections.abc import Mapping
from dataclasses import dataclass

from study.captures.connection import Connection
from study.diagnosis.bench import Bench
from study.diagnosis.byte_curves import Curves, of_connection, parting
from study.diagnosis.candidate import EXCHANGE
from study.diagnosis.candidates import candidates
from study.diagnosis.exchanges import exchange_candidates, is_exchange, replay
from study.diagnosis.facts import Facts
from study.diagnosis.fit import Fitted, Target, fit
from study.diagnosis.near import NEAR, Nearby, agree
from study.diagnosis.phases import RATE_FACTOR
from study.diagnosis.transfer import Transfer
from study.diagnosis.tried_reliefs import SHARE, Relief, main_limit, reliefs
from study.diagnosis.vantage import Vantage

# Distance from which on nothing fits: of the captures of known cause none of a right cause lies
# above it.
NOTHING_FITS = 0.15
NAMED_TOGETHER = 1.05  # second best over best distance: of 16 such causes 8 were right
PARTED = 0.05  # of all bytes: so far apart two transfers have parted
OF_A_PROGRAM = ("client_application", "server_application")


@dataclass(frozen=True)
class Answer:
    """What the simulations say of a stretch."""

    curves: Curves  # of the capture
    is_exchange: bool
    fitted: tuple[Fitted, ...]  # the nearest first
    reliefs: tuple[Relief, ...]  # of the nearest, the largest gain first
    nearby: Nearby  # simulated when it is asked for

    @property
    def best(self) -> Fitted:
        return self.fitted[0]

    @property
    def ranges(self) -> Mapping[str, tuple[float, float]]:
        """Of each limit's relief the least and the largest gain over the near systems."""
        return self.nearby.ranges

    @property
    def limits_s(self) -> dict[str, float]:
        """The budget of the nearest candidate's run."""
        return {key: each for key, each in self.best.run.limits_s.items() if each > 0}

    @property
    def limit(self) -> str:
        """The cause, as the run has it."""
        return main_limit(list(self.reliefs), self.limits_s)

    @property
    def main(self) -> str:
        """The cause, as the words of limits_s; of a bulk transfer a program is the application."""
        limit = self.limit
        return "application" if limit in OF_A_PROGRAM and not self.is_exchange else limit

    @property
    def rival(self) -> Fitted | None:
        """The nearest candidate of another family."""
        own = self.best.candidate.family
        return next((each for each in self.fitted[1:] if each.candidate.family != own), None)

    @property
    def confidence(self) -> float | None:
        """The weighted distance of the rival, divided by that of the best one."""
        if self.rival is None or self.best.distance <= 0:
            return None
        return self.rival.rank / self.best.rank

    @property
    def fits(self) -> bool:
        """Whether the nearest candidate is near enough, and about as fast."""
        rates = self.best.run.curves.rate_Bps, self.curves.rate_Bps
        return self.best.distance <= NOTHING_FITS and max(rates) < RATE_FACTOR * min(rates)

    def tells(self, limit: str) -> bool:
        """Return whether the near systems agree on what the relief of a limit brings."""
        low, high = self.ranges[limit]
        return self.fits and agree(1 + low, 1 + high)

    @property
    def rate_off(self) -> float:
        """The simulated rate over the captured one, less 1."""
        return self.best.run.curves.rate_Bps / self.curves.rate_Bps - 1

    @property
    def parting_s(self) -> float | None:
        """Time since the first data at which the curves of the nearest run and the capture first
        differ by more than PARTED."""
        return parting(self.curves, self.best.run.curves, PARTED)


def synthesize(
    stretch: Connection, captured: Connection, vantage: Vantage, seconds: float
) -> Answer | None:
    """Fit candidate systems to a stretch, for so many CPU seconds at most; None where none runs.

    Facts are taken in the sender's time (`stretch`). What was captured at the receiver is compared
    with what arrives at the receiver of the simulation (`captured`, the same packets).
    """
    facts = Facts(Transfer(stretch), vantage)
    by_turns = is_exchange(stretch)
    seen = of_connection(captured, by_turns)
    if seen is None:
        return None
    proposed = list(exchange_candidates(facts) if by_turns else candidates(facts))
    proposed += replay(facts)
    with Bench(seconds) as bench:
        at_receiver = captured is not stretch
        target = Target(seen, by_turns, stretch.bulk_from_client, at_receiver)
        fitted, tried = fit(bench, target, proposed)
        found = [each for each in fitted if each.run is not None]
        if not found:
            return None
        found, eased = _with_a_cause(bench, found)
        nearby = Nearby(bench, target, tuple(found), tuple(tried), tuple(eased))
        return Answer(seen, by_turns, nearby.found, nearby.eased, nearby)


def _with_a_cause(bench: Bench, found: list[Fitted]) -> tuple[list[Fitted], list[Relief]]:
    """Return the fitted candidates, first the nearest that does not only imitate the packets, and
    its reliefs. A list of writes imitates if most of its time is another limit's, and no relief
    makes it faster by SHARE. If the others are much farther away, it stays."""
    first: list[Relief] = []
    for place, each in enumerate(found):
        if each.distance > NEAR * found[0].distance:
            break
        eased = reliefs(bench, each.candidate.scenario, each.settings, each.run.limits_s)
        first = first or eased
        main = max(each.run.limits_s, key=each.run.limits_s.__getitem__, default="")
        is_list = "turns" in each.settings and main not in OF_A_PROGRAM
        if not is_list or any(relief.gain >= SHARE for relief in eased):
            return [each, *found[:place], *found[place + 1 :]], eased
    return found, first


def scenario_of(stretch: Connection) -> str:
    """Return which scenario a capture is put to where nothing is fitted."""
    return EXCHANGE if is_exchange(stretch) else "print-job"
