# SPDX-License-Identifier: GPL-2.0-only
"""The closed forms of a print job over five grids, one for each limit of a job."""

from operator import attrgetter
from statistics import mean

from study.kit.check import Check, Claim, Region
from study.kit.grid import Grid, logarithmic, one_of, share
from study.kit.wire import wire_time_s
from study.scenarios.print_job import cycles, long_path, loss_checks, messages, pauses, whole_job
from study.scenarios.print_job.messages import PrintJob
from study.scenarios.print_job.quantities import JUDGES
from study.system.system import Result

MINIMUM_AND_GAP_B = 6 + 12  # a minimum frame and the gap after it (IEEE 802.3: 96 bits)
# Only the file: no small writes at first, and no dialogue.
BULK = {"protocol": "raw", "first_write": "1000000", "write_size": "1000000"}
BULK["interactive_bytes"] = "0"


def _usual_cycle_s(result: Result) -> float | None:
    """Return the time from ACK to ACK in seconds. None unless most of the job has cycles in which
    one ACK covers all that the host sends."""
    cycle_s, rate_Bps, cycles = (
        JUDGES.read(kind)(result) for kind in ("steady_cycle", "cycle_rate", "full_window_cycles")
    )
    if not cycle_s or cycles * cycle_s * rate_Bps < result.bytes / 2:
        return None
    burst_B = messages.burst_B(PrintJob.of(result.parameters))
    return cycle_s if abs(cycle_s * rate_Bps - burst_B) < 1 else None


def _mean_segment_B(result: Result) -> float | None:
    """Return the second half's mean segment size; the first window has full segments."""
    late = [
        packet.length
        for packet in result.packets
        if packet.sender == "host" and packet.length and packet.seq > result.bytes / 2
    ][:-1]  # without the last segment, a rest
    return mean(late) if late else None


def _line_is_slow(job: PrintJob) -> bool:
    segments = messages.burst_B(job) / messages.segment_B(job)
    return segments * cycles.busy_segment_s(job) > job.ack_latency_s


def _window_opens_late(job: PrintJob) -> bool:
    late = cycles.window_update_s(job) > 0.01 * cycles.window_cycle_s(job)
    return late and job.receive_window_B >= 3 * messages.segment_B(job)


def _probe_meets_opening(job: PrintJob) -> bool:
    """Return whether a stall ends near a probe; each doubling may be off by another tick."""
    opening_s = pauses.stall_s(job)
    return any(
        abs(pauses.probe_time_s(job, number) - opening_s)
        < number * job.timer_tick_s + job.window_probe_latency_s
        for number in range(1, 12)
    )


def _share_of_last_window(job: PrintJob) -> float:
    sent_B, _ = long_path.slow_start(job)
    window_B = long_path.window_B(job)
    return (messages.file_B(job) - sent_B) % window_B / window_B


OVERLAP = Region(
    "the line is slow",
    _line_is_slow,
    "A burst takes longer on the line than the device waits with its ACK, so ACKs leave while the "
    "burst still comes in, and the host goes on before it is through. The formula lets sending and "
    "waiting follow one another, or the line never rest; the truth lies between.",
)
HALF_OPEN = Region(
    "the window opens late",
    _window_opens_late,
    "The device's buffer empties some time after the ACK, and a window of three segments or more "
    "is then partly shut: the host sends what still fits and the rest after the update. The "
    "formula knows only a window that is shut or open.",
)

SHARED_LINE = Region(
    "the line is still busy",
    lambda job: (
        wire_time_s(MINIMUM_AND_GAP_B, job.link_rate_bps)
        > min(job.think_time_s, job.job_command_time_s)
    ),
    "Host or device speak again while their own last small frame is still on the line, and wait "
    "for it. The formula gives every message a free line.",
)
SEVERAL_ACKS = Region(
    "several ACKs answer a burst",
    lambda job: cycles.covered_B(job) < messages.burst_B(job),
    "The threshold is reached before the burst is out, so ACKs and segments overlap, and the host "
    "never waits as long as the formula's one exchange.",
)
LAST_SEGMENT = Region(
    "a rest goes with the last burst",
    lambda job: 0 < job.job_size_B % cycles.covered_B(job) <= whole_job.room_behind_B(job),
    "What is left at the end goes with the last burst, and the two together, or the rest alone, "
    "are on the other side of the threshold. The formula looks at whole bursts.",
)
FREE_TIMER = Region(
    "the timer runs freely",
    lambda job: job.delayed_ack_timer == "free-running",
    "The first and the last ACK that are withheld wait for the timer's next tick, whenever that "
    "is; the formula lets them wait from tick to tick. In a long job it does not show.",
)
LAST_PROBE = Region(
    "a probe meets the opening",
    _probe_meets_opening,
    "The stall ends within a few ticks of the host's clock of a probe, or while one is being "
    "answered: which comes first hangs on where in its tick each probe falls, which the formula "
    "takes as the middle.",
)
LINE_AND_PORT = Region(
    "the line is no faster than the port",
    lambda job: (
        wire_time_s(cycles.port_limited_segment_B(job), job.link_rate_bps)
        + wire_time_s(0, job.link_rate_bps)
        > 0.5 * cycles.port_limited_segment_B(job) / cycles.port_rate_Bps(job)
    ),
    "A small segment and the ACKs of the port's chunks take the line for as long as the port takes "
    "for the chunk, so openings wait, and some go out together. The formula has a port that limits "
    "alone.",
)
LAST_ROUND = Region(
    "a small rest goes with the last window",
    lambda job: _share_of_last_window(job) < 0.15,
    "Slow start ends inside a window, so what is left behind the whole windows is known to a "
    "segment or two. A small rest may have gone with the window before; the formula gives it a "
    "round trip of its own, which is some percent of a job of thirty.",
)

CHECKS = (
    Check(
        "one window a cycle",
        Grid(
            "hawking-hps1u",
            (
                logarithmic("receive_window", 256, 65535),
                logarithmic("ack_latency", 0.5, 100, "ms"),
                logarithmic("ack_latency_per_byte", 1, 1000, "ns"),
                logarithmic("mss", 256, 1460),
                logarithmic("send_buffer", 4096, 131072),
                logarithmic("link_rate", 5, 100, "Mbps"),
                logarithmic("drain_latency", 0.01, 20, "ms"),
                logarithmic("reply_time", 5, 200, "us"),
                logarithmic("segment_time", 1, 50, "us"),
                one_of("initial_window", "1", "2", "4", "10"),
                logarithmic("job_size", 32768, 131072),
                one_of("segment_bound", "mss", "half-window"),
            ),
            BULK,
            points=509,
        ),
        (
            Claim(
                whole_job.whole_job_s,
                attrgetter("duration_s"),
                (OVERLAP, HALF_OPEN),
            ),
            Claim(cycles.window_cycle_s, _usual_cycle_s, (OVERLAP, HALF_OPEN)),
        ),
    ),
    Check(
        "the dialogue around the file",
        Grid(
            "hawking-hps1u",
            (
                logarithmic("interactive_ack_latency", 0.1, 50, "ms"),
                logarithmic("syn_ack_latency", 0.1, 50, "ms"),
                logarithmic("job_command_time", 0.1, 50, "ms"),
                logarithmic("think_time", 10, 10000, "us"),
                logarithmic("reply_time", 5, 200, "us"),
                logarithmic("link_rate", 5, 100, "Mbps"),
                logarithmic("receive_window", 1460, 8760),
                logarithmic("ack_latency", 10, 200, "ms"),
                logarithmic("job_size", 20000, 99999),
            ),
            {"send_buffer": "65535"},
        ),
        (
            Claim(
                messages.syn_ack_s,
                JUDGES.read("syn_ack", **{"from": "device", "flags": "S"}),
            ),
            Claim(
                lambda job: messages.interactive_reply_s(job, messages.COMMAND_B),
                JUDGES.read("interactive_reply", **{"from": "device", "ack": 6, "length": 0}),
                (SHARED_LINE,),
                "interactive_reply_s",
            ),
            Claim(
                attrgetter("job_command_time_s"),
                JUDGES.read("command_reply", **{"from": "device", "ack": 6, "length": 1}),
                (SHARED_LINE,),
                "job_command_time",
            ),
        ),
    ),
    Check(
        "ACKs withheld",
        Grid(
            "imagen-v2",
            (
                logarithmic("receive_window", 2048, 32768),
                share("ack_threshold", 0.05, 0.95),
                logarithmic("delayed_ack_timeout", 20, 1000, "ms"),
                one_of("delayed_ack_timer", "one-shot", "free-running"),
                logarithmic("send_buffer", 512, 32768),
                logarithmic("mss", 512, 1460),
                logarithmic("reply_time", 10, 2000, "us"),
                logarithmic("segment_time", 10, 2000, "us"),
                logarithmic("job_size", 262144, 524288),
                one_of("segment_bound", "mss", "half-window"),
            ),
            BULK,
            points=509,
        ),
        (
            Claim(
                whole_job.whole_job_s,
                attrgetter("duration_s"),
                (SEVERAL_ACKS, FREE_TIMER, LAST_SEGMENT),
            ),
            Claim(
                cycles.window_cycle_s,
                _usual_cycle_s,
                (SEVERAL_ACKS, FREE_TIMER),
            ),
        ),
    ),
    Check(
        "the printer's port and silly windows",
        Grid(
            "troy-pocketpro-100s",
            (
                logarithmic("receive_window", 2920, 5840),
                logarithmic("port_rate", 0.2, 8, "Mbps"),
                logarithmic("port_chunk", 128, 1460),
                one_of("silly_window_avoidance", "rfc1122", "none"),
                one_of("device_silly_window_avoidance", "true", "false"),
                logarithmic("mss", 512, 1460),
                logarithmic("job_size", 131072, 262144),
            ),
            BULK,
        ),
        (
            Claim(
                cycles.port_limited_segment_B,
                _mean_segment_B,
                (LINE_AND_PORT,),
            ),
        ),
    ),
    Check(
        "pauses and window probes",
        Grid(
            "linksys-ppsx1",
            (
                logarithmic("receive_window", 256, 1460),
                logarithmic("drain_pause", 0.5, 20, "s"),
                logarithmic("drain_pause_every", 10000, 50000),
                logarithmic("ack_latency", 0.5, 20, "ms"),
                logarithmic("drain_latency", 0.1, 20, "ms"),
                logarithmic("first_persist_timeout", 50, 300, "ms"),
                logarithmic("window_probe_latency", 0.1, 20, "ms"),
                logarithmic("job_size", 100000, 200000),
            ),
            {**BULK, "ack_latency_spread": "0ns", "drain_latency_spread": "0ns"},
        ),
        (
            Claim(pauses.stall_s, JUDGES.read("stall")),
            Claim(
                pauses.probes_in_a_stall,
                JUDGES.read("probes_in_a_stall"),
                (LAST_PROBE,),
            ),
            Claim(
                pauses.probe_answer_s,
                JUDGES.read("probe_answer", **{"from": "device", "window": 0, "probes": 1}),
            ),
            Claim(
                whole_job.whole_job_s,
                attrgetter("duration_s"),
                (LAST_PROBE,),
            ),
        ),
    ),
    Check(
        "a window a round trip of a path",
        Grid(
            "hawking-hps1u",
            (
                logarithmic("rtt", 2, 400, "ms"),
                logarithmic("path_rate", 1, 100, "Mbps"),
                logarithmic("receive_window", 4380, 65535),
                logarithmic("send_buffer", 16384, 262144),
                one_of("initial_window", "2", "4", "10"),
                logarithmic("reply_time", 5, 200, "us"),
                logarithmic("job_size", 200000, 600000),
            ),
            {
                **BULK,
                "link": "path",
                "path_queue": "1000p",
                "ack_latency": "100us",
                "ack_latency_per_byte": "0ns",
                "minimum_rto": "1s",
            },
        ),
        (Claim(long_path.transfer_s, attrgetter("duration_s"), (LAST_ROUND,)),),
    ),
    *loss_checks.CHECKS,
)
