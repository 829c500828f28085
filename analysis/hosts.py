# SPDX-License-Identifier: GPL-2.0-only
"""The host profiles of scenarios/hosts/*.toml: one sender's TCP each, for any device."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from analysis.declaration import declaration
from analysis.errors import StudyError, unknown
from analysis.notes import Source, read_sources
from analysis.project import HOSTS
from analysis.settings import Setting, read_settings
from analysis.toml_file import TomlFile

GROUP = "host"  # of the declaration: the parameters that a profile may set


@dataclass(frozen=True)
class Host:
    """A profile as its file has it; a scenario says which parameters there are."""

    name: str
    title: str
    file: TomlFile = field(repr=False, compare=False)
    parameters: dict = field(repr=False)
    sources: tuple[Source, ...] = ()

    def settings(self, scenario: str) -> dict[str, Setting]:
        """The profile's parameters, checked against the scenario's declaration."""
        declared = declaration(scenario)
        if not has_host(scenario):
            raise StudyError(f"{scenario} has no host that a profile could stand for")
        settings = read_settings(self.file, self.parameters, declared)
        for key in settings:
            group = declared.parameter(key).group
            if group != GROUP:
                raise self.file.error(
                    f"{key} belongs to the {group}; a host file sets parameters of the host only",
                    key,
                )
        return settings


def has_host(scenario: str) -> bool:
    """Whether the scenario has parameters that a profile may set."""
    return any(each.group == GROUP for each in declaration(scenario).parameters.values())


class Hosts(Mapping[str, Host]):
    """All profiles by name; a path to a .toml file is accepted in place of a name."""

    def __getitem__(self, name: str) -> Host:
        if name.endswith(".toml"):
            return load_host(Path(name))
        if name not in list(self):
            raise unknown("host", name, self)
        return load_host(HOSTS / f"{name}.toml")

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(path.stem for path in HOSTS.glob("*.toml")))

    def __len__(self) -> int:
        return len(list(iter(self)))


hosts = Hosts()


def load_host(path: Path) -> Host:
    """Read one profile."""
    file = TomlFile(path)
    tables = {"title": str, "source": list, "parameters": dict}
    entries = file.entries(tables, required=("title", "parameters"))
    sources = read_sources(file, entries.get("source", []))
    return Host(path.stem, entries["title"], file, entries["parameters"], sources)
