# SPDX-License-Identifier: GPL-2.0-only
"""What to try on a file transfer whose sender's processor moves every byte."""

from study.kit import links
from study.kit.candidates import half, other, twice, without
from study.kit.guide import Guide
from study.kit.terms import Cycle
from study.kit.windows import TO_DEVICE, for_a_path, twice_the_window
from study.scenarios.file_send import buffers, formulas
from study.scenarios.file_send.formulas import FileSend


def _cycle(file: FileSend) -> Cycle | str:
    """A buffer; what is not held to the simulation (analysis/formula_check) is not shown."""
    if file.interface_transfer == "dma" or file.disk_reading == "waited":
        return "no closed form: those for DMA and for a disk that is waited for are only estimates"
    return formulas.cycle(file)


GUIDE = Guide[FileSend](
    candidates=(
        *links.CANDIDATES,
        twice_the_window(TO_DEVICE),
        *for_a_path(TO_DEVICE),
        twice("send_buffer", "a send buffer twice as large"),
        twice("file_buffer", "a file buffer twice as large"),
        other("write_returns", "writes of the server that return: {value}"),
        half("word_cycles", "a copy loop of half the cycles"),
        without("tasklet_cycles", "no tasklet for each received packet"),
        other("sendfile", "sendfile {value}"),
        twice("cpu_clock", "a processor at twice the clock"),
        other("interface_transfer", "words moved by {value}"),
        half("wait_states", "half the bus's wait states", needs="wait_states"),
        twice("bus_width", "a bus twice as wide"),
        twice("bus_clock", "a bus at twice the clock"),
        other("disk_reading", "disk reading: {value}"),
        twice("disk_rate", "a disk twice as fast"),
        half("socket_copy_cycles", "a copy into the socket of half the cycles"),
        half("send_cycles", "half the cycles to send a packet"),
        half("receive_cycles", "half the cycles to receive one"),
        other("nagle", "Nagle's algorithm {value}"),
        without("loss_to_device", "no losses on the way to the client"),
        without("loss_to_host", "no losses on the way back"),
        *links.PATH_LOSSES,
    ),
    cycle=_cycle,
    window_B=formulas.outstanding_B,
    exchange=buffers.typical,
)
