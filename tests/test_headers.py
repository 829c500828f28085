# SPDX-License-Identifier: GPL-2.0-only
"""What most files include is read once where that pays, and again only when it has changed."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import headers
import pytest
from waflib.ConfigSet import ConfigSet


@pytest.fixture
def bld(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A build of many files, with an ns-3 that has one of two headers."""
    (tmp_path / "include" / "ns3").mkdir(parents=True)
    (tmp_path / "include" / "ns3" / "there.h").write_text("inline int There() { return 7; }\n")
    listed = tmp_path / "most-included.h"
    listed.write_text('#include "ns3/there.h"\n#include "ns3/only-of-tests.h"\n')
    monkeypatch.setattr(headers, "HEADER", listed)
    monkeypatch.setattr(headers, "ROOT", tmp_path)
    env = ConfigSet()
    env.CXX = ["g++"]
    env.CXXFLAGS_NS3 = ["-isystem", str(tmp_path / "include")]
    (tmp_path / "build").mkdir()
    sources = [None] * headers.PAYS_FROM
    return SimpleNamespace(
        env=env,
        path=SimpleNamespace(ant_glob=lambda _: sources),
        bldnode=SimpleNamespace(abspath=lambda: str(tmp_path / "build")),
        sources=sources,
    )


def compiled(bld: SimpleNamespace, folder: Path) -> subprocess.CompletedProcess[str]:
    source = folder / "a.cc"
    source.write_text("int main() { return There(); }\n")
    command = [*bld.env.CXX, "-H", "-c", source, "-o", folder / "a.o", *bld.env.CXXFLAGS_NS3]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_file_takes_what_was_read_once(bld: SimpleNamespace, tmp_path: Path):
    assert compiled(bld, tmp_path).returncode == 1
    plain = list(bld.env.CXXFLAGS_NS3)
    headers.read_once(bld)
    done = compiled(bld, tmp_path)
    assert done.returncode == 0, done.stderr
    made = tmp_path / "build" / "most-included.h.gch"
    mark, used = done.stderr.split()[:2]
    assert (mark, Path(used).resolve()) == ("!", made.resolve())  # g++'s "was used"
    before = made.stat().st_mtime_ns
    for change, is_again in ((["-O1"], True), (["-O1"], False)):
        bld.env.CXXFLAGS, bld.env.CXXFLAGS_NS3 = change, list(plain)
        headers.read_once(bld)
        assert (made.stat().st_mtime_ns != before) == is_again
        before = made.stat().st_mtime_ns


def test_of_few_files_each_reads_for_itself(bld: SimpleNamespace, tmp_path: Path):
    bld.sources.pop()
    headers.read_once(bld)
    assert "-include" not in bld.env.CXXFLAGS_NS3 and not list((tmp_path / "build").iterdir())


def test_what_cannot_be_read_is_left_to_the_files(bld: SimpleNamespace, tmp_path: Path):
    (tmp_path / "include" / "ns3" / "there.h").write_text("#error not today\n")
    headers.read_once(bld)
    assert "-include" not in bld.env.CXXFLAGS_NS3
