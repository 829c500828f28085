# SPDX-License-Identifier: GPL-2.0-only
"""A small study for tests of how results are made, and when: a few systems, figures and short jobs,
and one scenario's closed forms. What is made does not depend on what the numbers are; what is drawn
of each system and each exchange is for tests/figures."""

from pathlib import Path

from conftest import Project, copy_project

# One of one job and one of a sweep; what the README quotes; and the two made with a table.
FIGURES = ("ladder", "throughput_vs_window", "limits", "residuals", "kernel")
EVERY = "in scenarios()"  # of the closed forms
SYSTEMS = ("hawking-hps1u", "imagen-v2", "telnet-xp")


def small_study(root: Path, program: Path) -> Project:
    """It leaves `build/print-job.ran` when a print job is run."""
    project = copy_project(root)
    _keep(root / "analysis" / "study" / "figures", "*.py", ("__init__", *FIGURES))
    _keep(root / "scenarios" / "systems", "*.toml", SYSTEMS)
    forms = root / "analysis" / "study" / "judging" / "closed_forms.py"
    text = forms.read_text()
    assert EVERY in text
    forms.write_text(text.replace(EVERY, 'in ("request-reply",)'))
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
