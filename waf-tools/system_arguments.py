# SPDX-License-Identifier: GPL-2.0-only
"""The measured systems as flags, for programs that read no TOML."""

from pathlib import Path
from typing import Any

from set_up import ROOT, stop
from study.base.errors import StudyError
from study.base.flags import ENDS, in_the_words_of, key_at, merged, takes, value_text
from study.base.toml_file import TomlFile
from waflib.Build import BuildContext


def write(bld: BuildContext) -> None:
    """Write each scenarios/systems/NAME.toml as build/systems/NAME.args, a flag a line."""
    write_all(Path(bld.bldnode.abspath(), "systems"))


def write_all(folder: Path) -> None:
    """Write the same files into any folder."""
    folder.mkdir(exist_ok=True)
    wanted = {}
    for path in _files():
        lines = [_flag(key, parameter) for key, parameter in _parameters_of(path).items()]
        wanted[folder / f"{path.stem}.args"] = "".join(line + "\n" for line in lines)
    for stale in set(folder.iterdir()) - wanted.keys():
        stale.unlink()
    for file, text in wanted.items():
        if not file.exists() or file.read_text() != text:
            new = file.with_suffix(".new")
            new.write_text(text)
            new.replace(file)


def systems_of(scenario: str) -> list[str]:
    """Return the names of a scenario's systems."""
    return [path.stem for path in _files() if _read_toml(path).get("scenario") == scenario]


def _files() -> list[Path]:
    return sorted((ROOT / "scenarios" / "systems").glob("*.toml"))


def _parameters_of(path: Path) -> dict[str, tuple[object, str]]:
    """Return a system's own parameters and its host profiles': key to value and unit."""
    system, name = _read_toml(path), path.relative_to(ROOT)
    profile = {}
    for end in filter(system.get, ENDS):
        host = _read_toml(ROOT / "scenarios" / "hosts" / f"{system[end]}.toml", f"{name}: ")
        profile |= {
            key_at(end, key): in_the_words_of(end, each)
            for key, each in host.get("parameters", {}).items()
            if takes(end, key)
        }
    try:
        parameters = merged(profile, system.get("parameters", {}))
        return {
            key: (each["value"], each.get("unit", "")) if isinstance(each, dict) else (each, "")
            for key, each in parameters.items()
        }
    except (TypeError, AttributeError, KeyError) as error:
        stop(f"{name} cannot be read: {error}; see `.venv/bin/study systems`")


def _read_toml(path: Path, asked_by: str = "") -> dict[str, Any]:
    try:
        return TomlFile(path).content
    except StudyError as error:
        stop(f"{asked_by}{error}")


def _flag(key: str, parameter: tuple[object, str]) -> str:
    return f"--{key.replace('_', '-')}={value_text(*parameter)}"
