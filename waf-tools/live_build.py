# SPDX-License-Identifier: GPL-2.0-only
"""The live end, its gate for suites, and the programs that try both, of robustness/."""

import sanitizers

SOURCES = "live/*.cc"
MAIN, GATE = "live/live.cc", "live/frame-gate.cc"  # a suite tries the gate without ns-3
PROGRAMS = {"robustness-segments": ["segments"], "robustness-frames": ["frames", "frame-mill"]}
NAMES = ("live-end", *PROGRAMS)


def gate(bld):
    """Make the objects that a suite uses; their names. The index 1 is that of the live end's."""
    if bld.path.find_node(GATE) is None:
        return []
    bld.objects(target="gate", source=[GATE], use="NS3", idx=2)
    return ["gate"]


def live_end(bld, make):
    """The program of `study live`, by this function."""
    if bld.path.find_node(MAIN):
        _objects(bld)
        make(bld, "live-end", [MAIN], use=["live"])


def _objects(bld):
    """What the live end is made of, but for its main."""
    sources = bld.path.ant_glob(SOURCES, excl=[MAIN])
    bld.objects(target="live", source=sources, includes="scenarios", use="NS3", idx=1)


def programs(bld, make):
    """The programs that try it, where there can be one."""
    if bld.env.HAS_LIVE:
        for name, sources in PROGRAMS.items():
            make(bld, name, [f"robustness/{each}.cc" for each in sources], use=["live"])


def sanitized(bld, make):
    """The same without a live end, and how they are run."""
    if not bld.env.HAS_LIVE:
        return []
    _objects(bld)
    programs(bld, make)
    return [[bld.bldnode.make_node(each).abspath(), *sanitizers.RUNS[each]] for each in PROGRAMS]
