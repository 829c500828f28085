# SPDX-License-Identifier: GPL-2.0-only
"""Packets as tcpdump prints them, found in a text: alone on their lines, or in the middle of
somebody's prose, as articles have them. Both forms: that of versions before 4.0 ("P 1:6(5) ack 1
win 32120 <mss 1460> (DF)") and that of today ("Flags [P.], seq 1:6, ack 1, win 502, length 5").
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from study.base.errors import StudyError

NS = 10**9
MOST_DIGITS = 10  # of 32 bits, as in a header, and of seconds since 1970

STAMP = (
    r"(?P<day>\d{4}-\d\d-\d\d|\d\d/\d\d/\d{4})\s+(?P<hour>\d\d:\d\d:\d\d(?:\.\d+)?)(?!\S)"  # -tttt
    r"|(?P<clock>\d\d?:\d\d:\d\d(?:\.\d+)?)(?!\S)"  # none, -ttt and -ttttt
    r"|(?P<epoch>\d+\.\d{3,9})(?!\S)"  # -tt
    r"|(?:(?P<whole>\d+)\. )?(?P<delta>\d{6,})(?!\S)"  # -ttt of old
)
LINE_STAMP = re.compile(rf"^[ \t]*(?:{STAMP})\s", re.MULTILINE)
# The stamp before a packet; in between may be the interface, the frame and the IP header (-i any,
# -e, -v).
OWN_STAMP = re.compile(
    rf"(?<!\S)(?:{STAMP})\s+(?:\S+\s+(?:In|Out|[BMPOI])\s+)?(?:[^\n]*?, length \d+: )?(?:IP6?\s+)?"
    r"(?:\([^\n]*\)\s*)?\Z"
)
NEW_FORM = (
    r"Flags \[(?P<flags>[A-Za-z.]*)\](?:, cksum \w+ \([^)]*\))?"
    r"(?:, seq (?P<seq>\d+)(?::(?P<end>\d+))?)?(?:, ack (?P<ack>\d+))?(?:, win (?P<win>\d+))?"
    r"(?:, urg \d+)?(?:, options \[(?P<options>[^\]]*)\]?\])?, length (?P<length>\d+)"
)
OLD_FORM = (
    r"(?P<flags_o>[SFRPWEU]+|\.)(?:\s+\[[^\]]*\])?"
    r"(?:\s+(?P<seq_o>\d+):(?P<end_o>\d+)\((?P<length_o>\d+)\))?(?:\s+ack\s+(?P<ack_o>\d+))?"
    r"(?:\s+win\s+(?P<win_o>\d+))?(?:\s+urg\s+\d+)?"
    r"(?:\s*\\?\s*<(?P<options_o>[^>\n]*(?:\n[^>\n]*)?)>)?"
)
# A name follows a blank and has limited length, unlike a payload that -A prints.
NAME = r"[^\s>]{1,255}"
PACKET = re.compile(
    rf"(?<!\S)(?P<source>{NAME}) > (?P<target>{NAME}): (?:{NEW_FORM}|{OLD_FORM})(?!\w)"
)
STAMP_REACH = 800  # characters before a packet in which its stamp must be
QUIET = re.compile(r"\S+ > \S+: tcp \d+", re.IGNORECASE)
LEFT_OUT = re.compile(
    r"\.\.\.[^.]{0,40}\b(?:delet|skip|omit|snip|left out|cut)|<snip>|\[snip", re.I
)


@dataclass(frozen=True)
class Stamp:
    """The time stamp before a printed packet."""

    kind: str  # "day", "clock", "epoch" or "delta"
    ns: int
    resolution_ns: int


@dataclass(frozen=True)
class Line:
    """A printed packet, or None for a field that was not printed."""

    stamp: Stamp | None
    passed: tuple[Stamp, ...]  # stamps of other protocols' packets before it
    source: str
    target: str
    flags: str
    seq: int | None
    length: int
    ack: int | None
    window: int | None
    options: str
    left_out: bool  # whether the text says that packets before this one are left out

    @property
    def syn(self) -> bool:
        return "S" in self.flags


def packets_in(text: str) -> Iterator[Line]:
    """Yield every TCP packet that a text prints."""
    place = 0
    for match in PACKET.finditer(text):
        both = {name: match[name] or match[f"{name}_o"] for name in ("seq", "ack", "win")}
        if not any(both.values()):
            continue  # prose with a similar form
        between = text[place : match.start()]
        near = max(0, len(between) - STAMP_REACH)
        own = OWN_STAMP.search(between, near)
        others = LINE_STAMP.finditer(between, 0, own.start() if own else len(between))
        place = match.end()
        flags = match["flags"] if match["flags"] is not None else match["flags_o"]
        options = match["options"] or match["options_o"] or ""
        yield Line(
            _stamp(own) if own else None,
            tuple(_stamp(other) for other in others),
            endpoint(match["source"]),
            endpoint(match["target"]),
            flags,
            number(both["seq"]),
            number(match["length"] or match["length_o"]) or 0,
            number(both["ack"]),
            number(both["win"]),
            " ".join(options.split()),
            bool(LEFT_OUT.search(between)),
        )


def endpoint(printed: str) -> str:
    """Return an address as this package writes it: "10.0.0.1:1023" for tcpdump's 10.0.0.1.1023."""
    address, dot, port = printed.rpartition(".")
    if not dot:
        return printed
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def number(text: str | None) -> int | None:
    """Return a printed number, or raise StudyError if it has too many digits."""
    if text is not None and len(text.lstrip("0")) > MOST_DIGITS:
        raise StudyError(
            f"the text has a number of {len(text)} digits ({text[:20]}) in a packet, whose numbers"
            f" have {MOST_DIGITS} at most: tcpdump did not print it"
        )
    return None if text is None else int(text)


def _stamp(match: re.Match) -> Stamp:
    if match["delta"]:
        return Stamp(
            "delta", number(match["whole"] or "0") * NS + number(match["delta"]) * 1000, 1000
        )
    if match["epoch"]:
        return Stamp("epoch", *_fraction(match["epoch"]))
    hours, minutes, seconds = (match["clock"] or match["hour"]).split(":")
    ns, resolution_ns = _fraction(seconds)
    ns += (int(hours) * 60 + int(minutes)) * 60 * NS
    if match["clock"]:
        return Stamp("clock", ns, resolution_ns)
    form = "%Y-%m-%d" if "-" in match["day"] else "%m/%d/%Y"
    try:
        midnight = datetime.strptime(match["day"], form).replace(tzinfo=UTC)
    except ValueError:
        raise StudyError(f"the text has {match['day']} in front of a packet: no date") from None
    return Stamp("day", ns + int(midnight.timestamp()) * NS, resolution_ns)


def _fraction(seconds: str) -> tuple[int, int]:
    whole, _, digits = seconds.partition(".")
    digits = digits[:9]
    return number(whole) * NS + int(digits.ljust(9, "0")), 10 ** (9 - len(digits))
