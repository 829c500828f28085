# SPDX-License-Identifier: GPL-2.0-only
"""Every job ends with every byte under loss, whatever the device: 200 seeds, two directions."""

import pytest
from study import systems
from study.runs.batch import run_batch

SEEDS = range(1, 201)
JOB_B = 20_000


@pytest.mark.parametrize("direction", ["loss_to_device", "loss_to_host"])
@pytest.mark.parametrize("rate", [0.01, 0.05, 0.10])
@pytest.mark.parametrize("name", ["hawking-hps1u", "linksys-ppsx1", "imagen-v2"])
def test_every_job_ends_with_every_byte(program, name: str, rate: float, direction: str):
    system = systems[name].with_(job_size=JOB_B)
    if name == "linksys-ppsx1":
        system = system.with_(drain_pause_every=5000)  # closed windows and probes under loss, too
    whole_B = system.run().bytes
    points = [system.with_(seed=seed, **{direction: rate}).flags() for seed in SEEDS]
    records = run_batch(system.scenario, points, "jobs under loss")
    assert [record["reason"] for record in records if record["outcome"] != "finished"] == []
    assert {record["bytes"] for record in records} == {whole_B}
