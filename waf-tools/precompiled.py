# SPDX-License-Identifier: GPL-2.0-only
"""The headers that most sources include, read once for all of them: a second less for each unit.

`./waf sanitize` compiles without them, so that a source that forgets an include is found.
"""

from waflib.Build import BuildContext
from waflib.Task import Task

STANDARD = "algorithm array cmath cstdint functional limits map memory optional set sstream string"
NS3 = "boolean data-rate double enum log net-device node nstime object packet simulator string"
NS3 += " tcp-l4-protocol traced-callback uinteger"


class gch(Task):
    """Compile a header before all sources that use it; like waf's own cxx."""

    run_str = "${CXX} ${CXXFLAGS} ${DEFINES_ST:DEFINES} -x c++-header ${SRC} -o ${TGT}"
    before = ("cxx",)

    def keyword(self) -> str:
        return "Compiling"


def headers(bld: BuildContext, sources: list) -> None:
    """Compile everything that uses ns-3 with a precompiled header, with g++ only. A compiler cache
    would be useless with it, and without sources to share it, it saves nothing."""
    if not sources or bld.variant or bld.env.COMPILER_CXX != "g++" or "ccache" in bld.env.CXX[0]:
        return
    names = [*STANDARD.split(), *(f"ns3/{name}.h" for name in NS3.split())]
    header = bld.bldnode.make_node("precompiled.h")
    header.write("".join(f"#include <{name}>\n" for name in names))
    env = bld.env.derive()
    env.CXXFLAGS = [*env.CXXFLAGS, *env.CXXFLAGS_NS3]
    env.DEFINES = [*env.DEFINES, *env.DEFINES_NS3]
    task = gch(env=env)
    task.set_inputs(header)
    task.set_outputs(bld.bldnode.make_node("precompiled.h.gch"))
    bld.add_to_group(task)
    bld.env.append_value("CXXFLAGS_NS3", ["-include", header.abspath()])
