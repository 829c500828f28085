# SPDX-License-Identifier: GPL-2.0-only
"""The measured figures of a file transfer: each kind, as the simulation shows it and as the closed
form has it."""

from study.kit.quantity import Judges, Quantity
from study.scenarios.file_send import formulas
from study.scenarios.file_send.formulas import FileSend

QUANTITIES: dict[str, Quantity[FileSend]] = {
    "download_rate": Quantity(
        lambda result, _: result.throughput_Bps, lambda file, _: formulas.rate_Bps(file), "B/s"
    ),
    "cpu_busy": Quantity(
        lambda result, _: result.record["cpu_busy"], lambda file, _: formulas.cpu_busy(file), "1"
    ),
}

JUDGES = Judges(FileSend, QUANTITIES)
