# SPDX-License-Identifier: GPL-2.0-only
"""What the build must know of a processor, an operating system or its linker. What is not here is
taken to be the same everywhere; the Python package has its own such place, study.base.machine."""

import platform
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

# The wheel of ns-3 in requirements.lock is for this platform alone.
WHEEL_FOR = ("Linux", "x86_64")
PROCESSORS = {62: "x86_64", 183: "aarch64"}  # e_machine of an ELF header
COMBINED = "libns3-combined.o"
SHARED = ".dylib" if sys.platform == "darwin" else ".so"


def has_wheel() -> bool:
    return (platform.system(), platform.machine()) == WHEEL_FOR


def has_taps() -> bool:
    """Return whether a program can serve a network interface, as on Linux."""
    return platform.system() == "Linux"


def only_needed_libraries() -> list[str]:
    """Return the linker's flag; Apple's linker has another one, and does not need it."""
    return [] if sys.platform == "darwin" else ["-Wl,--as-needed"]


def whole(archives: Sequence[str]) -> list[str]:
    """Return flags that link every object of these static libraries: a TypeId is registered by an
    object that no other calls."""
    if sys.platform == "darwin":
        return [f"-Wl,-force_load,{archive}" for archive in archives]
    return ["-Wl,--whole-archive", *archives, "-Wl,--no-whole-archive"]


def is_for_here(target: str) -> bool:
    """Return whether programs for this target ("aarch64-linux-gnu") run on this machine."""
    here = platform.machine().lower().replace("arm64", "aarch64").replace("amd64", "x86_64")
    return target.lower().replace("arm64", "aarch64").split("-")[0] == here


def platform_of(program: Path) -> str:
    """Return a wheel's name for the platform that a program was compiled for."""
    header = program.read_bytes()[:20]
    machine = int.from_bytes(header[18:20], "little")
    if header.startswith(b"\x7fELF") and machine in PROCESSORS:
        return f"linux_{PROCESSORS[machine]}"
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
