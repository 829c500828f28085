# SPDX-License-Identifier: GPL-2.0-only
"""A fast-forwarded run tells what the full run tells, in every number and to the nanosecond."""

import random

import pytest
from both_ways import alike, batch, both, difference, taken
from study import systems
from study.system.hosts import hosts

POINTS = 320
JOB_B = 1_000_000  # the largest: some hundred cycles of most devices, and a short full run


def some_host(draw: random.Random) -> list[str]:
    settings = hosts[draw.choice(sorted(hosts))].settings("print-job")
    return [f"--{key.replace('_', '-')}={setting.text}" for key, setting in settings.items()]


def some_point(draw: random.Random, largest_job_B: int = JOB_B) -> list[str]:
    """A lossless job without random numbers, anything else about it drawn."""
    values: dict[str, object] = {
        "protocol": draw.choice(["lpr", "raw"]),
        "job-size": draw.randint(1, draw.choice([5000, largest_job_B, largest_job_B])),
        "receive-window": draw.choice([512, 1024, 1460, 2048, 2920, 4096, 8760, 16384, 65535]),
        "mss": draw.choice([536, 1000, 1024, 1460]),
        "ack-latency": f"{draw.choice([1, 20, 300, 5000, 49999, 117000, 250000])}us",
        "ack-latency-per-byte": f"{draw.choice([0, 0, 0, 7, 850])}ns",
        "link-rate": draw.choice(["10Mbps", "10Mbps", "100Mbps", "1Mbps"]),
    }
    sometimes: dict[str, list[object]] = {
        "receive-window": [draw.randint(1000, 65535)],
        "ack-latency": [f"{draw.randint(1, 200_000_000)}ns"],
        "send-buffer": [2048, 4096, 8192, 65535, draw.randint(1000, 70000)],
        "drain-latency": ["1742us", "30ms", "1ns"],
        "port-rate": ["16Mbps", "8Mbps", "1Mbps", "300kbps"],
        "port-chunk": [128, 512, 768, 1460, 4096],
        "drain-pause-every": [20_000, 50_000, 200_001],
        "drain-pause": ["3ms", "150ms", "700ms"],
        "ack-threshold": [0.2, 0.5, 0.75],
        "delayed-ack-timer": ["one-shot", "free-running"],
        "delayed-ack-timeout": ["200ms", "500ms", "33ms"],
        "device-silly-window-avoidance": ["true", "false"],
        "ack-frequency": [1, 2, 3],
        "device-quick-acks": [1, 16],
        "window-updates": ["rfc1122", "bsd", "from-zero"],
        "interactive-ack-latency": ["7655600ns", "1ms"],
        "interactive-bytes": [0, 300, 100_000],
        "silly-window-avoidance": ["rfc1122", "whole-segment", "none", "burst"],
        "segment-bound": ["mss", "half-window"],
        "override-timeout": ["500ms", "20ms"],
        "minimum-rto": ["200ms", "1s", "50ms"],
        "first-persist-timeout": ["200ms", "20ms"],
        "timer-tick": ["1ns", "10ms", "500ms", "1ms"],
        "nagle": ["true", "false"],
        "initial-window": [1, 2, 10, 64],
        "write-returns": ["all-fits", "acknowledged"],
        "write-time": ["110us", "5ms", "40ms"],
        "write-size": [512, 768, 4096, 65536],
        "think-time": ["1ns", "107us"],
        "reply-time": ["13us", "1ms", "30ms"],
        "segment-time": ["7us", "1ns", "1ms"],
        "time-limit": ["20s", "3s"],
    }
    for flag, choices in sometimes.items():
        if draw.random() < 0.3:
            values[flag] = draw.choice(choices)
    if values.get("timer-tick") == "1ns":
        values["timer-wheel"] = "false"  # which a host may have: no kernel's tick is so short
    host = some_host(draw) if draw.random() < 0.5 else []
    return [*host, *(f"--{flag}={value}" for flag, value in values.items())]


def test_any_job_tells_the_same_both_ways(program):
    records = alike(some_point, POINTS)
    # Else nothing was tested: a good part was fast-forwarded, of each kind.
    fast = taken(records)
    assert len(fast) > POINTS / 5
    assert {record["parameters"]["protocol"] for record in fast} == {"lpr", "raw"}
    assert {record["outcome"] for record in fast} == {"finished", "cut-off"}
    held_by = {max(each["limits_s"], key=each["limits_s"].get) for each in fast}
    assert held_by >= {"receive_window", "drain", "delayed_ack", "link", "send_buffer"}


def over_a_path(draw: random.Random) -> list[str]:
    """A job over a path whose queues forget nothing but what is in them."""
    point = some_point(draw)
    values: dict[str, list[str]] = {
        "rtt": ["0ms", "1ms", "10ms", "40ms", "200ms"],
        "path-rate": ["500kbps", "1Mbps", "10Mbps", "100Mbps"],
        "path-rate-back": ["0bps", "0bps", "64kbps", "256kbps"],
        "path-queue": ["5p", "20p", "100p", "9000B"],
        "path-queue-back": ["0p", "0p", "2p"],
    }
    path = [f"--{flag}={draw.choice(choices)}" for flag, choices in values.items()]
    return [*point, "--link=path", *path]


def test_any_job_over_a_path_tells_the_same_both_ways(program):
    records = alike(over_a_path, POINTS // 2, seed=2)
    assert len(taken(records)) > POINTS / 10
    assert any(full["path_queue_drops"] for _, full in records)


def over_frame_relay(draw: random.Random) -> list[str]:
    """A job through a frame-relay network, which may mark, drop and congest."""
    point = some_point(draw)
    values: dict[str, list[str]] = {
        "branch-access-rate": ["256kbps", "64kbps", "512kbps", "1Mbps"],
        "headquarters-access-rate": ["1Mbps", "2Mbps", "256kbps"],
        "cloud-delay": ["57535us", "10ms", "1ms"],
        "router-latency": ["0s", "1ms", "137us"],
        "committed-rate": ["0bps", "64kbps", "128kbps", "none", "none"],
        "router-queue": ["100", "20", "5"],
        "switch-queue": ["100", "20", "5"],
        "congestion-threshold": ["50", "10", "3"],
        "stuffed-bits": ["0", "0.016", "0.1"],
    }
    wan = [
        f"--{flag}={draw.choice(choices)}"
        for flag, choices in values.items()
        if draw.random() < 0.5
    ]
    kept = [flag for flag in point if not flag.startswith("--link-rate")]
    return [*kept, "--link=frame-relay", *wan]


def test_any_job_over_frame_relay_tells_the_same_both_ways(program):
    records = alike(over_frame_relay, POINTS // 2, seed=3)
    assert len(taken(records)) > POINTS / 20
    marked = [fast for fast in taken(records) if fast["wan_frames_marked"]]
    assert marked, "no bucket was ever empty"
    assert any(full["wan_frames_congested"] for _, full in records)


@pytest.mark.parametrize(
    "name", [name for name in systems if systems[name].scenario == "print-job"]
)
def test_every_measured_system_tells_the_same_both_ways(program, name: str):
    system = systems[name]
    ((fast, full),) = both([system.flags()])
    assert difference(fast, full) == {}
    in_full = name in (
        "linksys-ppsx1",
        "rebbr",
    )  # latencies taken from a spread at random, and losses
    assert fast["method"] == ("full" if in_full else "fast-forwarded")


def test_nearly_all_of_a_large_job_is_taken_off(program):
    for name in ("hawking-hps1u", "netgear-ps101"):
        result = systems[name].run()
        segments_a_cycle = 2 if name == "hawking-hps1u" else 1
        assert result.record["cycles_skipped"] * segments_a_cycle > 0.99 * result.record["segments"]


def test_nearly_all_of_a_send_buffer_is_taken_off(program):
    """What is written at once is not simulated to its last octet either."""
    system = systems["http2-go"].with_(send_buffer=100_000_000, job_size=50_000_000)
    ((fast, full),) = both([system.flags()])
    assert difference(fast, full) == {}
    assert fast["simulated_share"] < 0.03


FAST_FORWARDED = {
    "netgear-ps101": {"job_size": 500_000},
    "relook-400s": {"job_size": 2_000_000},
    "netware": {},
    "telnet-xp": {"commands": 1000},
}
BY_CHANCE = {
    "netgear-ps101": [
        {"loss_to_host": 1e-6},
        {"loss_to_device": 1e-6},
        {"ack_latency_spread": "1ns"},
        {"drain_latency_spread": "1ns"},
        {"link": "frame-relay", "loss_to_branch": 1e-6},
        {"link": "frame-relay", "loss_to_headquarters": 1e-6},
        {"link": "path", "path_loss": 1e-6},
        {"link": "path", "path_lost_packets_back": "3"},
        {"link": "path", "path_queue_kind": "codel"},
    ],
    "relook-400s": [
        {"loss_to_host": 1e-6},
        {"loss_to_device": 1e-6},
        {"ack_latency_spread": "1ns"},
        {"link": "path", "path_loss": 1e-6},
        {"link": "path", "path_queue_kind": "red"},
        {"link": "frame-relay", "loss_to_branch": 1e-6},
        {"congestion_control": "bbr"},
    ],
    "netware": [{"loss_to_branch": 1e-6}, {"loss_to_headquarters": 1e-6}],
    "telnet-xp": [{"link": "path", "path_loss": 1e-6}],
}


@pytest.mark.parametrize("name", BY_CHANCE)
def test_what_depends_on_chance_runs_in_full(program, name: str):
    system = systems[name].with_(**FAST_FORWARDED[name])
    assert system.run().record["method"] == "fast-forwarded"
    for chance in BY_CHANCE[name]:
        record = system.with_(**chance).run().record
        assert (record["method"], record["cycles_skipped"]) == ("full", 0), chance


SATELLITE = ["--link=path", "--path-delay=300ms", "--path-rate=10Mbps", "--protocol=raw"]
FULL_BECAUSE = {
    "not-tried": ["--fast-forward=false"],
    "short": ["--job-size=2000"],
    "losses": [*SATELLITE, "--path-loss=0.01"],
    "chance": ["--ack-latency-spread=1us"],
    "queue": [*SATELLITE, "--path-queue-kind=codel"],
    "recovery": [
        *("--link=path", "--path-delay=20ms", "--path-rate=2Mbps", "--path-queue=5p"),
        "--job-size=1000000",
    ],
    "window": ["--link=frame-relay", "--committed-rate=64kbps", "--job-size=1000000"],
    "timer": [
        *("--link=path", "--path-delay=20ms", "--path-rate=2Mbps", "--timer-tick=10ms"),
        *("--silly-window-avoidance=burst", "--drain-pause-every=50000", "--job-size=1500000"),
    ],
    # The last piece of the window is a small segment, which moves by a place in each round trip.
    "irregular": [
        *SATELLITE,
        *(
            "--receive-window=65535",
            "--segment-bound=half-window",
            "--silly-window-avoidance=burst",
        ),
        *("--congestion-control=cubic", "--send-buffer=4194304", "--send-buffer-rule=linux"),
        *("--ack-frequency=1", "--job-size=10000000"),
    ],
}


@pytest.mark.parametrize("word", FULL_BECAUSE)
def test_a_full_run_says_in_a_word_why(program, word: str):
    (record,) = batch("print-job", [FULL_BECAUSE[word]])
    assert (record["method"], record["full_because"]) == ("full", word)


def test_a_run_that_leaves_packets_runs_in_full(program, tmp_path):
    system = systems["netgear-ps101"].with_(job_size=500_000)
    for kept in (system.run(segments=True), system.run(pcap=tmp_path / "job.pcap")):
        assert (kept.record["method"], kept.record["cycles_skipped"]) == ("full", 0)


CASES = {
    # Cycles without a pause say nothing of the pause to come: stop before each, go on behind it.
    "pauses": {"drain_pause_every": 1_000_000, "job_size": 5_000_000},
    # Probes of the closed window during a pause leave at ticks of the host's clock.
    "probes at ticks": {
        "drain_pause_every": 700_000,
        "drain_pause": "1337ms",
        "timer_tick": "10ms",
        "job_size": 3_000_000,
    },
    # Full windows are acknowledged at once, the last one waits for a timer that runs freely.
    "free-running timer at the end": {
        "ack_threshold": 0.5,
        "delayed_ack_timer": "free-running",
        "delayed_ack_timeout": "437ms",
        "minimum_rto": "1s",
        "job_size": 999_700,
    },
    # The timer paces the cycles themselves.
    "free-running timer in the cycle": {
        "ack_threshold": 1,
        "delayed_ack_timer": "free-running",
        "delayed_ack_timeout": "33ms",
    },
    # Every second segment; the odd one of each window waits for the timer, or for the update.
    "every second segment": {"ack_frequency": 2, "receive_window": 4380, "drain_latency": "0s"},
    "a timer in each cycle": {
        "ack_frequency": 3,
        "receive_window": 2920,
        "drain_latency": "0s",
        "delayed_ack_timeout": "40ms",
    },
    "updates as in BSD": {"ack_frequency": 4, "window_updates": "bsd", "receive_window": 8760},
    "only that it opens again": {"window_updates": "from-zero", "port_chunk": 512},
    # A spooler that waits for each write.
    "acknowledged writes": {"write_returns": "acknowledged", "write_size": 4096},
    "writes that fit": {"write_returns": "all-fits", "write_size": 3000, "send_buffer": 4096},
    # All is written at once: the cycles are of what the send buffer holds.
    "buffer larger than the job": {"send_buffer": 2_000_000, "write_time": "1us"},
    "memory for more than the job": {
        "send_buffer": 8_000_000,
        "send_buffer_rule": "linux",
        "write_time": "1us",
        "receive_window": 8192,
        "push_flag": True,
    },
    # The job is ended by its time limit in the middle of what could be taken off.
    "time limit reached": {"time_limit": "7.123456789s"},
    # Chunks that do not divide the window: a cycle of many windows.
    "odd chunks": {"receive_window": 2048, "port_chunk": 768, "port_rate": "1Mbps"},
    # The retransmission timeout comes down to the round-trip time while the cycles go on.
    "short timeout": {"minimum_rto": "1ms", "ack_latency": "117ms"},
    # A window's silly rest is used when the override timer says so, at its tick.
    "override timer": {
        "receive_window": 2000,
        "port_chunk": 700,
        "port_rate": "100kbps",
        "override_timeout": "50ms",
        "timer_tick": "10ms",
        "job_size": 300_000,
    },
    # Many segments in flight at a time.
    "long pipe": {
        "receive_window": 65535,
        "ack_latency": "1us",
        "drain_latency": "0s",
        "interactive_ack_latency": "1us",
        "link_rate": "10Mbps",
        "job_size": 3_000_000,
    },
}


@pytest.mark.parametrize("protocol", ["lpr", "raw"])
@pytest.mark.parametrize("case", CASES)
def test_what_a_cycle_does_not_show_is_not_lost(program, case: str, protocol: str):
    system = systems["netgear-ps101"].with_(job_size=1_000_000, protocol=protocol)
    ((fast, full),) = both([system.with_(**CASES[case]).flags()])
    assert difference(fast, full) == {}
    assert fast["method"] == "fast-forwarded" or case == "short timeout"


def test_the_last_ack_may_race_the_retransmission_timer(program):
    """The last segment's ACK is withheld about as long as the retransmission timeout, which a slow
    SYN-ACK has made long, and which comes down to the round-trip time in the cycles taken off."""
    pipe = systems["netgear-ps101"].with_(
        protocol="raw",
        job_size=600_100,
        receive_window=17520,
        ack_latency="1us",
        drain_latency="0s",
        send_buffer=20_000,
        syn_ack_latency="2500ms",
        minimum_rto="2ms",
        ack_threshold=0.02,
    )
    points = [pipe.with_(delayed_ack_timeout=f"{us}us").flags() for us in range(13000, 43000, 500)]
    records = both(points)
    assert [difference(fast, full) for fast, full in records if difference(fast, full)] == []
    retransmissions = {full["retransmissions"] > 0 for _, full in records}
    assert retransmissions == {False, True}, "the timer never lost, or always"
    assert any(fast["method"] == "fast-forwarded" for fast, _ in records)


def test_the_last_window_is_of_any_size(program):
    """Whole cycles are taken off: what is left over is sent as in the full run, even if nothing
    is."""
    system = systems["netgear-ps101"].with_(
        protocol="raw", mss=64, receive_window=64, send_buffer=4096
    )
    records = both([system.with_(job_size=size_B).flags() for size_B in range(20_000, 20_064)])
    assert [difference(fast, full) for fast, full in records if difference(fast, full)] == []
    assert {fast["method"] for fast, _ in records} == {"fast-forwarded"}


def test_the_flag_is_the_batch_s_or_the_line_s(program):
    flags = systems["netgear-ps101"].with_(job_size=500_000).flags()
    fast, full = batch("print-job", [flags, [*flags, "--fast-forward=false"]])
    assert (fast["method"], full["method"]) == ("fast-forwarded", "full")
