# SPDX-License-Identifier: GPL-2.0-only
"""Several sources compiled as one: most of the time goes to ns-3's headers and templates, which a
unit has once, so that a program costs a third.

`./waf sanitize` compiles each file alone, so that none can count on another's includes.
"""

from collections.abc import Sequence
from pathlib import Path

from waflib.Build import BuildContext
from waflib.Node import Node

MAX_FILES = 12  # with more, a change of one file recompiles too much

# NS_LOG_COMPONENT_DEFINE defines this variable in every file.
FILE = """#define g_log g_log_{number}
#include "{path}"
#undef g_log
"""


def units(bld: BuildContext, name: str, sources: Sequence[Node]) -> list[Node]:
    """Write the units of these sources, folder by folder, and return them. A source stays alone in
    a sanitizer build, or if it is the only one."""
    if bld.variant == "sanitize" or len(sources) < 2:
        return list(sources)
    folders: dict[str, list[Node]] = {}
    for source in sources:
        folders.setdefault(source.parent.srcpath(), []).append(source)
    made = []
    for folder, files in folders.items():
        count = -(-len(files) // MAX_FILES)
        for number in range(count):
            part = files[number * len(files) // count : (number + 1) * len(files) // count]
            unit = f"units/{name.replace(' ', '-')}/{folder.replace('/', '-')}-{number}.cc"
            made.append(_written(bld.bldnode.make_node(unit), part))
    return made


def _written(unit: Node, files: Sequence[Node]) -> Node:
    paths = enumerate(file.path_from(unit.parent) for file in files)
    text = "".join(FILE.format(number=number, path=path) for number, path in paths)
    path = Path(unit.abspath())
    if not path.is_file() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return unit
