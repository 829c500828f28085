# SPDX-License-Identifier: GPL-2.0-only
"""The engine of the pure wheel without its module; tests/test_release.py has it with the module."""

import sys

import pytest
from study.base.errors import StudyError
from study.programs import wasm_instance


def test_a_machine_that_wasmtime_does_not_serve_is_told_so_in_one_line(monkeypatch):
    """Its wheel for any platform has a library for another: the import fails."""
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(StudyError, match=r"wasmtime.*there is none for .*riscv64") as caught:
        wasm_instance.completed("print-job", ["--describe"])
    assert "\n" not in str(caught.value)
