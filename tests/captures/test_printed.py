# SPDX-License-Identifier: GPL-2.0-only
"""tcpdump's text, in the forms that people have: today's and of old, with each of its ways to print
the time, in the middle of prose, with packets left out."""

import shutil
import subprocess
from pathlib import Path

import pytest
from study import captures
from study.base.project import ROOT
from study.captures.connection import ACK, FIN, PSH, RST, SYN
from study.judging import notation

from tests.captures import making

TIMES_US = [0, 700, 800, 1013, 6222, 6400]
CLOCK = "12:00:00.{0:06d} "
TODAY = [
    "IP 10.0.0.1.1023 > 10.0.0.2.515: Flags [S], seq 378464836, win 502,"
    " options [mss 1460,sackOK,TS val 5 ecr 0,nop,wscale 7], length 0",
    "IP 10.0.0.2.515 > 10.0.0.1.1023: Flags [S.], seq 81752064, ack 378464837, win 2920,"
    " options [mss 1460,nop,nop,TS val 9 ecr 5,nop,wscale 2], length 0",
    "IP 10.0.0.1.1023 > 10.0.0.2.515: Flags [.], ack 1, win 502, length 0",
    "IP 10.0.0.1.1023 > 10.0.0.2.515: Flags [P.], seq 1:6, ack 1, win 502,"
    " options [nop,nop,TS val 6 ecr 9], length 5: LPR",
    "IP 10.0.0.2.515 > 10.0.0.1.1023: Flags [.], ack 6, win 730,"
    " options [nop,nop,sack 1 {11:21}], length 0",
    "IP 10.0.0.1.1023 > 10.0.0.2.515: Flags [F.], seq 6, ack 1, win 502, length 0",
]
OF_OLD = [
    "10.0.0.1.1023 > 10.0.0.2.515: S 378464836:378464836(0) win 502"
    " <mss 1460,sackOK,timestamp 5 0,nop,wscale 7> (DF)",
    "10.0.0.2.515 > 10.0.0.1.1023: S 81752064:81752064(0) ack 378464837 win 2920"
    " <mss 1460,nop,nop,timestamp 9 5,nop,wscale 2>",
    "10.0.0.1.1023 > 10.0.0.2.515: . ack 1 win 502 (DF)",
    "10.0.0.1.1023 > 10.0.0.2.515: P 1:6(5) ack 1 win 502 <nop,nop,timestamp 6 9> (DF)",
    "10.0.0.2.515 > 10.0.0.1.1023: . ack 6 win 730 <nop,nop,sack sack 1 {11:21} >",
    "10.0.0.1.1023 > 10.0.0.2.515: F 6:6(0) ack 1 win 502 (DF)",
]


def differences(times: list[int]) -> list[int]:
    return [after - before for before, after in zip([times[0], *times], times, strict=False)]


def stamped(lines: list[str], form: str, times: list[int]) -> str:
    return "\n".join(form.format(us) + line for us, line in zip(times, lines, strict=True)) + "\n"


TEXTS = {
    "today": stamped(TODAY, CLOCK, TIMES_US),
    "-tt": stamped(TODAY, "1760000000.{0:06d} ", TIMES_US),
    "-ttt": stamped(TODAY, " 00:00:00.{0:06d} ", differences(TIMES_US)),
    "-tttt": stamped(TODAY, "2026-11-22 12:00:00.{0:06d} ", TIMES_US),
    "-ttttt": stamped(TODAY, " 00:00:00.{0:06d} ", TIMES_US),
    "in ns": stamped(TODAY, "12:00:00.{0:06d}000 ", TIMES_US),
    "-i any": stamped([f"eth0  Out {line}" for line in TODAY], CLOCK, TIMES_US),
    "-e": stamped(
        [
            "02:00:00:00:00:01 > 02:00:00:00:00:02, ethertype IPv4 (0x0800), length 74: "
            + line.removeprefix("IP ")
            for line in TODAY
        ],
        CLOCK,
        TIMES_US,
    ),
    "-i any -e": stamped(
        [
            "lo    In  ifindex 1 00:00:00:00:00:00 ethertype IPv4 (0x0800), length 80: "
            + line.removeprefix("IP ")
            for line in TODAY
        ],
        CLOCK,
        TIMES_US,
    ),
    "-v": stamped(
        [
            "IP (tos 0x0, ttl 64, id 7, offset 0, flags [DF], proto TCP (6), length 60)\n    "
            + line.removeprefix("IP ").replace("], ", "], cksum 0x1a2b (incorrect -> 0x3c4d), ", 1)
            for line in TODAY
        ],
        CLOCK,
        TIMES_US,
    ),
    "of old": stamped(OF_OLD, CLOCK, TIMES_US),
    "of old, -ttt": stamped(OF_OLD, "{0:06d} ", differences(TIMES_US)),
    "in a paragraph": "# tcpdump -ttt port printer tcpdump: listening on eth0 "
    + stamped(OF_OLD, "{0:06d} ", differences(TIMES_US)).replace("\n", " This answers 10 > 5: ... ")
    + "and that is all.",
    "numbers as they are, -S": stamped(TODAY, CLOCK, TIMES_US)
    .replace("seq 1:6, ack 1,", "seq 378464837:378464842, ack 81752065,")
    .replace("ack 1, win 502, length", "ack 81752065, win 502, length")
    .replace("ack 6", "ack 378464842")
    .replace("seq 6", "seq 378464842")
    .replace("{11:21}", "{378464847:378464857}"),
}


@pytest.mark.parametrize("form", TEXTS)
def test_every_form_of_the_text_is_the_same_transfer(form: str, read):
    capture = read(TEXTS[form].encode())
    (connection,) = capture.connections
    assert (connection.client, connection.server) == ("10.0.0.1:1023", "10.0.0.2:515")
    packets = connection.packets
    assert packets["time_ns"].tolist() == [1000 * us for us in TIMES_US]
    assert packets["flags"].tolist() == [SYN, SYN | ACK, ACK, PSH | ACK, ACK, FIN | ACK]
    assert packets["seq"].tolist() == [0, 0, 1, 1, 1, 6]
    assert packets["length"].tolist() == [0, 0, 0, 5, 0, 0]
    assert packets["ack"].tolist() == [-1, 1, 1, 1, 6, 1]
    assert packets["window"].tolist() == [502, 2920, 502 << 7, 502 << 7, 730 << 2, 502 << 7]
    assert packets["ts_value"].tolist() == [5, 9, -1, 6, -1, -1]
    assert packets["ts_echo"].tolist() == [0, 5, -1, 9, -1, -1]
    assert (packets["sacked_from"][4], packets["sacked_to"][4]) == (11, 21)
    assert connection.client_offer == captures.connection.Offer(True, 1460, 7, True, True)
    assert connection.server_offer == captures.connection.Offer(True, 1460, 2, False, True)
    assert connection.holes == connection.notes == capture.notes == ()


def test_a_text_without_times_says_so(read):
    capture = read("\n".join(TODAY).encode())
    assert not capture.connections[0].packets["time_ns"].any()
    assert "printed with -t" in capture.notes[0].sentence


def test_the_time_goes_on_over_packets_that_are_none_of_tcp(read):
    lines = stamped(TODAY, " 00:00:00.{0:06d} ", differences(TIMES_US)).splitlines()
    lines.insert(3, " 00:00:00.000050 ARP, Request who-has 10.0.0.9 tell 10.0.0.1, length 28")
    (connection,) = read("\n".join(lines).encode()).connections
    times = [1000 * us for us in TIMES_US]
    assert connection.packets["time_ns"].tolist() == times[:3] + [us + 50_000 for us in times[3:]]


def test_a_syn_begins_another_connection_unless_it_is_sent_again(read):
    other = [line.replace("378464836", "4").replace("378464837", "5") for line in TODAY]
    for lines, packets in (
        ([TODAY[0], *TODAY], [7]),
        ([*TODAY, *other], [6, 6]),
        ([*TODAY[3:], *TODAY], [3, 6]),
    ):
        found = read(stamped(lines, CLOCK, list(range(len(lines)))).encode()).connections
        assert sorted(len(each.packets) for each in found) == packets


def test_midnight_is_no_clock_that_goes_back(read):
    stamps = ["23:59:59.999000", "23:59:59.999500", "00:00:00.000500"]
    text = "\n".join(f"{at} {line}" for at, line in zip(stamps, TODAY[2:5], strict=True))
    (connection,) = read(text.encode()).connections
    assert connection.packets["time_ns"].tolist() == [0, 500_000, 1_500_000]


def test_a_text_that_begins_in_the_middle_counts_from_its_first_number(read):
    """Today's tcpdump prints the first numbers whole and the later ones from there."""
    lines = [
        "IP A.1 > B.2: Flags [P.], seq 3000000000:3000001448, ack 77, win 502, length 1448",
        "IP A.1 > B.2: Flags [P.], seq 1448:2896, ack 1, win 502, length 1448",
        "IP B.2 > A.1: Flags [.], ack 2896, win 502, length 0",
    ]
    (connection,) = read(stamped(lines, CLOCK, [0, 10, 20]).encode()).connections
    assert connection.packets["seq"].tolist() == [1, 1449, 1]
    assert connection.packets["ack"].tolist() == [1, 1, 2897]
    assert connection.holes == ()


def test_a_hole_is_where_numbers_jump_over_what_never_comes(read):
    lines = [
        "A.1 > B.2: P 1:1001(1000) ack 1 win 502",
        "A.1 > B.2: P 2001:3001(1000) ack 1 win 502",  # the one before is lost, and comes again
        "B.2 > A.1: . ack 1001 win 502",
        "A.1 > B.2: P 1001:2001(1000) ack 1 win 502",
        "B.2 > A.1: . ack 3001 win 502",
        "A.1 > B.2: P 9001:10001(1000) ack 1 win 502",
        "B.2 > A.1: . ack 10001 win 502",
        "B.2 > A.1: . ack 20001 win 502",
    ]
    times = [10 * index for index in range(len(lines))]
    (connection,) = read(stamped(lines, CLOCK, times).encode()).connections
    assert connection.packets["seq"].tolist()[:4] == [1, 2001, 1, 1001]
    assert connection.holes == (5, 7)
    assert connection.notes[-1].sentence == "the text leaves packets out at 2 places"


def test_a_hole_is_where_the_text_says_that_it_skips(read):
    line = "A.1 > B.2: P {0}:{1}(1000) ack 1 win 502"
    said = "... (some packets deleted)"
    text = f"000000 {line.format(1, 1001)}\n{said}\n000010 {line.format(1001, 2001)}\n"
    assert read(text.encode()).connections[0].holes == (1,)
    assert read(text.replace(said, "... same thing").encode()).connections[0].holes == ()


def test_windows_that_are_not_printed_are_told(read):
    """As the RFCs leave them out for clarity."""
    text = "17:57:15.2 A.1174 > B.3999: . 2049:3497(1448) ack 1\n"
    text += "17:57:15.3 B.3999 > A.1174: . ack 3497\n"
    (connection,) = read(text.encode()).connections
    assert connection.packets["window"].tolist() == [-1, -1]
    assert connection.packets["time_ns"].tolist() == [0, 100_000_000]
    assert connection.notes[-1].kind == "text"


def test_ipv6_addresses_are_shown_with_brackets(read):
    text = "12:00:00.1 IP6 fe80::1.1023 > fe80::2.515: Flags [.], seq 1:6, ack 1, win 9, length 5\n"
    connection = read(text.encode()).connections[0]
    assert (connection.client, connection.server) == ("[fe80::1]:1023", "[fe80::2]:515")


def test_a_payload_that_is_printed_with_it_is_none_of_it(read):
    """tcpdump -A and -x, of a segment of 64 kB: a search that began anew at each letter of it would
    not end."""
    text = stamped(TODAY, CLOCK, TIMES_US).replace(
        "\n", "\n" + "x" * 64_000 + "\n\t0x0000:  4500\n"
    )
    (connection,) = read(text.encode()).connections
    assert connection.packets["time_ns"].tolist() == [1000 * us for us in TIMES_US]


@pytest.mark.skipif(shutil.which("tcpdump") is None, reason="tcpdump is not installed")
@pytest.mark.parametrize("flags", ["-tt", "-ttt", "-tttt", "-ttttt", "-v", "-e", "-S", "-A"])
def test_what_tcpdump_prints_of_a_capture_is_the_same_transfer(flags: str, tmp_path: Path):
    file, text = tmp_path / "job.pcap", tmp_path / "job.txt"
    file.write_bytes(making.pcap(making.frames(making.transfer())))
    with file.open() as given, text.open("wb") as printed:
        subprocess.run(["tcpdump", "-n", flags, "-r", "-"], stdin=given, stdout=printed, check=True)
    (ours,), (told,) = (captures.read(each).connections for each in (file, text))
    for name in ours.packets.dtype.names:
        assert told.packets[name].tolist() == ours.packets[name].tolist(), name


TRACES = sorted(ROOT.glob("tests/*/timelines/*.txt"))
HOLES = {"hawking-hps1u": (16, 28), "netware-packet-burst": (5,)}


@pytest.mark.parametrize("trace", TRACES, ids=lambda path: path.stem)
def test_the_sources_traces_read_as_their_own_notation_does(trace: Path):
    """The same packets; where no SYN is printed numbers count from the first."""
    told = [packet for packet in notation.read(trace).packets]
    (connection,) = captures.read(trace).connections
    packets = connection.packets
    assert packets["length"].tolist() == [packet.segment.length for packet in told]
    assert packets["window"].tolist() == [packet.segment.window for packet in told]
    assert packets["time_ns"].tolist() == [
        1000 * sum(each.delta_us for each in told[1 : index + 1]) for index in range(len(told))
    ]
    flags = {SYN: "S", FIN: "F", RST: "R"}
    for packet, row in zip(told, packets, strict=True):
        assert packet.segment.control == "".join(
            letter for bit, letter in flags.items() if row["flags"] & bit
        )
    if told[0].segment.flags == "S":
        acks = [packet.segment.ack for packet in told]
        assert packets["ack"].tolist() == [-1 if ack is None else ack for ack in acks]
        numbers = [(p.segment.seq, int(row["seq"])) for p, row in zip(told, packets, strict=True)]
        assert [pair for pair in numbers if pair[0] != pair[1] and pair[0] != 0] == []
    assert connection.holes == HOLES.get(trace.stem, ())
