# SPDX-License-Identifier: GPL-2.0-only
"""The two ends of request and reply: what each offers, whether it holds small segments back, keeps
ACKs back, and the profile of a host whose SYN looks like it."""

from collections.abc import Iterator

import numpy as np

from study.base.project import HOSTS
from study.base.units import seconds
from study.captures.connection import RST, SYN, Offer
from study.diagnosis.finding import Finding, named, some, time_text, timed
from study.diagnosis.parameters_exchange import Exchange
from study.diagnosis.track import Track
from study.programs.declaration import declaration
from study.system.hosts import load_host

KEPT_BACK_S = 0.02  # an ACK that is so much later than its way waited for a timer
GREW = 1.5  # a window that ends so many times larger than it began has grown
UNSCALED_B = 65535  # what a header holds
LONG_S, STANDARD_RTO_S = 0.1, 1.0  # a wait near the timers of some; RFC 6298, 2.4
TODAYS_LINUX = "linux-6"
PROFILE_PREFIX = "client_"  # as the scenario has a profile's parameters
TEXTS = ("choice", "packet-list", "queue-size")
OWN_TIMES = ("reply_time", "segment_time")  # of a host: counted in its program's


def is_todays_linux(offer: Offer) -> bool:
    """Whether a SYN looks like it: it offers selective ACKs, timestamps and a window scale."""
    return offer.seen and offer.sack and offer.timestamps and offer.window_scale is not None


def _of_profile(end: str) -> Iterator[Finding]:
    """What a host of today's Linux has besides what the capture shows."""
    told = f"its SYN looks like a Linux of today: host profile {TODAYS_LINUX}"
    declared = declaration("request-reply").parameters
    profile = load_host(HOSTS / f"{TODAYS_LINUX}.toml").settings("request-reply")
    for key, setting in profile.items():
        own = key.removeprefix(PROFILE_PREFIX)
        if own not in OWN_TIMES:
            value = _typed(declared[f"{end}_{own}"].type, setting.value)
            yield Finding(f"{end}_{own}", value, setting.unit, "assumed", told)


def _of_todays_linux(key: str) -> float:
    """A time of its profile [s]."""
    profile = load_host(HOSTS / f"{TODAYS_LINUX}.toml").settings("request-reply")
    return seconds(profile[f"{PROFILE_PREFIX}{key}"].text)


def _typed(kind: str, text: str) -> object:
    """As a file writes a value of that type."""
    if kind == "boolean":
        return text == "true"
    return text if kind in TEXTS else float(text) if "." in text else int(text)


class Ends:
    """Both of them, of an exchange's turns."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange

    def findings(self) -> Iterator[Finding]:
        ends = ("client", "server")
        offers = self.exchange.connection.client_offer, self.exchange.connection.server_offer
        for end, offer, is_client in zip(ends, offers, (True, False), strict=True):
            yield from self._window(end, is_client)
            if not offer.seen:
                continue
            shift = offer.window_scale
            told = "no window scale" if shift is None else f"window scale {shift}"
            value = "none" if shift is None else str(min(shift, 14))
            yield Finding(f"{end}_window_scale", value, "", "measured", f"{told} in its SYN")
            if offer.mss:
                told = f"<mss {offer.mss}> in its SYN"
                yield Finding(f"{end}_mss", offer.mss, "B", "measured", told)
            for name, has in (("sack", offer.sack), ("timestamps", offer.timestamps)):
                told = "offered in its SYN" if has else "not offered in its SYN"
                yield Finding(f"{end}_{name}", has, "", "measured", told)
            if not is_todays_linux(offer):  # whose rule adds it to the round trip
                yield from self._never_sent_again(end, is_client)
        yield from self._stalls(True)
        yield from self._stalls(False)
        yield from self._not_held(True)
        yield from self._not_held(False)
        for end, offer in zip(ends, offers, strict=True):
            if is_todays_linux(offer):
                yield from _of_profile(end)

    def _never_sent_again(self, end: str, is_client: bool) -> Iterator[Finding]:
        """An ACK that comes late, and nothing was sent again before: no timer of that end is
        shorter than that (RFC 6298, 5.3)."""
        track = Track(self.exchange.connection, is_client, True)
        acks, _ = track.answers
        begun, ends = track.time[track.segments], track.end[track.segments]
        acks = acks[track.acked_before[acks] < ends.max(initial=0)]  # and no FIN's
        if track.again.any() or not len(acks):
            return
        first = np.searchsorted(ends, track.acked_before[acks], side="right")
        since = np.maximum(begun[first], np.concatenate((begun[:1], track.time[acks[:-1]])))
        waited_s = (track.time[acks] - since) / 1e9
        longest = int(np.argmax(waited_s))
        low_s = float(waited_s[longest])
        if low_s < LONG_S:
            return
        number = self.exchange.number(acks[longest : longest + 1])
        source = (
            f"nothing of the {end} was sent again, though an ACK came {time_text(low_s)} behind "
            f"what it acknowledges, {named(number)}; the standard's least, or twice that, is taken"
        )
        value_s = max(STANDARD_RTO_S, 2 * low_s)
        yield timed(f"{end}_minimum_rto", value_s, "bound", source, number, low_s=low_s)

    def _window(self, end: str, is_client: bool) -> Iterator[Finding]:
        """The usual of an end's packets; of one that grows with what arrives, its first and its
        largest."""
        own = self.exchange.packets[self.exchange.packets["from_client"] == is_client]
        plain = own["window"][(own["flags"] & (SYN | RST)) == 0]
        window = int(np.median(plain)) if len(plain) else 0
        if not window:
            return
        source = f"win {window}, the usual of the {end}'s packets"
        if plain.max() > GREW * plain[0] > 0:
            first, window = int(plain[0]), int(plain.max())
            source = f"win {window}, the largest of the {end}'s packets; it begins with {first}"
            yield Finding(f"{end}_first_window", first, "B", "measured", source)
        yield Finding(f"{end}_window", window, "B", "measured", source)
        if window > UNSCALED_B:
            told = "the window is larger than a header holds"
            yield Finding(f"{end}_window_scale", "auto", "", "derived", told)

    def _is_linux(self, is_client: bool) -> bool:
        """Whether an end has the profile, which knows when its ACKs wait."""
        connection = self.exchange.connection
        return is_todays_linux(connection.client_offer if is_client else connection.server_offer)

    def _not_held(self, of_client: bool) -> Iterator[Finding]:
        """Small segments in a row without an ACK between them: Nagle's algorithm is off."""
        found, packets = self.exchange.turns, self.exchange.packets
        talk = (found.of_client == of_client) & (found.segments >= 2)
        first, last = found.first[talk], found.last[talk]
        both = (packets["length"][first] < self.exchange.mss_B) & (
            packets["length"][last] < self.exchange.mss_B
        )
        at_once = both & (last - first == found.segments[talk] - 1)
        if at_once.sum() < max(2, len(first) // 2):
            return
        own = "client" if of_client else "server"
        numbers = self.exchange.number(last[at_once])
        source = f"a small segment follows another one before its ACK, {named(numbers)}"
        yield Finding(f"{own}_nagle", False, "", "derived", source, some(numbers))

    def _stalls(self, of_client: bool) -> Iterator[Finding]:
        """Nagle's algorithm at one end against the other's delayed ACK: what one end says in a turn
        goes on only after the other's ACK came late."""
        packets, time_s = self.exchange.packets, self.exchange.time_s
        found, way_s = self.exchange.turns, self.exchange.way_of(not of_client)
        talk = np.flatnonzero((found.of_client == of_client) & (found.segments >= 2))
        late: list[tuple[int, float]] = []
        soon: list[tuple[int, float]] = []
        for turn in talk:
            inside = np.arange(int(found.first[turn]) + 1, int(found.last[turn]))
            acks = inside[packets["from_client"][inside] != of_client]
            if not len(acks):
                continue
            wait_s = float(time_s[acks[0]] - time_s[acks[0] - 1]) - way_s
            (late if wait_s > KEPT_BACK_S else soon).append((int(acks[0]), wait_s))
        own, other = ("client", "server") if of_client else ("server", "client")
        often = max(2, len(talk) // 4)
        if len(late) < often:
            if len(soon) >= often and not late and not self._is_linux(not of_client):
                numbers = self.exchange.number(np.array([row for row, _ in soon]))
                source = f"each segment of the {own} has its ACK at once, {named(numbers)}"
                yield Finding(f"{other}_ack_frequency", 1, "1", "derived", source, some(numbers))
            return
        rows, waits = [row for row, _ in late], [wait_s for _, wait_s in late]
        numbers = self.exchange.number(np.array(rows))
        source = (
            f"what the {own} says goes on only after an ACK of the {other}, which comes that late, "
            f"{named(numbers)}"
        )
        middle_s = float(np.median(waits))
        told = f"{source}: the median of {len(waits):,}"
        own_s, tick_s = _of_todays_linux("delayed_ack"), _of_todays_linux("timer_tick")
        if self._is_linux(not of_client) and own_s <= middle_s < own_s + 2 * tick_s:
            told += f", {time_text(middle_s)}: {TODAYS_LINUX}'s timer and up to two of its ticks"
            middle_s = own_s
        yield timed(f"{other}_delayed_ack", middle_s, "derived", told, numbers)
        yield Finding(f"{own}_nagle", True, "", "derived", source, some(numbers))
        own_data = (self.exchange.packets["from_client"] == of_client) & (
            self.exchange.packets["length"] > 0
        )
        before = max(int(own_data[: rows[0]].sum()) - 1, 0)
        told = f"segments of the {own} before the first such ACK but the one it stands for"
        yield Finding(f"{other}_quick_acks", min(before, 255), "1", "derived", told, some(numbers))
