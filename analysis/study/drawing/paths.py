# SPDX-License-Identifier: GPL-2.0-only
"""Example transfer over a path that no source has measured, for figures of a mechanism. Both
ends have today's defaults, and neither is slow."""

from study.system.system import System

LARGE_B = 4_000_000  # windows and buffers above all that the path and its queue hold


def bulk(**parameters: object) -> System:
    """Return a host that sends to a device over a path, as fast as TCP lets it."""
    plain = System("bulk", "A bulk transfer over a path", "print-job", None, {}, ())
    large = {"receive_window": LARGE_B, "send_buffer": LARGE_B}
    writes = {"first_write": LARGE_B, "write_size": LARGE_B, "write_time": "1us"}
    offered = {
        f"{end}_{option}": value
        for end in ("host", "device")
        for option, value in (("window_scale", "auto"), ("sack", True))
    }
    known = {"link": "path", "protocol": "raw", **large, **writes, **offered}
    return plain.with_(**known | parameters)
