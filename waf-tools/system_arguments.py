# SPDX-License-Identifier: GPL-2.0-only
"""The measured systems as flags, for programs that read no TOML."""

import tomllib
from pathlib import Path
from typing import Any

import set_up
from study.base.flags import ENDS, key_at, merged, value_text
from waflib.Build import BuildContext
from waflib.Node import Node


def write(bld: BuildContext) -> None:
    """Each scenarios/systems/NAME.toml as build/systems/NAME.args, one flag a line for C++."""
    folder = Path(bld.bldnode.abspath(), "systems")
    folder.mkdir(exist_ok=True)
    wanted = {}
    for node in bld.path.ant_glob("scenarios/systems/*.toml"):
        parameters = _parameters_of(bld, node)
        lines = [_flag(key, parameter) for key, parameter in parameters.items()]
        wanted[folder / node.change_ext(".args").name] = "".join(line + "\n" for line in lines)
    for stale in set(folder.iterdir()) - wanted.keys():
        stale.unlink()
    for file, text in wanted.items():
        if not file.exists() or file.read_text() != text:
            new = file.with_suffix(".new")
            new.write_text(text)
            new.replace(file)


def _parameters_of(bld: BuildContext, node: Node) -> dict[str, tuple[object, str]]:
    """A system's own parameters and its host profile's: key to value and unit."""
    name = node.srcpath()
    system = _read_toml(bld, name)
    profile = {}
    for end in filter(system.get, ENDS):
        host = _read_toml(bld, f"scenarios/hosts/{system[end]}.toml", f"{name}: ")
        profile = {key_at(end, key): each for key, each in host.get("parameters", {}).items()}
    try:
        parameters = merged(profile, system.get("parameters", {}))
        return {key: (each["value"], each.get("unit", "")) for key, each in parameters.items()}
    except (TypeError, AttributeError, KeyError) as error:
        set_up.stop(f"{name} cannot be read: {error}; see `.venv/bin/study systems`")


def _read_toml(bld: BuildContext, name: str, asked_by: str = "") -> dict[str, Any]:
    try:
        return tomllib.loads(Path(bld.path.abspath(), name).read_text(encoding="utf-8-sig"))
    except OSError as error:
        set_up.stop(f"{asked_by}{name} cannot be read: {error.strerror.lower()}")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        set_up.stop(f"{asked_by}{name} cannot be read: {error}")
    except RecursionError:
        set_up.stop(f"{asked_by}{name} cannot be read: its tables or lists are nested too deep")


def _flag(key: str, parameter: tuple[object, str]) -> str:
    return f"--{key.replace('_', '-')}={value_text(*parameter)}"
