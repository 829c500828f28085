# SPDX-License-Identifier: GPL-2.0-only
"""Host profiles that a sweep varies like a parameter: `host=linux-2.2,bsd-4.2` replaces a system's
whole host side by one profile after the other."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from study.programs import values
from study.programs.declaration import Declaration, Parameter
from study.programs.values import Value
from study.system.hosts import hosts, profile_end
from study.system.system import System

HOST = "host"
ABOUT = "The host profile that stands for a system's whole host side"


def with_profiles(declared: Declaration) -> Declaration:
    """Return the declaration with the host profile as a parameter, if the scenario takes one."""
    end = profile_end(declared)
    if end is None:
        return declared
    names = tuple(hosts)
    about = {"name": "Host", "flag": HOST, "key": HOST, "group": end, "type": "choice", "unit": ""}
    profile = Parameter(**about, default="", min="", max="", choices=names, help=ABOUT)
    return replace(declared, parameters={HOST: profile, **declared.parameters})


def without_host(system: System, declared: Declaration) -> System:
    """Return the system without its host's settings."""
    end = profile_end(declared)
    settings = {
        key: each for key, each in system.settings.items() if declared.parameter(key).group != end
    }
    return replace(system, settings=settings)


def profiles(
    system: System, declared: Declaration, names: Collection[str], said: Collection[str]
) -> Mapping[str, dict[str, Value]]:
    """Return the parameters that each profile sets, except those that the sweep sets itself."""
    end = profile_end(declared)
    said = {*said, *(declared.alternative(key) for key in said)}
    return {
        name: {
            key: values.read(declared.parameter(key), setting.text)
            for key, setting in system.with_host(name).settings.items()
            if declared.parameter(key).group == end and key not in said
        }
        for name in dict.fromkeys(names)
    }
