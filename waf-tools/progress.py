# SPDX-License-Identifier: GPL-2.0-only
"""What `./waf ns3` says while it compiles."""

import sys
import time

from machine import cores


class Progress:
    """Number of files compiled so far, and the estimated time left."""

    def __init__(self, of: int, missing: int, file_CPU_s: float, link_s: float) -> None:
        self._link_s = link_s
        self._of, self._done, self._missing = of, of - missing, missing
        self._begun, self._shown = time.monotonic(), 0.0
        self._show(missing * file_CPU_s / cores())

    def step(self) -> None:
        self._done += 1
        left = self._of - self._done
        took_s = time.monotonic() - self._begun
        self._show(took_s / (self._missing - left) * left)

    def end(self) -> None:
        if sys.stdout.isatty():
            print()
        print(f"[{self._of}/{self._of}] linking ns-3: about {self._link_s} s", flush=True)

    def _show(self, left_s: float) -> None:
        left_s += self._link_s
        line = f"[{self._done}/{self._of}] compiling ns-3: about {left_s:.0f} s left"
        now = time.monotonic()
        if sys.stdout.isatty():
            print(f"\r{line}   ", end="", flush=True)
        elif now - self._shown > 20:  # a few lines are enough in a log
            print(line, flush=True)
            self._shown = now
