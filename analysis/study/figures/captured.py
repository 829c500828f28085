# SPDX-License-Identifier: GPL-2.0-only
"""What limits each of the captured transfers that were made slow on purpose, before the change.

From the captures in results/captures/, judged anew.
"""

from study.diagnosis.diagnosis import diagnose
from study.drawing import style
from study.drawing.kinds import limits
from study.kernel import KEPT
from study.kernel.cases import cases
from study.programs.noted import remembered

TITLE = (
    "Of {count} transfers made slow on purpose {right} wait longest for what they were made slow by"
)
CAPTION = (
    "What limits {count} transfers through a real kernel, each made slow on purpose by what it is "
    "called, as the run has it that is nearest to a capture at the sender. " + limits.HOW_TO_READ
)


def draw() -> style.Drawing:
    """Draw a bar a capture, in the order of the cases."""
    jobs, right = judged()
    title = TITLE.format(count=len(jobs), right=right)
    return limits.bars(jobs, CAPTION.format(count=len(jobs)), title)


@remembered  # for every size of the figure
def judged() -> tuple[dict[str, limits.Budget], int]:
    """Of each capture what its time went to, and how many wait for their cause."""
    jobs, right = {}, 0
    for case in cases():
        for path in sorted(KEPT.glob(f"{case.slug}.before.*")):
            found = diagnose(path)
            right += found.main in case.causes
            jobs[case.name] = limits.Budget(case.name, found.limits_s)
    return jobs, right
