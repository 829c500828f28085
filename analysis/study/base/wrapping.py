# SPDX-License-Identifier: GPL-2.0-only
"""Lines of a text for a terminal, none of which ends between a number and its unit or within a
flag."""

import re
import textwrap

JOINT = re.compile(r"(?<=\bx) (?=\d)|(?<=\d) (?=(?:%|B|ms|s|MHz)(?!\w))")
NO_BREAK = "\N{NO-BREAK SPACE}"
WIDTH = 80  # columns of a terminal by default


def wrap(text: str, width: int, initial_indent: str = "", subsequent_indent: str = "") -> list[str]:
    """Return the lines of a text, as textwrap.wrap does, with "x 15.2", "98 %" and flags whole."""
    lines = textwrap.wrap(
        JOINT.sub(NO_BREAK, text),
        width,
        initial_indent=initial_indent,
        subsequent_indent=subsequent_indent,
        break_on_hyphens=False,
    )
    return [line.replace(NO_BREAK, " ") for line in lines]
