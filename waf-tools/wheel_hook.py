# SPDX-License-Identifier: GPL-2.0-only
"""What a wheel carries besides the package: the programs, or the WebAssembly module that has them
all for any machine, and what `study` reads of the project.

hatchling calls it. An editable install, which set-up makes, needs nothing of this.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))  # hatchling knows this file alone
import machine

HOME = "study/home"
ENGINE = "wasmtime==50.*"  # for a pure wheel; its interface changes every month
READ = (
    "LICENSE",
    "docs/reference/model.md",
    "notebooks/lesson/*",
    "results/*.csv",
    "scenarios/*/*.toml",
    "tests/*/timelines/*.txt",
)


class ProgramsHook(BuildHookInterface):
    """Adds files to a wheel, and sets the platform that it is for."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        read = [path for pattern in READ for path in root.glob(pattern) if path.is_file()]
        # A scenario is a folder with a source of its name; the source describes it.
        sources = [each for each in root.glob("scenarios/*/*.cc") if each.stem == each.parent.name]
        included = {str(each): f"{HOME}/{each.relative_to(root)}" for each in [*read, *sources]}
        if os.environ.get("STUDY_WHEEL") == "pure":
            module = root / "build" / "release" / "study.wasm"
            included[str(module)] = f"{HOME}/build/study.wasm"
            build_data["force_include"].update(included)
            build_data["dependencies"] = [ENGINE]
            return
        programs = [root / "build" / source.stem for source in sources]
        for program in programs:
            included[str(self._stripped(root, program))] = f"{HOME}/build/{program.name}"
        build_data["force_include"].update(included)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{machine.platform_of(programs[0])}"

    def _stripped(self, root: Path, program: Path) -> Path:
        """Return a program without debug symbols, which are two thirds of its size."""
        made = root / "build" / "release" / program.name
        made.parent.mkdir(parents=True, exist_ok=True)
        processor = machine.platform_of(program).removeprefix("linux_")
        strip = shutil.which(f"{processor}-linux-gnu-strip") or "strip"  # of a cross compiler
        subprocess.run([strip, "-o", made, program], check=True)
        return made
