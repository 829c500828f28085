# SPDX-License-Identifier: GPL-2.0-only
"""The closed form of a print job."""

from study.kit.guide import Guide
from study.kit.terms import Cycle
from study.scenarios.print_job import cycles, long_path, lossy_path, messages, whole_job
from study.scenarios.print_job.messages import PrintJob


def _cycle(job: PrintJob) -> Cycle | str:
    """Return a window's cycle, or the device's processor cycle if that is modelled and slower; or
    why there is no closed form."""
    if left_out := messages.left_out(job):
        return f"no closed form for {left_out}"
    if job.link == "path":
        path = lossy_path if lossy_path.loses(job) else long_path
        return path.window_cycle(job)
    if job.link != "ethernet":
        return "no closed form for this path: a print job's formulas know an Ethernet or one path"
    window = cycles.window_cycle(job)
    if not job.device_clock:
        return window
    return min(window, cycles.processor_cycle(job), key=lambda each: each.rate_Bps)


def _whole_s(job: PrintJob) -> float | None:
    known = job.link != "frame-relay" and not job.device_clock and not messages.left_out(job)
    return whole_job.whole_job_s(job) if known else None


def _window_B(job: PrintJob) -> float:
    if job.link != "path":
        return messages.burst_B(job)
    return lossy_path.mean_window_B(job) if lossy_path.loses(job) else long_path.window_B(job)


GUIDE = Guide[PrintJob](
    cycle=_cycle,
    whole_s=_whole_s,
    window_B=_window_B,
)
