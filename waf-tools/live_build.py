# SPDX-License-Identifier: GPL-2.0-only
"""The live end, its gate for suites, and the programs that try both, of robustness/."""

import sanitizers

SOURCES = "live-ends/*.cc"
MAIN, GATE = "live-ends/live.cc", "live-ends/frame-gate.cc"  # a suite tests the gate without ns-3
PROGRAMS = {"robustness-segments": ["segments"], "robustness-frames": ["frames", "frame-mill"]}
NAMES = ("live-end", *PROGRAMS)


def gate(bld):
    """Define the objects that a suite uses, and return their names. Index 1 is the live end's."""
    if bld.path.find_node(GATE) is None:
        return []
    bld.objects(target="gate", source=[GATE], use="NS3", idx=2)
    return ["gate"]


def live_end(bld, make):
    """Define the program of `study live` with the function `make`."""
    if bld.path.find_node(MAIN):
        _objects(bld)
        make(bld, "live-end", [MAIN], use=["live"])


def _objects(bld):
    """Define the objects of the live end, without its main."""
    sources = bld.path.ant_glob(SOURCES, excl=[MAIN])
    bld.objects(target="live", source=sources, includes="scenarios", use="NS3", idx=1)


def programs(bld, make):
    """Define the programs that test the live end, if this system can have one."""
    if bld.env.HAS_LIVE:
        for name, sources in PROGRAMS.items():
            nodes = [bld.path.find_node(f"robustness/{each}.cc") for each in sources]
            make(bld, name, nodes, use=["live"])


def sanitized(bld, make):
    """Define the same programs without a live end, and return their calls."""
    if not bld.env.HAS_LIVE:
        return []
    _objects(bld)
    programs(bld, make)
    return [[bld.bldnode.make_node(each).abspath(), *sanitizers.RUNS[each]] for each in PROGRAMS]
