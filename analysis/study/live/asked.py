# SPDX-License-Identifier: GPL-2.0-only
"""What of a system a live run takes: its device or server, and its link. The host is the kernel."""

from dataclasses import dataclass

from study.base.errors import StudyError
from study.base.units import bits_per_second
from study.programs.declaration import declaration
from study.system.hosts import profile_end
from study.system.system import System

HOST = "linux-6"  # what the kernel is put beside
# The groups of parameters that the simulated end has.
ENDS = {"print-job": ("device",), "request-reply": ("exchange", "server")}
LINKS = ("link", "path", "wan")
OTHERS = ("link", "seed")  # keys of no such group
# What the program at the kernel's end decides.
DECIDED = ("protocol", "job_size", "commands", "client_time", "command_write_time")


@dataclass(frozen=True)
class Asked:
    """A live run of a system."""

    system: System  # as it is put beside the kernel, but for the size of a job
    flags: tuple[str, ...]  # of build/live-end

    @property
    def scenario(self) -> str:
        return self.system.scenario

    @property
    def is_path(self) -> bool:
        return self.system.parameters()["link"] == "path"

    @property
    def line_Bps(self) -> float | None:
        """Of the Ethernet."""
        return None if self.is_path else bits_per_second(self.system.parameters()["link_rate"]) / 8


def asked(system: System) -> Asked:
    """Raise where it has no live end, or where something was changed that has no effect there."""
    if system.scenario not in ENDS:
        known = " or ".join(ENDS)
        raise StudyError(f"{system.name}: a {system.scenario} has no live end; take a {known}")
    declared = declaration(system.scenario)
    end = profile_end(declared)
    for key in system.changes:
        parameter = declared.parameter(key)
        if parameter.group == end:
            raise StudyError(
                f"{parameter.flag} has no effect live: this machine's kernel is the {end}"
            )
        if key in DECIDED:
            raise StudyError(f"{parameter.flag} has no effect live: COMMAND decides it")
    groups = (*ENDS[system.scenario], *LINKS)
    flags = []
    for key, text in system.given.items():
        parameter = declared.parameter(key)
        if parameter.group in groups or key in OTHERS:
            flags.append(f"--{parameter.flag}={text}")
    return Asked(system.with_host(HOST), tuple(flags))
