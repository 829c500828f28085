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

# Beginnings of the keys of a device's parameters that do not belong to its TCP.
OF_MACHINE = ("job_", "close_", "drain_", "port_")
DEFAULTS_OF_HOST = ("host_ack_frequency", "host_delayed_ack", "quick_acks")
ADAPTIVE = "adaptive"  # an ACK rule that includes its own window updates
OF_MACHINE += ("device_clock", "device_packet_", "device_byte_", "device_drain_")


def profile_ends(declared: Declaration) -> tuple[str, ...]:
    """Return the ends of a scenario that take a profile: those with a host's own TCP."""
    known = declared.parameters
    return tuple(end for end in ENDS if (own := known.get(key_at(end, "mss"))) and own.group == end)


def profile_end(declared: Declaration) -> str | None:
    """Return the first end that takes a profile, which sends first, or None without one."""
    return next(iter(profile_ends(declared)), None)


def second_end(declared: Declaration) -> str | None:
    """Return the second end that takes a profile, "server" or "device", or None if there is
    none."""
    return next(iter(profile_ends(declared)[1:]), None)


def is_of_machine(end: str, key: str) -> bool:
    """Return whether a device keeps this parameter with any TCP: its port, its job and its
    processor."""
    return end == "device" and key.startswith(OF_MACHINE)


def check_end(declared: Declaration, end: str) -> None:
    """Raise StudyError if the end takes no profile. The message names the ends that do."""
    ends = profile_ends(declared)
    if end not in ends:
        instead = f"; ends that do: {', '.join(ends)}" if ends else ""
        raise StudyError(f"a {declared.scenario} has no {end} that takes a profile{instead}")


def has_host(scenario: str) -> bool:
    """Return whether the scenario has an end that takes a profile."""
    return profile_end(declaration(scenario)) is not None


@dataclass(frozen=True)
class Host:
    """A host profile as in its file. `unjudged` says why no measurement has judged it, empty if one
    has."""

    name: str
    title: str
    file: TomlFile = field(repr=False, compare=False)
    parameters: dict = field(repr=False)
    sources: tuple[Source, ...] = ()
    unjudged: str = ""

    def settings(self, scenario: str, end: str | None = None) -> dict[str, Setting]:
        """Return the profile's parameters for one end (by default the first), checked against the
        scenario's declaration. Parameters that only other scenarios' hosts have are left out."""
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
    """Return a host's defaults for the device's parameters that the profile does not set; otherwise
    a print server's would apply."""
    told = "the profile leaves it open: what a host has"
    own = {OF_DEVICE[key]: str(declared.parameter(key).default) for key in DEFAULTS_OF_HOST}
    if ADAPTIVE not in {each.text for each in settings.values()}:
        own["window_updates"] = "from-zero"
    return {key: Setting(text, "", "assumed", told, text=text) for key, text in own.items()}


def _known_elsewhere(key: str) -> bool:
    """Return whether a host of any scenario has this parameter."""
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
