# SPDX-License-Identifier: GPL-2.0-only
"""What a wheel carries besides the package: the programs, or the WebAssembly module that has them
all for any machine, and what `study` reads of the project.

hatchling calls it. An editable install, which set-up makes, needs nothing of this.
"""

import os
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

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
        for source in sources:
            included[str(self._stripped(root, source.stem))] = f"{HOME}/build/{source.stem}"
        build_data["force_include"].update(included)
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"

    def _stripped(self, root: Path, program: str) -> Path:
        """Return a program without debug symbols, which are two thirds of its size."""
        made = root / "build" / "release" / program
        made.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["strip", "-o", made, root / "build" / program], check=True)
        return made
