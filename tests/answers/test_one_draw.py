# SPDX-License-Identifier: GPL-2.0-only
"""Claims about figures that chance has a part in: each place that prints one says so, and no other
does."""

import pytest
from study import systems
from study.answers import run_text
from study.kit.chance import drawn, draws
from study.system.system import System

LOSSY = {"loss_to_device": 0.01, "job_size": 200_000}
CALLED = "one random seed (loss_to_device = 0.01)"


@pytest.fixture(scope="module")
def lossy(program) -> System:
    return systems["hawking-hps1u"].with_(**LOSSY)


def words(text: object) -> str:
    return " ".join(str(text).split())


@pytest.mark.parametrize(
    "changed",
    [
        {"loss_to_device": 0.02},
        {"loss_to_host": 0.2},
        {"ack_latency_spread": "5ms"},
        {"drain_latency_spread": "5ms", "port_rate": "100kbps"},
    ],
    ids=str,
)
def test_what_is_said_to_be_drawn_is_another_under_another_seed(program, changed):
    plain = systems["hawking-hps1u"].with_(job_size=200_000)
    chance = plain.with_(**changed)
    took = [chance.with_(seed=seed).run() for seed in (1, 2)]
    assert set(drawn(chance, took[0].record)) == set(changed) - {"port_rate"}
    assert took[0].duration_s != took[1].duration_s
    same = [plain.with_(seed=seed).run() for seed in (1, 2)]
    assert not drawn(plain, same[0].record)
    assert same[0].duration_s == same[1].duration_s


def test_a_loss_on_a_link_that_is_not_there_is_no_chance(program):
    system = systems["hawking-hps1u"].with_(path_loss=0.1, job_size=20_000)
    assert not drawn(system, system.run().record)


def test_a_run_says_that_it_is_one_draw_and_how_to_see_others(lossy: System):
    told = words(run_text.as_changed(systems["hawking-hps1u"], lossy, lossy.run()))
    assert CALLED in told
    assert "other seeds: " in told
    assert "sweep hawking-hps1u --seeds 10 with the same options" in told


def test_so_does_a_comparison_of_either_side(lossy: System):
    both = lossy.what_if(receive_window=5840)
    assert f"each of the two is {CALLED}" in words(both)
    assert f"before: {CALLED}" in words(lossy.what_if(loss_to_device=0))
    plain = systems["hawking-hps1u"].with_(job_size=20_000)
    assert "one random seed" not in str(plain.what_if(receive_window=5840))


def test_so_does_an_explanation(lossy: System):
    told = lossy.explain()
    assert CALLED in words(told)
    assert told.record()["one_draw"].startswith("one random seed")


def test_so_does_a_curve(lossy: System):
    vary = {"receive_window": [1460, 2920]}
    assert "Each marker is one random seed (loss to device)" in (
        lossy.figure("curve", vary=vary).caption
    )
    plain = lossy.with_(loss_to_device=0)
    assert "one random seed" not in plain.figure("curve", vary=vary).caption


@pytest.mark.parametrize(
    ("changes", "varies"),
    [
        ({"path_loss": 0}, False),
        ({"path_loss": 0.01}, True),
        ({"path_queue_kind": "red", "path_queue": "100p"}, True),
        ({"path_queue_kind": "codel", "path_queue": "100p"}, False),
        ({"ack_latency_spread": "5ms"}, True),
    ],
)
def test_a_system_draws_if_its_seeds_differ(changes: dict[str, object], varies: bool, program: str):
    """One that does not is run once, where changes are tried with several seeds."""
    system = systems["bulk"].with_(path_rate="20Mbps", rtt="40ms", job_size=2_000_000, **changes)
    rates = {system.with_(seed=seed).run().throughput_Bps for seed in (1, 2, 3)}
    assert draws(system) == varies == (len(rates) > 1)
