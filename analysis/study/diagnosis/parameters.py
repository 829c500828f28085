# SPDX-License-Identifier: GPL-2.0-only
"""The parameters of a transfer, as its capture shows them: which scenario, each number with its
packets, what the model has not, and what could not be seen."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from study.base.errors import StudyError
from study.captures.connection import Connection
from study.diagnosis.cuts import congestion_control
from study.diagnosis.finding import Finding, NotModelled, as_the_clock_tells
from study.diagnosis.parameters_ack import acknowledging
from study.diagnosis.parameters_ends import TODAYS_LINUX, Ends, is_todays_linux
from study.diagnosis.parameters_exchange import Exchange
from study.diagnosis.parameters_host import sender
from study.diagnosis.parameters_job import job
from study.diagnosis.parameters_link import Link, link
from study.diagnosis.parameters_window import window
from study.diagnosis.route import not_modelled, not_modelled_of_turns, scenario_of
from study.diagnosis.transfer import Transfer
from study.programs.declaration import declaration
from study.system.settings import BOUND

LEAST_SEGMENTS = 2
OF_PROFILES = ("send_buffer", "initial_window")


@dataclass(frozen=True)
class Found:
    """What a connection shows."""

    scenario: str
    findings: tuple[Finding, ...]
    not_modelled: tuple[NotModelled, ...]
    unseen: tuple[str, ...]  # parameters of TCP and of the link that nothing in the capture told
    host: str = ""  # the profile whose remaining parameters are taken

    def __getitem__(self, key: str) -> Finding:
        return next(each for each in self.findings if each.key == key)

    def get(self, key: str) -> Finding | None:
        return next((each for each in self.findings if each.key == key), None)


def parameters(connection: Connection, limits_s: Mapping[str, float]) -> Found:
    """All that it shows; the connection as its sender saw it, and what the sender waited for."""
    transfer = Transfer(connection)
    if len(transfer.data.row) < LEAST_SEGMENTS:
        raise StudyError(
            f"the connection of {connection.client} and {connection.server} carries no data to "
            "speak of: at least two segments are needed"
        )
    scenario = scenario_of(transfer)
    if scenario == "request-reply":
        exchange = Exchange(connection)
        found = chain(exchange.findings(), Ends(exchange).findings())
        missing = tuple(not_modelled_of_turns(connection))
    else:
        way = link(transfer, limits_s)
        found = _bulk(transfer, way, limits_s)
        missing = tuple(not_modelled(transfer, way, limits_s))
    declared = declaration(scenario).parameters
    host = _host(transfer, scenario)
    kept: dict[str, Finding] = {}
    for each in found:
        # What only hides behind something else the profile knows better: a Linux's buffer grows.
        if each.key not in declared or (host and each.key in OF_PROFILES and _hides(each)):
            continue
        told = as_the_clock_tells(each, connection)
        if told is not None:
            kept.setdefault(each.key, told)
    unseen = tuple(key for key in _asked_for(scenario) if key not in kept)
    return Found(scenario, tuple(kept.values()), missing, unseen, host)


def _hides(finding: Finding) -> bool:
    return finding.basis == BOUND


def _bulk(transfer: Transfer, way: Link, limits_s: Mapping[str, float]) -> Iterator[Finding]:
    yield from window(transfer, way, limits_s)
    yield from acknowledging(transfer, way)
    yield from sender(transfer, way, limits_s)
    yield from congestion_control(transfer)
    yield from way.findings
    yield from job(transfer)


def _asked_for(scenario: str) -> tuple[str, ...]:
    """What one wants to know of any transfer, and is told when it is not seen."""
    if scenario == "request-reply":
        return ("client_delayed_ack", "server_nagle", "client_nagle")
    return (
        "syn_ack_latency",
        "ack_latency_per_byte",
        "drain_latency",
        "port_rate",
        "window_updates",
        "nagle",
        "initial_window",
        "minimum_rto",
        "congestion_control",
        "close_time",
    )


def _host(transfer: Transfer, scenario: str) -> str:
    """The profile of a sender whose SYN looks like it: of today's Linux where it offers selective
    ACKs, timestamps and a window scale."""
    modern = is_todays_linux(transfer.offers[0])
    return TODAYS_LINUX if modern and scenario == "print-job" else ""
