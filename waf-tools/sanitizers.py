# SPDX-License-Identifier: GPL-2.0-only
"""What `./waf sanitize` builds with, and what it then looks at."""

FLAGS = ["-fsanitize=address,undefined", "-fno-sanitize=vptr"]  # ns-3 has no type information

# What they check: losses and every kind of file of each scenario, and frames of a live end.
RUNS = {
    "file-read": ["--protocol=packet-burst", "--file-size=200000", "--loss-to-branch=0.05"],
    "print-job": ["--loss-to-host=0.05"],
    "robustness-frames": ["100000", "1"],
    "robustness-segments": ["100000", "1"],
}
