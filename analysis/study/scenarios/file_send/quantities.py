# SPDX-License-Identifier: GPL-2.0-only
"""The measured figures of a file transfer: each kind, as the simulation shows it and as the closed
form has it."""

from operator import attrgetter

from study.kit.quantity import Judges, Quantity, alone
from study.scenarios.file_send import formulas
from study.scenarios.file_send.formulas import FileSend

QUANTITIES: dict[str, Quantity[FileSend]] = {
    "download_rate": Quantity(alone(attrgetter("throughput_Bps")), alone(formulas.rate_Bps), "B/s"),
    "cpu_busy": Quantity(
        alone(lambda result: result.record["cpu_busy"]), alone(formulas.cpu_busy), "1"
    ),
}

JUDGES = Judges(FileSend, QUANTITIES)
