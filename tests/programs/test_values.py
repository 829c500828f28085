# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the notation of a value: one module knows it, whoever reads or writes one."""

import pytest
from study import StudyError
from study.base.units import UNITS, bits_per_second, for_readers, seconds
from study.programs import values
from study.programs.declaration import declaration


@pytest.mark.parametrize("unit", UNITS["time"])
def test_a_time_is_the_same_however_it_is_read(unit: str, program):
    latency = declaration("print-job").parameter("stall_time")
    in_base = values.read(latency, f"1{unit}").number
    assert seconds(f"1{unit}") == pytest.approx(in_base, rel=1e-15)


@pytest.mark.parametrize("unit", UNITS["data-rate"])
def test_a_rate_is_the_same_however_it_is_read(unit: str, program):
    rate = declaration("print-job").parameter("link_rate")
    assert bits_per_second(f"2.5e1{unit}") == values.read(rate, f"25{unit}").number


@pytest.mark.parametrize("text", ["3", "ms", "3 ms", "3kg", "3Ms", "1e", "nanms", "3ms "])
def test_what_is_no_time_is_refused_with_the_units_that_there_are(text: str):
    with pytest.raises(StudyError, match=r"is not a time: a number and ns, us, ms, s, min or h$"):
        seconds(text)


@pytest.mark.parametrize(
    ("scenario", "key", "text", "factor", "scaled"),
    [
        ("print-job", "ack_latency", "116407400ns", 0.5, "58203700ns"),
        ("print-job", "receive_window", "60000", 2, "65535"),  # as far as the range goes
        ("print-job", "job_size", "1463", 0.5, "732"),
        ("file-read", "burst_gap", "1ms", 0, "0ns"),
        ("file-read", "committed_rate", "3bps", 0.5, "1bps"),
        ("print-job", "device_clock", "0.1", 10, "1"),
    ],
)
def test_a_value_is_scaled_within_its_range(scenario, key, text, factor, scaled, program):
    assert values.scaled(declaration(scenario).parameter(key), text, factor) == scaled


@pytest.mark.parametrize(
    ("scenario", "key", "given", "shown"),
    [
        ("request-reply", "server_time", ("4769900ns", "1192475ns"), ("4.7699ms", "1.192475ms")),
        ("print-job", "drain_pause", ("1s", "250ms"), ("1000ms", "250ms")),
        ("print-job", "link_delay", ("1us", "250ns"), ("1000ns", "250ns")),
        ("print-job", "rtt", ("1us", "2s"), ("1µs", "2s")),
        ("print-job", "drain_latency", ("0s", "3ms"), ("0ms", "3ms")),
        ("print-job", "path_rate", ("100Mbps", "1Gbps"), ("100Mbps", "1000Mbps")),
        ("print-job", "port_rate", ("none", "1Mbps"), ("none", "1Mbps")),
        ("print-job", "receive_window", ("2920", "5840"), ("2920 B", "5840 B")),
    ],
)
def test_both_values_of_a_change_have_one_unit(scenario, key, given, shown, program):
    parameter = declaration(scenario).parameter(key)
    own, new = (values.read(parameter, text).text for text in given)
    assert values.both_for_a_reader(parameter, own, new) == shown


def test_a_value_has_the_largest_unit_that_makes_it_one_or_more(program):
    """Also where that is longer than a smaller unit's."""
    parameter = declaration("request-reply").parameter("server_time")
    assert values.readable(parameter, "1192475ns") == "1.192475ms"


def test_a_reader_is_shown_the_micro_sign_and_words_stay():
    assert for_readers("6.5us, in whole 100 us (status, bus, us)") == (
        "6.5µs, in whole 100 µs (status, bus, µs)"
    )
