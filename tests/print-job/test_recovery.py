# SPDX-License-Identifier: GPL-2.0-only
"""What is sent again: what was lost, and hardly more; with SACK and without, on three paths.

Lost is a packet with data that the line lost, a retransmission included. The line of the Ethernet
does not count its losses: there, what was sent again and was news to the receiver, or was lost once
more, stands for them.
"""

import random

import pytest
from study import systems
from study.runs.batch import run_batch

SEEDS = range(1, 201)
HAWKING = systems["hawking-hps1u"].with_(
    protocol="raw", ack_latency="1ms", receive_window=32120, send_buffer=65535
)
FRAME_RELAY = systems["tcp-frame-relay"].with_(receive_window=17520, send_buffer=200_000)
PATHS = {
    "ethernet": (HAWKING, "loss_to_device", None),
    "frame relay": (FRAME_RELAY, "loss_to_branch", "line_losses"),
    "path": (
        HAWKING.with_(link="path", path_rate="10Mbps", path_delay="20ms"),
        "path_loss",
        "path_losses",
    ),
}
RECOVERIES = {"without SACK": {}, "with SACK": {"host_sack": True, "device_sack": True}}


@pytest.mark.parametrize("recovery", RECOVERIES)
@pytest.mark.parametrize("path", PATHS)
def test_hardly_more_is_sent_again_than_was_lost(program, path: str, recovery: str):
    system, loss, counted = PATHS[path]
    system = system.with_(job_size=150_000, **RECOVERIES[recovery])
    draw = random.Random(path + recovery)
    points = [
        system.with_(seed=seed, **{loss: 10 ** draw.uniform(-3, -1.3)}).flags() for seed in SEEDS
    ]
    records = run_batch(system.scenario, points, "jobs under loss")
    assert {record["outcome"] for record in records} == {"finished"}
    resent = sum(record["retransmissions"] for record in records)
    needless = sum(record["needless_retransmissions"] for record in records)
    lost = sum(record[counted] for record in records) if counted else resent - needless
    assert lost > 100
    assert resent <= 1.2 * lost
    assert needless <= 0.2 * lost
