# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the arithmetic: it gives what the sources compute, the parameters follow from the
trace, and the simulation agrees with it far from the measured point, too."""

from dataclasses import replace
from statistics import median

import pytest
from study import Result, System
from study.base.units import seconds
from study.judging import notation
from study.kit.wire import wire_time_s
from study.scenarios.print_job import cycles, messages, whole_job
from study.scenarios.print_job.messages import PrintJob


@pytest.fixture
def job(hawking_run: Result) -> PrintJob:
    return PrintJob.of(hawking_run.parameters)


def test_a_full_ethernet_frame_takes_1518_octets_and_a_small_one_64():
    assert wire_time_s(1460, 10e6) == pytest.approx(1518 * 0.8e-6)
    assert wire_time_s(0, 10e6) == wire_time_s(6, 10e6) == 51.2e-6
    assert wire_time_s(7, 10e6) == pytest.approx(52e-6)


@pytest.mark.parametrize(
    ("window_B", "usable_B"),
    # below one segment all of it; above, whole segments, as a rest is less than half the window
    [
        (512, 512),
        (1024, 1024),
        (1460, 1460),
        (2919, 1460),
        (2920, 2920),
        (4096, 2920),
        (5840, 5840),
    ],
)
def test_the_host_fills_a_window_with_whole_segments(job: PrintJob, window_B: int, usable_B: int):
    assert messages.usable_window_B(replace(job, receive_window_B=window_B)) == usable_B


def test_the_job_has_the_bytes_of_the_trace(job: PrintJob):
    assert messages.job_bytes_B(job) == 22_226_561  # relative sequence 1 to 22226562


def test_the_latencies_follow_from_the_trace(hawking: System):
    """Redo the arithmetic that the system file shows, from the trace and the wire times alone."""
    packets = notation.read(hawking.trace).packets

    def wait_us(ack: int, length: int = 0) -> int:
        wanted = ("device", ack, length)
        return next(
            p.delta_us
            for p in packets
            if (p.segment.sender, p.segment.ack, p.segment.length) == wanted
        )

    def less_wire_us(wait_us: float, message_B: int) -> float:
        wires_s = wire_time_s(message_B, 10e6) + wire_time_s(0, 10e6)
        return wait_us - wires_s * 1e6 - 2 * 0.5

    answers = [(wait_us(6), 5), (wait_us(40, 1), 34), (wait_us(22226501, 1), 28)]
    answers += [(wait_us(22226562, 1), 61), (wait_us(22226563), 0)]
    expected_us = {
        "ack_latency": less_wire_us(wait_us(23040) + 7, 1460),
        "syn_ack_latency": less_wire_us(wait_us(1), 0),
        "interactive_ack_latency": median(less_wire_us(*answer) for answer in answers),
    }
    for key, us in expected_us.items():
        setting = hawking.settings[key]
        assert seconds(setting.value + setting.unit) * 1e6 == pytest.approx(us, abs=0.05), key


@pytest.mark.parametrize(
    ("window_B", "latency"),
    # below one segment, one, more but not a whole number, whole numbers
    [
        (512, "20ms"),
        (1024, "117ms"),
        (1460, "1ms"),
        (4096, "10ms"),
        (5840, "117ms"),
        (11680, "50ms"),
    ],
)
def test_the_simulated_job_takes_the_time_of_the_closed_form(
    hawking: System, window_B: int, latency: str
):
    """Within 0.5 %: the formula leaves out slow start and the times of the writes."""
    result = hawking.with_(receive_window=window_B, ack_latency=latency).run()
    expected_s = whole_job.whole_job_s(PrintJob.of(result.parameters))
    assert result.outcome == "finished"
    assert result.duration_s == pytest.approx(expected_s, rel=0.005)


def test_a_line_that_never_rests_carries_what_the_closed_form_says(hawking: System):
    """Within 5 %, and never more: on the busy line frames also wait for ns-3's random backoff."""
    result = hawking.with_(receive_window=65535, ack_latency="1ms").run()
    expected_Bps = cycles.steady_rate_Bps(PrintJob.of(result.parameters))
    assert 0.95 * expected_Bps <= result.throughput_Bps <= expected_Bps


def test_the_measured_job_takes_the_time_of_the_closed_form(job: PrintJob, hawking_run: Result):
    """Within 10 ms of 896 s; what the formula leaves out is less."""
    assert hawking_run.duration_s == pytest.approx(whole_job.whole_job_s(job), abs=0.01)


BULK = {"protocol": "raw", "first_write": 1_000_000, "write_size": 1_000_000}


@pytest.mark.parametrize(
    "changes",
    [
        # twice two segments fit: the host never waits for the buffer
        {"receive_window": 8760, "send_buffer": 2920, "drain_latency": "20ms"},
        # they do not: it waits after each ACK
        {"receive_window": 2920, "drain_latency": "20ms"},
        # ten ACKs until the window is full, each adding a segment; 1 % of the job
        {"receive_window": 17520, "initial_window": 2, "job_size": 14_600_000},
        # the rest of 100 B goes with the last pair of segments, which a smaller window parts
        {"receive_window": 3500, "job_size": 29_300},
        {"receive_window": 2920, "job_size": 29_300},
    ],
    ids=["room for two bursts", "shut window", "slow start", "rest rides", "rest alone"],
)
def test_what_the_device_and_the_start_add_is_in_the_closed_form(hawking: System, changes: dict):
    """To a thousandth of a job of few cycles, so that one exchange more or less is seen."""
    result = hawking.with_(**{"job_size": 146_000, **BULK, **changes}).run()
    expected_s = whole_job.whole_job_s(PrintJob.of(result.parameters))
    assert result.duration_s == pytest.approx(expected_s, rel=0.001)
