# SPDX-License-Identifier: GPL-2.0-only
"""The report as PDF, set by Typst with the fonts that it and matplotlib bring along, so that it is
the same everywhere."""

import json
from pathlib import Path

from study.base.errors import StudyError
from study.base.project import FIGURES, ROOT
from study.report.content import HERE


def pdf(content: dict) -> bytes:
    import matplotlib
    import typst

    try:
        return typst.compile(
            str(HERE / "report.typ"),
            root=str(ROOT),
            font_paths=[str(Path(matplotlib.get_data_path(), "fonts", "ttf"))],
            ignore_system_fonts=True,
            sys_inputs={"content": json.dumps(content), "figures": f"/{FIGURES.relative_to(ROOT)}"},
        )
    except typst.TypstError as error:
        raise StudyError(f"the report cannot be set: {error}") from error
