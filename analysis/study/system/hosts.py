# SPDX-License-Identifier: GPL-2.0-only
"""The host profiles of scenarios/hosts/*.toml: one sender's TCP each, for any device."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from study.base.errors import StudyError
from study.base.flags import ENDS, OF_DEVICE, in_the_words_of, key_at, takes
from study.base.project import HOSTS, scenarios
from study.base.toml_file import TomlFile, TomlFiles
from study.programs.declaration import Declaration, declaration
from study.system.notes import Source, read_notes
from study.system.settings import Setting, read_settings

# The beginnings of what a device has besides TCP.
OF_MACHINE = ("job_", "close_", "drain_", "port_")
DEFAULTS_OF_HOST = ("host_ack_frequency", "host_delayed_ack", "quick_acks")
ADAPTIVE = "adaptive"  # of its ACK rule, which has its own window updates
OF_MACHINE += ("device_clock", "device_packet_", "device_byte_", "device_drain_")


def profile_ends(declared: Declaration) -> tuple[str, ...]:
    """The parts of a scenario that take a profile: those with a host's own TCP."""
    known = declared.parameters
    return tuple(end for end in ENDS if (own := known.get(key_at(end, "mss"))) and own.group == end)


def profile_end(declared: Declaration) -> str | None:
    """The first of them, if any: the end that sends first."""
    return next(iter(profile_ends(declared)), None)


def second_end(declared: Declaration) -> str | None:
    """The other of them, if there are two: "server" or "device"."""
    return next(iter(profile_ends(declared)[1:]), None)


def is_of_machine(end: str, key: str) -> bool:
    """Whether a device keeps this parameter whoever's TCP it has: its port, paper and processor."""
    return end == "device" and key.startswith(OF_MACHINE)


def check_end(declared: Declaration, end: str) -> None:
    """Refuse a profile for an end that takes none, with those that do."""
    ends = profile_ends(declared)
    if end not in ends:
        instead = f"; ends that do: {', '.join(ends)}" if ends else ""
        raise StudyError(f"a {declared.scenario} has no {end} that takes a profile{instead}")


def has_host(scenario: str) -> bool:
    """Whether the scenario has an end that a profile can stand for."""
    return profile_end(declaration(scenario)) is not None


@dataclass(frozen=True)
class Host:
    """A profile as its file has it; a scenario says which parameters there are. `unjudged` says why
    nothing that was measured has judged the profile; it is empty where something has."""

    name: str
    title: str
    file: TomlFile = field(repr=False, compare=False)
    parameters: dict = field(repr=False)
    sources: tuple[Source, ...] = ()
    unjudged: str = ""

    def settings(self, scenario: str, end: str | None = None) -> dict[str, Setting]:
        """The profile's parameters at an end (the first, unless it is named), checked against the
        scenario's declaration. What only hosts of another scenario have is left out."""
        declared = declaration(scenario)
        end = end or profile_end(declared) or ENDS[0]
        check_end(declared, end)
        here = {
            key: in_the_words_of(end, entry)
            for key, entry in self.parameters.items()
            if takes(end, key)
            and (key_at(end, key) in declared.parameters or not _known_elsewhere(key))
        }
        settings = read_settings(self.file, here, declared, end)
        if end == "device":
            settings = {**_left_open(declared, settings), **settings}
        for key in settings:
            group = declared.parameter(key).group
            if group != end:
                raise self.file.error(
                    f"{key} belongs to the {group}; a host file sets parameters of the host only",
                    key,
                )
        return settings


def _left_open(declared: Declaration, settings: Mapping[str, Setting]) -> dict[str, Setting]:
    """Where a profile is silent a device has a host's defaults, not those of a print server."""
    told = "the profile leaves it open: what a host has"
    own = {OF_DEVICE[key]: str(declared.parameter(key).default) for key in DEFAULTS_OF_HOST}
    if ADAPTIVE not in {each.text for each in settings.values()}:
        own["window_updates"] = "from-zero"
    return {key: Setting(text, "", "assumed", told, text=text) for key, text in own.items()}


def _known_elsewhere(key: str) -> bool:
    """Whether some scenario's host has this parameter."""
    for declared in map(declaration, scenarios()):
        for end in profile_ends(declared):
            parameter = declared.parameters.get(key_at(end, key))
            if parameter is not None and parameter.group == end:
                return True
    return False


def load_host(path: Path) -> Host:
    """Read one profile."""
    file = TomlFile(path)
    tables = {"title": str, "unjudged": str, "source": list, "parameters": dict}
    entries = file.entries(tables, required=("title", "parameters"))
    sources = read_notes(file, "source", Source, entries.get("source", []))
    unjudged = entries.get("unjudged", "")
    return Host(path.stem, entries["title"], file, entries["parameters"], sources, unjudged)


hosts = TomlFiles("host", HOSTS, load_host)
