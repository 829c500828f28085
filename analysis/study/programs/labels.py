# SPDX-License-Identifier: GPL-2.0-only
"""A parameter as a reader writes it, made of its declaration: beside a control, on an axis, in a
sentence. A value on an axis has a unit of its own choice there, if it is a time or a rate."""

import re

from study.base.errors import unknown
from study.base.units import UNITS, for_readers
from study.programs import values
from study.programs.declaration import Parameter

SPELT = {"ack": "ACK", "acks": "ACKs", "cpu": "CPU", "lan": "LAN", "mss": "MSS", "nagle": "Nagle"}
SPELT |= {"mtu": "MTU", "rtt": "RTT", "sack": "SACK"}
NAMES = {"bbr": "BBR", "cubic": "CUBIC", "reno": "Reno"}  # choices that are proper names
FRACTION = ("real", "0", "1")  # type and range of a fraction
LARGER = {"ns": "us", "us": "ms", "ms": "s", "bps": "kbps", "kbps": "Mbps", "Mbps": "Gbps"}
THOUSANDS = re.compile(r"(?<=\d)(?=(?:\d{3})+$)")


def spelt(key: str) -> str:
    """Return a key as words: "ack_latency" is "ACK latency"."""
    return " ".join(SPELT.get(word, word) for word in key.split("_"))


def unit(parameter: Parameter) -> str:
    """Return the unit of the typed number; the texts of times and rates include theirs."""
    return parameter.unit if parameter.unit in ("B", "bit", "MHz") else ""


def axis_label(parameter: Parameter, shown_in: str = "") -> str:
    """Return an axis label with its unit: "ACK latency (ms)"."""
    per(parameter, shown_in)
    shown = shown_in or unit(parameter)
    return f"{spelt(parameter.key)} ({shown})" if shown else spelt(parameter.key)


def per(parameter: Parameter, shown_in: str = "") -> float:
    """Return the size of an axis unit in the smallest unit: a million for a time in "ms". Raise
    StudyError if the parameter has no such unit."""
    if not shown_in:
        return 1.0
    units = UNITS.get(parameter.type, {})
    if shown_in.replace("bit/s", "bps") not in units:
        raise unknown("unit", shown_in, units)
    return units[shown_in.replace("bit/s", "bps")]


def said(parameter: Parameter, text: str) -> str:
    """Return a value as in a sentence: "256 kbit/s", "150,000 B", "1 %", "200 ms", "on".
    A time or rate has the unit in which it is below 1000."""
    if parameter.type == "boolean":
        return {"true": "on", "false": "off"}[values.read(parameter, text).text]
    if parameter.choices:
        return NAMES.get(text, text)
    if (parameter.type, parameter.min, parameter.max) == FRACTION:
        return f"{float(values.read(parameter, text).text) * 100:g} %"
    readable = values.readable(parameter, values.read(parameter, text).text)
    number, letters = re.fullmatch(r"([^a-z]*)(.*)", readable, re.I).groups()
    while letters in LARGER and float(number) >= 1000:
        number, letters = f"{float(number) / 1000:.10g}", LARGER[letters]
    shown = THOUSANDS.sub(",", number) if number.isdigit() and len(number) > 4 else number
    return for_readers(f"{shown} {letters.replace('bps', 'bit/s') or unit(parameter)}").strip()
