# SPDX-License-Identifier: GPL-2.0-only
"""Parts of a system that a live run uses: its device or server, its link, and the host parameters
that the kernel can be set to. The kernel is the host."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from study.base.errors import StudyError
from study.live.kernel_host import Settings, settings
from study.programs.declaration import Declaration, Parameter, declaration
from study.programs.values import read, readable
from study.system.hosts import profile_end
from study.system.system import System

HOST = "linux-6"  # profile that the kernel is compared with
# Groups of the simulated end's parameters.
ENDS = {"print-job": ("device",), "request-reply": ("exchange", "server")}
LINKS = ("link", "path", "wan")
OTHERS = ("link", "seed")  # keys that are in none of these groups
# Parameters that the program at the kernel's end decides.
DECIDED = ("protocol", "job_size", "commands", "client_time", "command_write_time")
DECIDED += ("think_time", "first_write", "write_size", "write_returns", "write_time")


@dataclass(frozen=True)
class Asked:
    """What a live run of a system needs."""

    system: System  # the simulated system, without the size of a job
    flags: tuple[str, ...]  # of build/live-end
    host: Settings  # settings of the kernel

    @property
    def scenario(self) -> str:
        return self.system.scenario

    @property
    def is_path(self) -> bool:
        return self.system.parameters()["link"] == "path"

    def beside(self, host: Mapping[str, str], **program: object) -> System:
        """Return the system of a simulated job: `host` are the kernel's settings by bare names,
        `program` is the behaviour of COMMAND's program."""
        keys = {name: each.key for name, each in _hosts(declaration(self.scenario)).items()}
        return self.system.with_(**{keys[name]: text for name, text in host.items()}, **program)

    def told_apart(self, beside: System) -> list[str]:
        """Return the host parameters that differ from the profile, as flags."""
        declared = declaration(self.scenario)
        plain, own = self.system.with_host(HOST).parameters(), beside.parameters()
        keys = [each.key for each in _hosts(declared).values()] + ["client_time"]
        return [
            f"--{declared.parameter(key).flag}={readable(declared.parameter(key), own[key])}"
            for key in keys
            if key in own and own[key] != plain[key]
        ]


def _hosts(declared: Declaration) -> dict[str, Parameter]:
    """Return the parameters of the kernel's end, by their names without the end's prefix."""
    end = profile_end(declared)
    own = (each for each in declared.parameters.values() if each.group == end)
    return {each.key.removeprefix(f"{end}_"): each for each in own}


def asked(system: System) -> Asked:
    """Return the live run of a system. Raise StudyError if the scenario has no live end, or a
    changed parameter has no effect there."""
    if system.scenario not in ENDS:
        known = " or ".join(ENDS)
        raise StudyError(f"{system.name}: a {system.scenario} has no live end; take a {known}")
    declared = declaration(system.scenario)
    for key in system.changes:
        if key in DECIDED:
            flag = declared.parameter(key).flag
            raise StudyError(f"{flag} has no effect live: COMMAND decides it")
    # Checked here as well: an error of the live end comes from another process, as a text.
    given = {key: read(declared.parameter(key), text).text for key, text in system.changes.items()}
    hosts = _hosts(declared)
    changed = {name: given[each.key] for name, each in hosts.items() if each.key in given}
    flags_of = {name: each.flag for name, each in hosts.items()}
    host = settings(changed, flags_of, is_told=system.scenario != "print-job")
    found = Asked(system.with_host(HOST), end_flags(declared, system.given), host)
    return replace(found, system=found.beside(host.simulated))


def end_flags(declared: Declaration, given: Mapping[str, str]) -> tuple[str, ...]:
    """Return the flags of build/live-end for those of the given parameters that it has."""
    groups = (*ENDS[declared.scenario], *LINKS)
    return tuple(
        f"--{declared.parameter(key).flag}={text}"
        for key, text in given.items()
        if declared.parameter(key).group in groups or key in OTHERS
    )
