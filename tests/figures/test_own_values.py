# SPDX-License-Identifier: GPL-2.0-only
"""Claims about what a figure takes from its system: what is drawn of the system's own follows its
file, and an axis over a parameter is labelled as the declaration has it."""

import re
from dataclasses import replace
from importlib import import_module

import pytest
from study import System, figures, systems
from study.base.errors import StudyError
from study.drawing.system_facts import axis_label, said, value
from study.programs.declaration import declaration

# What is changed in the file of a figure's system, and the star that must stand there.
STARS = {
    "window-latency-map": ({"receive_window": "5840", "ack_latency": "80ms"}, (5840, 80)),
    "imagen-send-buffer": ({"send_buffer": "3072"}, (3072, 4.096)),  # kB/s
    "linksys-pauses": ({"drain_pause_every": "700000"}, (700_000, None)),
    "line-rate": ({"branch_access_rate": "300kbps"}, (300, 8)),
    "relook-knees": ({"receive_window": "10000"}, (10_000, None)),
    "telnet-delayed-ack": ({"client_delayed_ack": "150ms"}, (150, 200)),
    "throughput-vs-window": ({"receive_window": "1460"}, (1460, 24.801)),
}


def with_file(system: System, **texts: str) -> System:
    """As if its file had these values."""
    own = {
        key: replace(system.settings[key], value=text, unit="", text=text)
        for key, text in texts.items()
    }
    return replace(system, settings=system.settings | own)


@pytest.mark.parametrize("name", STARS)
def test_what_is_the_systems_own_stands_where_its_file_says(name: str, program, monkeypatch):
    changes, (x, y) = STARS[name]
    module = import_module(figures.FIGURES[name])
    of = next(each for each in figures.systems_of(name) if {*changes} <= {*systems[each].settings})
    changed = dict(systems) | {of: with_file(systems[of], **changes)}
    monkeypatch.setattr(module, "systems", changed)
    drawn = figures.draw(name)
    marked = [
        tuple(line.get_xydata()[0])
        for axes in drawn.figure.axes
        for line in axes.lines
        if len(line.get_xydata()) == 1
    ]
    assert any(at == pytest.approx((x, at[1] if y is None else y), rel=1e-6) for at in marked), (
        marked
    )


LABELS = {
    "committed-rate": {"committed_rate": "kbit/s"},
    "imagen-send-buffer": {"send_buffer": ""},
    "line-rate": {"branch_access_rate": "kbit/s"},
    "linksys-pauses": {"drain_pause_every": ""},
    "relook-knees": {"receive_window": "", "send_buffer": "", "socket_copy_cycles": ""},
    "silly-windows": {"port_chunk": ""},
    "slow-device": {"device_drain_cycles": ""},
    "telnet-delayed-ack": {"client_delayed_ack": "ms"},
    "telnet-nagle": {"client_nagle": "", "server_nagle": ""},
    "throughput-vs-window": {"receive_window": ""},
    "window-latency-map": {"receive_window": "", "ack_latency": "ms"},
}


@pytest.mark.parametrize("name", LABELS)
def test_an_axis_over_a_parameter_is_labelled_as_declared(name: str, drawings):
    system = systems[figures.systems_of(name)[0]]
    axes = drawings[name].figure.axes
    labels = {text.replace(" N (", " (") for a in axes for text in (a.get_xlabel(), a.get_ylabel())}
    labels = {re.sub(r"\([KM]iB\)$", "(B)", text) for text in labels}  # ticks in powers of two
    assert {axis_label(system, key, unit) for key, unit in LABELS[name].items()} <= labels


def test_a_label_is_the_declared_name_and_unit(hawking: System):
    declared = declaration("print-job").parameters
    assert (declared["ack_latency"].type, declared["receive_window"].unit) == ("time", "B")
    assert axis_label(hawking, "ack_latency", "ms") == "ACK latency (ms)"
    assert axis_label(hawking, "receive_window") == "receive window (B)"
    assert axis_label(hawking, "link_rate", "Mbit/s") == "link rate (Mbit/s)"
    assert axis_label(hawking, "ack_threshold") == "ACK threshold"
    with pytest.raises(StudyError, match="unit"):
        axis_label(hawking, "receive_window", "ms")


def test_a_value_is_that_of_the_change_the_file_or_the_declaration(hawking: System):
    assert value(hawking, "ack_latency", "ms") == 116.4074
    assert value(hawking.with_(ack_latency="2s"), "ack_latency", "ms") == 2000
    assert value(hawking, "branch_access_rate", "kbit/s") == 256
    assert said(hawking, "link_rate") == "10 Mbit/s"
    assert said(hawking, "receive_window") == "2920 B"
    assert said(hawking.with_(ack_threshold=0.75), "ack_threshold") == "75 %"
