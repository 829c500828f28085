# SPDX-License-Identifier: GPL-2.0-only
"""Comparison with the Linux kernel: this machine's own TCP over a wire of ours, beside the
simulated one."""

from study.base.project import BUILD, RESULTS, ROOT

POINTS = ROOT / "kernel-wire" / "points.toml"
# Transfers of known cause.
CASES = ROOT / "kernel-wire" / "captures.toml"
# The measurement, which `study kernel` writes and `study reproduce` does not.
TABLE = RESULTS / "kernel.csv"
PACKETS = RESULTS / "kernel-packets.csv"
# Made from it by `study reproduce`.
COMPARISON = RESULTS / "kernel-comparison.csv"
# Transfers of known cause: all captures, those in git, and the accuracy of their diagnosis.
CAPTURES = BUILD / "captures"
KEPT = RESULTS / "captures"
DIAGNOSIS = RESULTS / "diagnosis.csv"
