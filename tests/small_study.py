# SPDX-License-Identifier: GPL-2.0-only
"""A small study for tests of how results are made, and when: a few systems, figures and short jobs.
That does not depend on what the numbers are; what is drawn of each system and each exchange is for
tests/figures."""

from pathlib import Path

from conftest import Project, copy_project

# One of one job and one of a sweep; what the README quotes; and the three made with a table.
FIGURES = ("ladder", "throughput_vs_window", "limits", "residuals", "formula_errors", "kernel")
# Those that the grids of the closed forms begin at.
SYSTEMS = ("hawking-hps1u", "imagen-v2", "linksys-ppsx1", "netware", "relook-400s", "telnet-xp")
SYSTEMS += ("rebbr", "troy-pocketpro-100s")
POINTS = 9  # of a grid
# Of a dozen figures, each from a job of seconds, it keeps the first: they are made all alike.
LONG = "rebbr"


def small_study(root: Path, program: Path) -> Project:
    """It leaves `build/print-job.ran` when a print job is run."""
    project = copy_project(root)
    _keep(root / "analysis" / "study" / "figures", "*.py", ("__init__", *FIGURES))
    _keep(root / "scenarios" / "systems", "*.toml", SYSTEMS)
    long = root / "scenarios" / "systems" / f"{LONG}.toml"
    long.write_text("[[measured]]".join(long.read_text().split("[[measured]]")[:2]))
    grid = root / "analysis" / "study" / "kit" / "grid.py"
    grid.write_text(grid.read_text().replace("range(self.points)", f"range({POINTS})"))
    short = "sed -u '/--link=path/!s/--job-size=[0-9]*/--job-size=100000/'"
    project.replace_program(
        'touch "$0.ran"\n'
        f"[ \"$1\" = --batch ] && {short} | exec '{program}' --batch\n"
        f'[ "$1" = --batch ] || exec \'{program}\' "$@"'
    )
    return project


def _keep(folder: Path, pattern: str, stems: tuple[str, ...]) -> None:
    for path in folder.glob(pattern):
        if path.stem not in stems:
            path.unlink()
