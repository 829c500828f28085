# SPDX-License-Identifier: GPL-2.0-only
"""Packet scripts out of captures: those that are committed are what the program makes of them."""

import shlex
from pathlib import Path

import pytest
from study.base.project import ROOT
from study.captures import script

SCRIPTS = sorted((ROOT / "tests/model/connection/scripts").glob("kernel-*.pkt"))


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.stem)
def test_a_script_is_what_its_capture_says(file: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    sentence, _, command, *_ = file.read_text().splitlines()
    arguments = shlex.split(command.split("study.captures.script ")[1])
    assert script.main(["--sentence", sentence.removeprefix("# "), *arguments]) == file.read_text()


def test_ten_scripts_and_more_come_from_a_kernel():
    assert len(SCRIPTS) >= 10
