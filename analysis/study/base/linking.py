# SPDX-License-Identifier: GPL-2.0-only
"""ES modules as one script: a page that is opened as a file, a worker and QuickJS load no second
file, and a page's policy refuses modules from `data:` addresses."""

import re
from pathlib import Path

IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) (\w+)", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def linked(*entries: Path) -> str:
    """Return an expression: it runs the modules, and is what the entries export, as one object.

    Each module runs once, in a function of its own, after those that it imports. A cycle, and
    another form of `import` or `export` than those above, raise ValueError.
    """
    numbers: dict[Path, int] = {}
    parts: list[str] = []
    for entry in entries:
        _add(entry.resolve(), numbers, parts)
    exported = ", ".join(f"...$[{numbers[entry.resolve()]}]" for entry in entries)
    return "\n".join(
        ['(() => {\n"use strict";\nconst $ = [];', *parts, f"return {{ {exported} }};\n}})()"]
    )


def _add(path: Path, numbers: dict[Path, int], parts: list[str]) -> int:
    """Add a module after those that it imports; its place among them."""
    if path in numbers:
        if numbers[path] < 0:
            raise ValueError(f"{path.name} is imported by what it imports")
        return numbers[path]
    numbers[path] = -1

    def taken(found: re.Match) -> str:
        place = _add(path.parent.joinpath(found[2]).resolve(), numbers, parts)
        return f"const {{{found[1].replace(' as ', ': ')}}} = $[{place}];\n"

    text = IMPORT.sub(taken, path.read_text(encoding="utf-8"))
    names = ", ".join(found[2] for found in EXPORT.finditer(text))
    text = EXPORT.sub(r"\1 \2", text)
    if other := OTHER.search(text):
        raise ValueError(f"{path.name} has what is not linked: {other[0]}")
    numbers[path] = len(parts)
    parts.append(f"$[{len(parts)}] = (() => {{\n{text}return {{ {names} }};\n}})();")
    return numbers[path]
