# SPDX-License-Identifier: GPL-2.0-only
"""What a transfer waited for, in one sentence with its numbers."""

from collections.abc import Mapping

from study.diagnosis.finding import TIMES, Finding, share
from study.diagnosis.parameters import Found
from study.programs.declaration import all_limits, declaration
from study.programs.values import is_number
from study.system.settings import BOUND
from study.trials.reliefs import first_key

# What only a capture shows.
OTHERS = {"close": "all is acknowledged, and the receiver has not closed the connection yet"}
# Where the capture shows less, or more, than the words say of a simulated run.
BUSY, NO_RATE = "the line is carrying frames", "frames are on the line, whose rate nothing shows"
OWN_PROGRAM = "the sender's program has nothing to send"
GROWING = "the congestion window, still growing, has no room"
ON_ITS_WAY = "a command or its reply is on its way"
KEPT_BACK = "the {1} keeps back its ACK on purpose, and the {0}'s next small segment waits for it"
ENDS = ("client", "server")
RATES = ("link_rate", "path_rate")
OF_LOSSES = ("congestion_window", "loss_recovery")
SIZES = dict(TIMES)  # of their units, ns
MOST = 2  # numbers that it tells
SECOND = 0.1  # a second wait of so much of the time is named, too
MUCH = 0.4  # of the time: a wait of less is not what makes it slow
NAMES = {"mss": "MSS", "rtt": "round trip", "ack_latency": "ACK latency"}


def sentence(
    limits_s: Mapping[str, float],
    found: Found,
    rate_Bps: float | None,
    lost: tuple[int, int] = (0, 0),
) -> str:
    """One sentence; of `lost` the packets that were, and all that were sent."""
    named = named_limits(limits_s)
    if not named:
        return "Nothing was waited for."
    main = named[0]
    text = f"{share(limits_s, main):.0%} of the time {_words(main, found, lost[0])}"
    if share(limits_s, main) < MUCH:
        text = f"No one wait makes it slow: {text}"
    shown = (_shown(found, key) for key in _about(main, found.scenario))
    numbers = [_told(each) for each in shown if each and _matters(each, limits_s[main])]
    if lost[0] and main in OF_LOSSES:
        numbers.insert(0, f"{lost[0]:,} of {lost[1]:,} packets lost")
    if numbers:
        text += f" ({', '.join(numbers[:MOST])})"
    for second in named[1:]:
        text += f"; {share(limits_s, second):.0%} {_words(second, found, lost[0], False)}"
    commands = found.get("commands")
    if commands is not None:
        return f"{text}: {commands.value:,} commands in {sum(limits_s.values()):,.3f} s."
    rate = f": {rate_Bps:,.0f} B/s" if rate_Bps else ""
    return f"{text}{rate}."


def _words(limit: str, found: Found, lost: int, is_main: bool = True) -> str:
    """What the limit is a wait for. That a line can carry no more is said only of one that is most
    of it, and whose rate is seen; a raw job's sender answers nobody; and of an exchange it is told
    whose ACK it is."""
    if limit == "link":
        seen = any(_seen(found, key) for key in RATES)
        return (_meaning(limit) if is_main else BUSY) if seen else NO_RATE
    raw = found.get("protocol")
    if limit == "application" and raw is not None and raw.value == "raw":
        return OWN_PROGRAM
    if limit == "congestion_window" and not lost:
        return GROWING
    if found.get("commands") is not None:
        if limit == "round_trip":
            return ON_ITS_WAY
        for own, other in (ENDS, ENDS[::-1]):
            if limit == "delayed_ack" and _seen(found, f"{other}_delayed_ack"):
                return KEPT_BACK.format(own, other)
    return _meaning(limit)


def _about(limit: str, scenario: str) -> list[str]:
    """The numbers with a unit that its reliefs are about."""
    declared = declaration(scenario)
    if limit not in declared.limits:
        return []
    told = declared.limits[limit]
    keys = [first_key(text) for text in (*told.reliefs, *told.behind)]
    parameters = [declared.parameter(key) for key in dict.fromkeys(keys)]
    return [each.key for each in parameters if is_number(each) and each.unit not in ("", "1")]


def _meaning(limit: str) -> str:
    told = all_limits()
    return told[limit].words if limit in told else OTHERS.get(limit, limit)


def _seen(found: Found, key: str) -> bool:
    each = _shown(found, key)
    return each is not None and each.basis != BOUND


def _matters(each: Finding, seconds: float) -> bool:
    """A time that there is once must be a part of what it is to explain."""
    if each.key != "think_time" or each.unit not in SIZES:
        return True
    return float(each.value) * SIZES[each.unit] / 1e9 >= SECOND * seconds


def named_limits(limits_s: Mapping[str, float]) -> list[str]:
    """What the sentence names: the largest, and the second if it is large, too."""
    ranked = sorted((name for name in limits_s if limits_s[name] > 0), key=lambda n: -limits_s[n])
    return [*ranked[:1], *(name for name in ranked[1:2] if share(limits_s, name) >= SECOND)]


def _shown(found: Found, key: str) -> Finding | None:
    """What was assumed is nothing that the capture tells."""
    each = found.get(key)
    return None if each is None or each.basis == "assumed" else each


def _told(finding: Finding) -> str:
    """Of a bound the end that is known."""
    name = NAMES.get(finding.key, finding.key.replace("_", " "))
    ends = (("at least ", finding.low), ("at most ", finding.high))
    known = [each for each in ends if each[1] is not None and finding.basis == BOUND]
    word, value = known[0] if known else ("", finding.value)
    if isinstance(value, float):
        return f"{name} {word}{value:.4g} {finding.unit}".rstrip()
    return f"{name} {word}{value} {finding.unit}" if known else f"{name} {finding.text}"
