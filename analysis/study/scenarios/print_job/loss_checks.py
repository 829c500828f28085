# SPDX-License-Identifier: GPL-2.0-only
"""The laws of losses over three grids: every n-th packet lost, random losses, and a queue that the
transfer fills by itself."""

from collections.abc import Mapping
from operator import attrgetter

from study.kit import response
from study.kit.check import Check, Claim
from study.kit.grid import Axis, Grid, logarithmic, one_of
from study.kit.wire import path_time_s
from study.scenarios.print_job import lossy_path
from study.scenarios.print_job.long_path import line_rate_Bps, round_s, segment_B
from study.scenarios.print_job.messages import PrintJob
from study.system.system import Result

FEW = 29  # points: each run has tens of losses, and therefore tens of thousands of packets
LOSSES, STEADY = 24, 15  # number of losses, and the one from which on slow start no longer matters
BY_CHANCE = 80
BY_CHANCE_PCT = 30.0  # three standard deviations of an average over that many losses
LEAST_LOSS = 0.002
CUBICS_DECADE = 0.7  # CUBIC's law ends at 1 % loss, the others' at 2 %
TEETH, STEADY_TEETH = 6, 2
MSS_B = 1448  # of the system's 1460, with timestamps
# Tolerances for what the forms leave out: rounding to full segments, and the beginning and end of a
# recovery. Of a window of a dozen segments, one is almost a tenth.
SAWTOOTH_PCT, SHARE_PCT = 12.0, 8.0
# A delayed ACK would be visible at the end of every recovery.
PROMPT_ACKS = {"path_loss": "0", "delayed_ack_timeout": "1ms", "ack_latency": "1us"}
# Writes of a million bytes: there is always more to send, and runs take a fifth less time.
WRITES = {"first_write": "1000000", "write_size": "1000000"}
WIDE = {**WRITES, "path_rate": "1Gbps", "path_queue": "100000p"}


def _recoveries(result: Result) -> list[tuple[float, int]]:
    """Return each recovery's first retransmission time, and the bytes sent until then."""
    found: list[tuple[float, int]] = []
    apart_s = _longest_round_s(PrintJob.of(result.parameters))
    last_s, sent_B = -apart_s, 0
    for packet in result.packets:
        if packet.sender == "host" and packet.length:
            if packet.seq < sent_B:
                if packet.time_s - last_s > 1.5 * apart_s:
                    found.append((packet.time_s, packet.seq))
                last_s = packet.time_s
            sent_B = max(sent_B, packet.seq)
    return found


def _longest_round_s(job: PrintJob) -> float:
    """Return the round trip behind a queue that the transfer fills, in seconds."""
    overflows = not job.path_lost_packets
    return round_s(job) * (1 + lossy_path.queue(job) / lossy_path.pipe(job) * overflows)


def _steady_rate_Bps(result: Result, steady: int) -> float | None:
    recoveries = _recoveries(result)[steady:]
    if len(recoveries) < 3:
        return None
    (begin_s, begin_B), (end_s, end_B) = recoveries[0], recoveries[-1]
    return (end_B - begin_B) / (end_s - begin_s)


def _mean_window(result: Result) -> float | None:
    job = PrintJob.of(result.parameters)
    rate_Bps = _steady_rate_Bps(result, STEADY)
    return rate_Bps and rate_Bps * round_s(job) / segment_B(job)


def _line_share(result: Result) -> float | None:
    rate_Bps = _steady_rate_Bps(result, STEADY_TEETH)
    return rate_Bps and rate_Bps / line_rate_Bps(PrintJob.of(result.parameters))


def sawtooth_window(job: PrintJob) -> float:
    """Return the average window in segments if the lost packets have equal distances."""
    first, second = map(int, job.path_lost_packets.split(",")[:2])
    whole = job.congestion_control == "reno"  # Linux's; NewReno counts bytes
    return response.sawtooth_window(
        second - first,
        lossy_path.segments_per_count(job),
        response.WHOLE_SEGMENTS if whole else 0,
    )


def _every(point: Mapping[str, str]) -> dict[str, str]:
    """Return a list of lost packets with equal distances, and a job that is longer."""
    interval = int(point["path_lost_packets"])
    numbers = ",".join(str(interval * number) for number in range(1, LOSSES))
    return {"path_lost_packets": numbers, "job_size": str(MSS_B * LOSSES * interval)}


def _long_enough(point: Mapping[str, str]) -> dict[str, str]:
    """Return a loss fraction within the range of the congestion control's law, and a job with
    enough losses."""
    loss = float(point["path_loss"])
    if point["congestion_control"] == "cubic":
        loss = LEAST_LOSS * (loss / LEAST_LOSS) ** CUBICS_DECADE
    return {"path_loss": f"{loss:.4g}", "job_size": str(round(MSS_B * BY_CHANCE / loss))}


def _teeth(point: Mapping[str, str]) -> dict[str, str]:
    """Return a queue as a percentage of the pipe, and a job of TEETH teeth."""
    rate_bps = float(point["path_rate"].removesuffix("Mbps")) * 1e6
    rtt_s = float(point["rtt"].removesuffix("ms")) / 1e3
    pipe = rtt_s / path_time_s(1460, (rate_bps,), 0.0)
    queue = max(lossy_path.LEAST_QUEUE, round(float(point["path_queue"].rstrip("p")) / 100 * pipe))
    return {
        "path_queue": f"{queue}p",
        "job_size": str(round(MSS_B * (TEETH * 3 / 8 * 2 * (pipe + queue) ** 2))),
    }


CHECKS = (
    Check(
        "one packet in so many lost",
        Grid(
            "rebbr",
            (
                logarithmic("path_lost_packets", 80, 400),
                logarithmic("rtt", 20, 500, "ms"),
                one_of("congestion_control", "reno", "newreno"),
                one_of("ack_frequency", "0", "2"),
            ),
            {**PROMPT_ACKS, **WIDE},
            points=FEW,
            also=_every,
        ),
        (Claim(sawtooth_window, _mean_window, within_pct=SAWTOOTH_PCT),),
    ),
    Check(
        "packets lost by chance",
        Grid(
            "rebbr",
            (
                Axis("path_loss", lambda share: f"{LEAST_LOSS * 10**share:.4g}"),
                logarithmic("rtt", 10, 500, "ms"),
                one_of("congestion_control", "reno", "newreno", "cubic"),
                logarithmic("seed", 1, 1000),
            ),
            WIDE,
            points=FEW,
            also=_long_enough,
        ),
        (
            Claim(
                lossy_path.rate_Bps,
                attrgetter("throughput_Bps"),
                name="square_root_rate_Bps",
                within_pct=BY_CHANCE_PCT,
            ),
        ),
        packets=False,
    ),
    Check(
        "a queue that the transfer fills",
        Grid(
            "rebbr",
            (
                logarithmic("path_rate", 1, 2.5, "Mbps"),
                logarithmic("rtt", 100, 250, "ms"),
                logarithmic("path_queue", 10, 200, "p"),  # percentage of the pipe
            ),
            {"path_loss": "0", "congestion_control": "newreno"},
            points=FEW,
            also=_teeth,
        ),
        (Claim(lossy_path.line_share, _line_share, within_pct=SHARE_PCT),),
    ),
)
