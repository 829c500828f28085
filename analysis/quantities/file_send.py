# SPDX-License-Identifier: GPL-2.0-only
"""The measured figures of a file transfer: each kind, as the simulation shows it and as the closed
form has it."""

from analysis.closed_forms import file_send
from analysis.closed_forms.file_send import FileSend
from analysis.quantities.quantity import Judges, Quantity

QUANTITIES: dict[str, Quantity[FileSend]] = {
    "download_rate": Quantity(
        lambda result, _: result.throughput_Bps, lambda file, _: file_send.rate_Bps(file), "B/s"
    ),
    "cpu_busy": Quantity(
        lambda result, _: result.record["cpu_busy"], lambda file, _: file_send.cpu_busy(file), "1"
    ),
}

JUDGES = Judges(FileSend, QUANTITIES)
