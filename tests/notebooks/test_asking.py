# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the input that a notebook waits at, in a kernel as JupyterLab has it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel
from study.base.project import ROOT

from tests.waiting import HANG_S

CELL = """
from pathlib import Path
from study.notebooks import asking, predict
asking.KEPT = Path({kept!r})
print(predict("rate of the job", "kB/s").yours)
"""


@pytest.fixture
def kernel(program: Path) -> Iterator[BlockingKernelClient]:
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(ROOT))
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def answered(client: BlockingKernelClient, cell: str, *answers: str) -> tuple[list[str], str]:
    """What a cell asked, each question answered with the next answer, and what it printed."""
    left, asked, printed = list(answers), [], []

    def answer(message: dict) -> None:
        asked.append(message["content"]["prompt"])
        client.input(left.pop(0))

    def output(message: dict) -> None:
        printed.append(message["content"].get("text", ""))

    reply = client.execute_interactive(
        cell, allow_stdin=True, stdin_hook=answer, output_hook=output, timeout=HANG_S
    )
    assert reply["content"]["status"] == "ok" and not left
    return asked, "".join(printed)


def test_a_cell_waits_for_a_guess_and_keeps_it(kernel: BlockingKernelClient, tmp_path: Path):
    cell = CELL.format(kept=str(tmp_path / "kept.json"))
    asked, printed = answered(kernel, cell, "", "fast", "-3", "24,5 KB/s")
    assert asked == ["rate of the job (kB/s): "] * 4
    assert printed.splitlines() == [
        "a guess costs nothing; or - to go on without one",
        "'fast' is not a number in kB/s; write one, as 12 or 1.5",
        "rate of the job: -3.0 cannot be; write a number from 0 up, or words",
        "24.5",
    ]
    asked, printed = answered(kernel, cell, "")
    assert asked == ["rate of the job (kB/s) [Enter: 24,5 KB/s]: "]
    assert printed.strip() == "24.5"


def test_one_goes_on_without_a_guess(kernel: BlockingKernelClient, tmp_path: Path):
    kept = tmp_path / "kept.json"
    kept.write_text("[1]")  # as no guess was ever kept
    _, printed = answered(kernel, CELL.format(kept=str(kept)), "-")
    assert printed.strip() == "None"
