# SPDX-License-Identifier: GPL-2.0-only
"""What `./waf sanitize` builds with, and what it then looks at."""

from waflib.Build import BuildContext

FLAGS = ["-fsanitize=address,undefined", "-fno-sanitize=vptr"]  # ns-3 has no type information

# What the sanitizers see of each scenario: losses, and every kind of file.
RUNS = {
    "file-read": ["--protocol=packet-burst", "--file-size=200000", "--loss-to-branch=0.05"],
    "print-job": ["--loss-to-host=0.05"],
}


def read_headers_once(bld: BuildContext) -> None:
    """What most files include is read once for all: a fifth of their time, where nothing is
    optimised. `./waf build` does without, so that none can count on it."""
    source = bld.path.make_node("waf-tools/most-included.h")
    header = bld.bldnode.make_node(source.name)
    made = bld.bldnode.make_node(f"{source.name}.gch")
    flags = [*bld.env.CXXFLAGS, *bld.env.CXXFLAGS_NS3, *(f"-D{d}" for d in bld.env.DEFINES_NS3)]

    def read(task: object) -> int:
        header.write(source.read())
        command = [*bld.env.CXX, *flags, "-x", "c++-header", header.abspath()]
        return task.exec_command([*command, "-o", made.abspath()])

    bld(rule=read, source=source, target=[header, made], vars=["CXX", "DEFINES_NS3"], color="BLUE")
    bld.add_group()
    bld.env.append_value("CXXFLAGS", ["-Winvalid-pch", "-include", header.abspath()])
