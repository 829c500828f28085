# SPDX-License-Identifier: GPL-2.0-only
"""An installed wheel answers as the project's own folder does, without the project around it."""

import hashlib
import json
import os
import platform
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from study import engine
from study.base.project import ROOT
from study.catalogue import systems
from study.programs import identity, wasm_instance
from study.programs.identity import Identity
from study.publishing import release
from study.runs.module_program import ModuleProgram

from tests.engine.points import Point, digest, native, sample

Installed = tuple[Path, Path]  # its Python, and a folder that is not the project's


@pytest.fixture(scope="module")
def module_for_wasmtime() -> Path:
    """The module of the pure wheel, where `./waf browser` and `./waf release` have been run."""
    pytest.importorskip("wasmtime")
    if reason := engine.why_not():
        pytest.skip(f"the WebAssembly module: {reason}")
    if not (ROOT / "build" / "binaryen").is_dir():
        pytest.skip("./waf release has not fetched Binaryen")
    assert release.module_for_wasmtime()
    return release.MADE / "study.wasm"


@pytest.fixture
def instance(module_for_wasmtime: Path, monkeypatch: pytest.MonkeyPatch) -> wasm_instance.Instance:
    monkeypatch.setattr(wasm_instance, "MODULE", module_for_wasmtime)
    return wasm_instance.Instance()


@pytest.fixture(scope="module", params=["native", "pure"])
def installed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    """The wheel in an environment of its own, with the libraries of this one."""
    folder = tmp_path_factory.mktemp("wheel")
    if request.param == "pure":
        request.getfixturevalue("module_for_wasmtime")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    environment = os.environ | {"STUDY_WHEEL": request.param}
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, env=environment)
    (wheel,) = folder.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl") == (request.param == "pure")
    venv.create(folder / "env", with_pip=False)
    (site,) = (folder / "env").glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(site)
        for name in file.namelist():  # as pip does
            (site / name).chmod(file.getinfo(name).external_attr >> 16 or 0o644)
    # A path in a .pth file brings packages, and no .pth file of theirs: not the editable study.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    return folder / "env" / "bin" / "python", elsewhere


def said(installed: Installed, *words: str) -> str:
    python, elsewhere = installed
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("STUDY_")},
        "HOME": str(elsewhere),
        "XDG_CACHE_HOME": str(elsewhere / "cache"),
    }
    environment.pop("PYTHONPATH", None)
    command = [python, *words]
    done = subprocess.run(
        command, cwd=elsewhere, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout


STUDY = "import sys, study; sys.exit(study.command())"


LIBRARY = {"quickjs-ng": "quickjs"}  # where it is not called as its distribution
WORDS = [
    ("run", "hawking-hps1u"),
    ("what-if", "hawking-hps1u", "--receive-window", "5840"),
    ("explain", "netgear-ps101"),
]


@pytest.mark.parametrize("words", WORDS, ids=lambda words: words[0])
def test_these_commands_need_no_extra(words: tuple[str, ...]):
    """A wheel installs what they import, and nothing larger."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    missing = sorted({LIBRARY.get(name, name) for names in extras.values() for name in names})
    assert all(map(find_spec, missing)), "what is not there blocks nothing"
    without = f"import sys; sys.modules.update(dict.fromkeys({missing})); {STUDY}"
    done = subprocess.run([sys.executable, "-c", without, *words], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", WORDS, ids=lambda words: words[0])
def test_a_command_of_the_wheel_says_what_the_project_s_says(installed, words):
    own = subprocess.run(
        [sys.executable, "-c", STUDY, *words], capture_output=True, text=True, check=True
    )
    assert said(installed, "-c", STUDY, *words) == own.stdout


def test_the_module_under_wasmtime_says_what_the_programs_say(instance, tmp_path: Path):
    """All systems, varied points and refusals, with the files that a run leaves."""
    points = [_with_own_flags(point) for point in sample() if "no-such-system" not in str(point)]
    said = []
    for point in points:
        files = {kind: tmp_path / f"module-{kind}" for kind in point.files}
        for path in files.values():
            path.unlink(missing_ok=True)
        flags = [*point.flags, *(f"--{kind}={path}" for kind, path in files.items())]
        done = instance.completed(point.program, flags)
        if done.returncode:
            said.append({"kind": "refused", "said": done.stderr.strip()})
            continue
        made = {kind: path.read_bytes() for kind, path in files.items() if path.exists()}
        digests = {kind: made.get(kind) and digest(made[kind]) for kind in files}
        said.append({"record": done.stdout, "files": digests})
    both = zip(points, native(points, tmp_path), said, strict=True)
    assert [each for each in both if each[1] != each[2]] == []
    assert not instance.is_lost


def _with_own_flags(point: Point) -> Point:
    """A system's flags in the place of its name, as `study` gives them."""
    _, given, name = "".join(point.flags[:1]).partition("--system=")
    return Point(point.program, tuple(systems[name].flags())) if given else point


def test_a_run_of_too_long_is_ended_and_another_instance_goes_on(instance):
    heavy = [*systems["hawking-hps1u"].flags(), "--job-size=1000000000", "--fast-forward=false"]
    program = wasm_instance.MODULE
    batch = ModuleProgram(Identity("print-job", program, "", identity._stamp(program)))
    light = " ".join(systems["hawking-hps1u"].flags())
    answers = list(batch.answers([light, " ".join(heavy), light], point_timeout_s=2))
    assert len(answers) == 1 and b'"outcome":"finished"' in answers[0][0]
    assert batch.heavy and not batch.serves(batch._program)
    assert instance.completed("print-job", light.split()).returncode == 0


def test_a_notebook_in_another_folder_has_the_systems(installed):
    code = "import study; from study import systems; print(study.__file__, len(systems))"
    file, count = said(installed, "-c", code).split()
    assert "/env/" in file and int(count) == len(list((ROOT / "scenarios/systems").glob("*.toml")))


def test_what_a_wheel_lacks_is_one_line(installed):
    with pytest.raises(subprocess.CalledProcessError) as caught:
        said(installed, "-c", STUDY, "kernel", "--only", "queue 20")
    assert caught.value.returncode == 2
    assert "only in the project's own folder" in caught.value.stderr


def test_a_release_has_the_page_in_both_languages_licences_and_checksums(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, classroom_page: Path
):
    """The page is the one that all tests share; wheel and source archive are stand-ins."""

    def make_or_stand_in(title: str, command: list) -> None:
        if "classroom" in command:
            shutil.copy(classroom_page, command[-1])
            return
        folder = Path(command[-2] if "repair" in command else command[-1])
        folder.mkdir(parents=True, exist_ok=True)
        suffix = (
            "tar.gz"
            if "sdist" in command
            else f"manylinux_2_{len(compiled_for)}_{compiled_for[-1]}.whl"
        )
        (folder / f"slow_transfer_study-{title[-8:]}-{suffix}").write_text(title)

    compiled_for = [platform.machine()]

    monkeypatch.setattr(release, "_step", make_or_stand_in)
    monkeypatch.setattr(release, "MADE", tmp_path / "build")
    monkeypatch.setattr(release, "DIST", tmp_path / "dist")
    monkeypatch.setattr(release, "WASM", tmp_path)
    monkeypatch.setattr(release, "module_for_wasmtime", lambda: True)
    (tmp_path / "sources.tar.xz").write_text("what the pure wheel's module was made of")
    release.make()
    dist = {path.name: path for path in (tmp_path / "dist").iterdir()}
    assert {path.suffix for path in dist.values()} >= {".whl", ".gz", ".html"}
    assert sum(name.endswith(".whl") for name in dist) == 2  # this machine's, and any machine's
    assert "sources-of-the-module.tar.xz" in dist
    assert dist["LICENSE"].read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert {"licences.md", "notices-of-the-class-page.txt"} <= dist.keys()
    sums = [line.split("  ") for line in dist.pop("SHA256SUMS").read_text().splitlines()]
    digests = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in dist.items()}
    assert digests == {name: digest for digest, name in sums}
    page = dist["class-page.html"].read_text()
    for language in ("en", "de"):
        words = json.loads((ROOT / f"analysis/study/front/words.{language}.json").read_text())
        assert words["link.copy"] in page
    compiled_for.append("another")
    release.make()
    (added,) = {path.name for path in (tmp_path / "dist").iterdir()} - {*dist, "SHA256SUMS"}
    assert added.endswith("_another.whl")
    compiled_for.append("another")  # for an older glibc
    release.make()
    replaced = {path.name for path in (tmp_path / "dist").iterdir()} - {*dist, "SHA256SUMS"}
    assert len(replaced) == 1 and replaced != {added}
    (added,) = replaced
    assert all(path.is_file() for path in dist.values())
    assert added in (tmp_path / "dist" / "SHA256SUMS").read_text()


@pytest.mark.parametrize(("machine", "name"), [(62, "linux_x86_64"), (183, "linux_aarch64")])
def test_a_wheel_is_for_the_processor_that_its_programs_are_for(
    machine: int, name: str, tmp_path: Path
):
    program = tmp_path / "print-job"
    program.write_bytes(b"\x7fELF" + bytes(14) + bytes([machine, 0]))
    of_the_build = runpy.run_path(str(ROOT / "waf-tools" / "machine.py"))
    assert of_the_build["platform_of"](program) == name
