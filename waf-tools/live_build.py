# SPDX-License-Identifier: GPL-2.0-only
"""The live end, its gate for suites, and the programs that try both, of robustness/."""

SOURCES = "live/*.cc"
MAIN = "live/live.cc"
GATE = "live/frame-gate.cc"  # a suite tries it without ns-3
PROGRAMS = {"robustness-segments": ["segments"], "robustness-frames": ["frames", "frame-mill"]}


def gate(bld):
    """Make the objects that a suite uses; their names. The index 1 is that of the live end's."""
    bld.objects(target="gate", source=[GATE], use="NS3", idx=2)
    return ["gate"]


def objects(bld):
    """What the live end is made of, but for its main."""
    sources = bld.path.ant_glob(SOURCES, excl=[MAIN])
    bld.objects(target="live", source=sources, includes="scenarios", use="NS3", idx=1)


def programs(bld, make):
    """The programs that try it, where there can be one, by this function; their names."""
    if not bld.env.HAS_LIVE:
        return []
    for name, sources in PROGRAMS.items():
        make(bld, name, [f"robustness/{each}.cc" for each in sources], use=["live"])
    return list(PROGRAMS)
