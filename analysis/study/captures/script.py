# SPDX-License-Identifier: GPL-2.0-only
"""Packet scripts out of captures: what one end received and sent, as tests/model/connection has it.

    python -m study.captures.script --sentence "..." FILE client > NAME.pkt

The capture is one made at that end. When its application wrote is not in it: each run of new data
up to a PSH counts as written when the run begins, or with --at-once all data when the connection
opens.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from study.captures.connection import ACK, FIN, LETTERS, PSH, SYN, Connection, Offer
from study.captures.reading import read


def script(
    connection: Connection,
    client: bool,
    packets: int,
    at_once: bool = False,
    settings: Iterable[str] = (),
) -> list[str]:
    """Return the lines of a script of one end of a connection, without its sentence.

    Parameters
    ----------
    client : which end it is of
    packets : how many are taken
    at_once : whether all data are written when the connection opens
    settings : others than linux-6's, as NAME=VALUE
    """
    rows = np.asarray(connection.packets)
    offer = connection.client_offer if client else connection.server_offer
    window = rows["window"][(rows["from_client"] == client) & (rows["flags"] & SYN > 0)][0]
    lines = ["use linux-6", "set Tolerance 4ms", f"set Window {window}"]
    lines += [] if offer.window_scale is None else [f"set WindowScale {offer.window_scale}"]
    lines += ["set Push any"] * at_once  # the kernel's flag also ends each block of a large write
    lines += [f"set {each.replace('=', ' ')}" for each in settings]
    return [*lines, *_exchange(connection, rows, packets, client, at_once)]


def _exchange(
    connection: Connection, rows: np.ndarray, packets: int, client: bool, at_once: bool
) -> Iterator[str]:
    offers = {True: connection.client_offer, False: connection.server_offer}
    written, last_ns = 1, 0
    size = int(connection.packets["length"][connection.packets["from_client"] == client].sum())
    for place, row in enumerate(rows[:packets]):
        own = bool(row["from_client"]) == client
        wait = f"+{round((row['time_ns'] - last_ns) / 1e3)}us"
        end = int(row["seq"] + row["length"])
        if own and row["flags"] & SYN and not row["flags"] & ACK:
            yield f"{wait} connect"
            wait = "+0"
        elif own and end > written and row["length"]:
            run = size if at_once else _run(rows[place:], client) - written
            yield f"{wait} write {run}"
            written += run
            wait = "+0"
        if own and row["flags"] & FIN:
            yield f"{wait} close"
            wait = "+0"
        last_ns = round(row["time_ns"] / 1e3) * 1000
        yield f"{wait} {'>' if own else '<'} {_segment(row, own, offers)}"
    yield "+0 stop"


def _run(rows: np.ndarray, client: bool) -> int:
    """Return the end of the run of new data that begins here."""
    end = 0
    for row in rows:
        if bool(row["from_client"]) == client and row["length"]:
            end = max(end, int(row["seq"] + row["length"]))
            if row["flags"] & PSH:
                break
    return end


def _segment(row: np.ndarray, own: bool, offers: dict[bool, Offer]) -> str:
    flags = "".join(letter for letter, flag in LETTERS.items() if row["flags"] & flag)
    numbers = f"{row['seq']}:{row['seq'] + row['length']}" if row["length"] else f"{row['seq']}"
    words = [flags, numbers]
    if row["ack"] >= 0:
        words.append(f"ack {row['ack']}")
    scales = all(each.window_scale is not None for each in offers.values())
    offer = offers[bool(row["from_client"])]
    syn = bool(row["flags"] & SYN)
    if not own:
        words.append(f"win {row['window'] >> (offer.window_scale if scales and not syn else 0)}")
    options = _options(offer) if syn else []
    if not own and row["sacked_from"] >= 0:
        options.append(f"sack {row['sacked_from']}:{row['sacked_to']}")
    return " ".join([*words, *([f"<{', '.join(options)}>"] if options and not own else [])])


def _options(offer: Offer) -> list[str]:
    named = {"mss": offer.mss, "wscale": offer.window_scale}
    options = [f"{name} {value}" for name, value in named.items() if value is not None]
    return options + ["sackOK"] * offer.sack + ["TS"] * offer.timestamps


def main(arguments: Sequence[str] | None = None) -> str:
    """Return the script of one end of a capture's largest connection, as the command line asks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sentence", default="As the kernel does it.")
    parser.add_argument("capture")
    parser.add_argument("end", choices=["client", "server"])
    parser.add_argument("--packets", type=int, default=40)
    parser.add_argument("--at-once", action="store_true")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args(arguments)
    connection = read(given.capture).connections[0]
    told = (given.packets, given.at_once, given.set)
    words = ["study.captures.script", given.capture, given.end, f"--packets={given.packets}"]
    words += ["--at-once"] * given.at_once + [f"--set={each}" for each in given.set]
    lines = [f"# {given.sentence}", "", f"# python -m {' '.join(words)}"]
    return "\n".join([*lines, *script(connection, given.end == "client", *told), ""])


if __name__ == "__main__":
    print(main(), end="")
