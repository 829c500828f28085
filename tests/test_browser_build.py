# SPDX-License-Identifier: GPL-2.0-only
"""What `./waf browser` promises, shown with a stand-in for ns-3's source that compiles in seconds;
tests/engine has the true one."""

import io
import json
import shutil
import subprocess
import tarfile
from pathlib import Path

import browser_build
import browser_link
import pytest

from tests.copies import ROOT, assert_one_sentence, copy_launcher, waf
from tests.test_own_ns3 import source

__all__ = ["source"]  # a fixture
NODE = shutil.which("node")
needs_emscripten = pytest.mark.skipif(
    not (shutil.which("em++") and NODE), reason="Emscripten is not installed"
)
# A scenario of its own: what it says is from ns-3's stand-in.
PROGRAM = """#include "ns3/simulator.h"
#include <iostream>
#include <stdexcept>
int main(int argc, char* argv[])
{
    try { throw std::runtime_error(argc > 1 ? argv[1] : "nothing"); }
    catch (const std::exception& error) { std::cout << error.what() << ' '; }
    std::cout << NS3_STUDY_NS3_VERSION << ' ' << ns3::Where() << '\\n';
    return 3;
}
"""
RUN = """
const fs = require("fs");
const wasmBinary = fs.readFileSync("study.wasm");
require("./study.js")({ wasmBinary }).then((study) => {
  const words = ["which", "--given", ""];
  const place = study.ccall("study_run", "number", ["string", "string", "string"], words);
  process.stdout.write(study.UTF8ToString(place));
});
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = copy_launcher(tmp_path / "study")
    shutil.copytree(ROOT / "webassembly", tree / "webassembly")
    (tree / "scenarios" / "which").mkdir()
    (tree / "scenarios" / "which" / "which.cc").write_text(PROGRAM)
    return tree


def ran(tree: Path) -> str:
    done = subprocess.run(
        [NODE, "-e", RUN], cwd=tree / "build" / "wasm", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_emscripten
def test_a_module_its_source_and_what_made_it(tree: Path, source: Path):
    made = waf(tree, "browser", f"--source={source}")
    assert made.returncode == 0, made.stdout + made.stderr
    assert "compiling ns-3: " in made.stdout and "linking" in made.stdout
    assert ran(tree) == "3\n--given 344 ns-3/src/core/model/simulator.cc\n"
    told = json.loads((tree / "build/wasm/study.json").read_text())
    assert told["ns3"] == "3.44" and told["linked"] == 1
    text = (tree / "build/wasm/study.json").read_text()
    assert str(tree) not in text and str(source) not in text
    with tarfile.open(tree / "build/wasm/sources.tar.xz") as archive:
        names = archive.getnames()
        how = archive.extractfile("HOW.txt").read().decode()
    assert "slow-transfer-study/scenarios/which/which.cc" in names
    assert "slow-transfer-study/webassembly/shims.h" in names
    assert "ns-3.44/src/core/model/simulator.cc" in names
    assert "ns-3.44/src/core/model/simulator.h" in names and "ns-3.44/LICENSE" in names
    assert "./waf browser --source=../ns-3.44" in how
    # Nothing is made twice, nor asked for twice; a change is taken.
    before = (tree / "build/wasm/study.wasm").stat().st_mtime_ns
    again = waf(tree, "browser")
    assert again.returncode == 0 and "ompiling" not in again.stdout, again.stdout
    assert (tree / "build/wasm/study.wasm").stat().st_mtime_ns == before
    which = tree / "scenarios" / "which" / "which.cc"
    which.write_text(PROGRAM.replace("return 3", "return 4"))
    assert waf(tree, "browser").returncode == 0
    assert ran(tree).startswith("4\n")


@needs_emscripten
def test_the_source_in_the_page_builds_the_module_again(tree: Path, source: Path, tmp_path: Path):
    assert waf(tree, "browser", f"--source={source}").returncode == 0
    packed = (tree / "build/wasm/sources.tar.xz").read_bytes()
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # of 3.11.4 and later
        archive.extractall(tmp_path / "unpacked")
    other = tmp_path / "unpacked" / "slow-transfer-study"
    made = waf(other, "browser", "--source=../ns-3.44")
    assert made.returncode == 0, made.stdout + made.stderr
    for name in ("study.wasm", "study.js"):
        assert (other / "build/wasm" / name).read_bytes() == (
            tree / "build/wasm" / name
        ).read_bytes()


@needs_emscripten
def test_what_is_called_to_compile_makes_what_em_would(tmp_path: Path):
    source = tmp_path / "trial.cc"
    source.write_text(browser_build.TRIAL)
    objects = [tmp_path / "direct.o", tmp_path / "em.o"]
    called = browser_build.called()
    assert "clang" in called[0] and "-target" in called
    for command, made in zip((called, [browser_build.COMPILER]), objects, strict=True):
        subprocess.run([*command, *browser_build.COMPILE, "-c", source, "-o", made], check=True)
    assert objects[0].read_bytes() == objects[1].read_bytes()


def test_without_emscripten_it_says_what_is_missing(tree: Path, source: Path, tmp_path: Path):
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("g++", "ld", "as", "ar", "uname"):
        if found := shutil.which(name):
            (tools / name).symlink_to(found)
    assert waf(tree, "configure").returncode == 0
    done = waf(tree, "browser", f"--source={source}", PATH=str(tools))
    assert_one_sentence(done, "there is no Emscripten", "apt install emscripten")
    broken = tools / "em++"
    broken.write_text("#!/bin/sh\necho 'em++: error: no such toolchain' >&2\nexit 1\n")
    broken.chmod(0o755)
    (tools / "node").symlink_to(broken)
    done = waf(tree, "browser", f"--source={source}", PATH=str(tools) + ":/bin")
    assert_one_sentence(done, "Emscripten does not compile or link", "no such toolchain")


def test_what_only_a_name_asks_for_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A TypeId by its name is no symbol: no linker would take the file that has it."""
    folder = tmp_path / "source" / "src" / "core" / "model"
    folder.mkdir(parents=True)
    (tmp_path / "lib").mkdir()
    texts = {
        "simulator": 'StringValue("ns3::Usual")',
        "usual": "NS_OBJECT_ENSURE_REGISTERED(Usual);",
        "unused": "NS_OBJECT_ENSURE_REGISTERED(Unused);",
        "deeper": "",
    }
    objects = {}
    for name, text in texts.items():
        (folder / f"{name}.cc").write_text(text)
        objects[name] = tmp_path / "lib" / f"core.{name}.o"
        objects[name].touch()
    ours = tmp_path / "ours.o"
    defined = {path: {name} for name, path in objects.items()} | {ours: set()}
    asked = {path: set() for path in defined} | {
        ours: {"simulator", "printf"},
        objects["usual"]: {"deeper"},
    }
    monkeypatch.setattr(browser_link, "symbols", lambda _: (defined, asked))
    found = browser_link.needed(tmp_path, [ours])
    assert [path.name for path in found] == ["core.deeper.o", "core.simulator.o", "core.usual.o"]
