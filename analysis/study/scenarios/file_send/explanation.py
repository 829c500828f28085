# SPDX-License-Identifier: GPL-2.0-only
"""The closed form of a file transfer whose sender's processor moves every byte."""

from study.kit.guide import Guide
from study.kit.terms import Cycle
from study.scenarios.file_send import buffers, formulas
from study.scenarios.file_send.formulas import FileSend


def _cycle(file: FileSend) -> Cycle | str:
    """Return a buffer's cycle; formulas that are not compared with the simulation are not shown."""
    if file.interface_transfer == "dma" or file.disk_reading == "waited":
        return "no closed form: those for DMA and for a disk that is waited for are only estimates"
    return formulas.cycle(file)


GUIDE = Guide[FileSend](
    cycle=_cycle,
    window_B=formulas.outstanding_B,
    exchange=buffers.typical,
)
