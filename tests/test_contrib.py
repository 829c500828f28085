# SPDX-License-Identifier: GPL-2.0-only
"""The module for ns-3's own build is whole, and no model in it needs a program of the study."""

import re
import shutil
from pathlib import Path

import contrib_module
import pytest
from study.base.project import ROOT

ANY_INCLUDE = re.compile(r'^#include "(?!ns3/)([^"]+)"', re.MULTILINE)


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ns-3")
    contrib_module.make(str(folder))
    return folder / "contrib" / contrib_module.NAME


def test_every_file_finds_what_it_includes_in_the_module(laid_out: Path):
    files = [file for kind in ("h", "cc") for file in laid_out.rglob(f"*.{kind}")]
    assert len(files) > 100
    for file in files:
        for name in ANY_INCLUDE.findall(file.read_text()):
            assert (laid_out / name).is_file(), f"{file}: {name}"


def test_its_build_names_every_source_and_header_that_is_there(laid_out: Path):
    text = (laid_out / "CMakeLists.txt").read_text()
    assert "@" not in text
    named = re.findall(r"^    ((?:model|helper|test)/\S+)$", text, re.MULTILINE)
    sources = {str(file.relative_to(laid_out)) for file in laid_out.rglob("*.cc")}
    assert sources == {name for name in named if name.endswith(".cc")}
    assert all((laid_out / name).is_file() for name in named)
    public = [name for name in named if name.endswith(".h")]
    assert len(public) == len({Path(name).name for name in public})  # ns-3 has them in one folder


def test_the_suites_of_tcp_and_their_scripts_are_in_it(laid_out: Path):
    suites = {file.name for file in (laid_out / "test").rglob("*-test.cc")}
    ours = {file.name for file in (ROOT / "tests/model/tcp").glob("*-test.cc")}
    # The applications' own, and two that run over a path, which is the programs'.
    assert ours - suites == {"client-application-test.cc", "options-test.cc", "streams-test.cc"}
    scripts = ROOT / "tests/model/connection/scripts"
    assert len(list((laid_out / "test").rglob("*.pkt"))) == len(list(scripts.glob("*.pkt"))) > 100
    page = (laid_out / "doc" / "slow-transfer.rst").read_text()
    assert all((laid_out / name).exists() for name in re.findall("``(model/[^`]+)``", page))


def test_a_model_that_includes_a_file_of_the_programs_is_named(tmp_path: Path, monkeypatch, capsys):
    for folder in ("scenarios", "tests/model"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    header = tmp_path / "scenarios/model/tcp/host-tcp.h"
    header.write_text(header.read_text() + '#include "model/program/scenario.h"\n')
    monkeypatch.setattr(contrib_module, "ROOT", tmp_path)
    with pytest.raises(SystemExit):
        contrib_module.make(str(tmp_path / "ns-3"))
    assert "host-tcp.h includes a file of the programs" in capsys.readouterr().err
    assert not (tmp_path / "ns-3").exists()


def test_a_folder_of_somebody_elses_stays(tmp_path: Path, capsys):
    theirs = tmp_path / "contrib" / contrib_module.NAME / "CMakeLists.txt"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("build_lib()\n")
    with pytest.raises(SystemExit):
        contrib_module.make(str(tmp_path))
    assert theirs.read_text() == "build_lib()\n" and "was not made by" in capsys.readouterr().err
