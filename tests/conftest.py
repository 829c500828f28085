# SPDX-License-Identifier: GPL-2.0-only
"""What several tests need: the built program, one run of the measured system, and a copy of the
project that a test may spoil."""

import csv
import fcntl
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from study import Result, System, captures, systems
from study.base.project import FIGURES, ROOT, scenario_program, scenarios
from study.kernel import PACKETS, TABLE
from study.runs.store_file import FILE

if TYPE_CHECKING:
    from study.drawing.style import Drawing

FINISHED = {
    "format": 1, "scenario": "print-job", "outcome": "finished", "reason": "", "bytes": 1000,
    "duration_s": 2.0, "throughput_Bps": 500.0, "limits_s": {"link": 2.0}, "parameters": {},
}  # fmt: skip
# The files that take longest, by the processor's time, and the longest first.
LONG = [
    "test_both_ns3",
    "test_notebooks",
    "test_classroom",
    "test_reproduce",
    "test_explorer_lab",
    "test_figures",
    "test_in_browsers",
    "test_explorer_served",
    "test_bench_browser",
    "test_formula_check",
    "test_browser_build",
    "test_own_ns3",
    "test_explain",
    "test_report",
    "test_docs_browser",
    "test_store",
    "test_cluster",
    "test_setup",
    "test_live",
]
TIMELINES = [str(each.relative_to(ROOT)) for each in (ROOT / "tests").glob("*/timelines")]
pytest.register_assert_rewrite("tests.explorer.claims")
POINTS_OF_KERNEL = 3
README = "# title\n\n<!-- begin results table -->\n<!-- end results table -->\n\n"
README += "<!-- begin disagreements -->\n<!-- end disagreements -->\n\nprose\n"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--screenshots", action="store_true", help="write the README's pictures of pages anew"
    )


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Names a test that failed as soon as it has, for a run that is stopped before its summary."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(f"\n{report.nodeid} failed: {report.longreprtext[-500:]}", file=sys.__stderr__)


def pytest_configure() -> None:
    """Ctrl-C is heard by what tests start, although a shell that runs them in the background has
    them ignore it."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of pytest-xdist's workers one has a whole file, for its fixtures' sake. What takes longest
    comes first, so that the end has something for every worker."""
    order = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: order.get(item.path.stem, len(LONG)))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """For the modules that import tests.browser, which skips them where there is none."""
    from tests.browser import chromium

    with chromium() as opened:
        yield opened


@pytest.fixture
def phone(browser: Any, classroom_page: Path) -> Iterator[Any]:
    """The classroom page in a student's hand, ready; in the end nothing was written to the
    console."""
    from tests.browser import PHONE, visit

    with visit(browser, classroom_page.as_uri(), PHONE) as seen:
        seen.page.wait_for_selector("main:not([inert])")
        yield seen
    assert seen.said == []


@pytest.fixture
def page(phone: Any) -> Any:
    return phone.page


@pytest.fixture(scope="session", autouse=True)
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A result store of the tests' own, which begins with the project's: a record there is of the
    same program, by its digest, and the tests that doubt a store make one."""

    def make(folder: Path) -> None:
        folder.mkdir()
        if (known := ROOT / ".store" / FILE).is_file():
            with (
                closing(sqlite3.connect(known)) as old,
                closing(sqlite3.connect(folder / FILE)) as new,
            ):
                old.backup(new)

    with pytest.MonkeyPatch.context() as patch:
        folder = made_once("store", tmp_path_factory, make)
        patch.setenv("STUDY_STORE", str(folder))
        yield folder


@pytest.fixture(scope="session")
def program() -> Path:
    """The scenario's program. Without it tests fail; a skipped one would look like a pass."""
    path = ROOT / "build" / "print-job"
    if not path.is_file():
        pytest.fail("there is no build/print-job: run ./waf build")
    return path


@pytest.fixture(scope="session")
def hawking(program: Path) -> System:
    return systems["hawking-hps1u"]


@pytest.fixture(scope="session")
def hawking_run(hawking: System) -> Result:
    """The measured job, once, with its segments."""
    return hawking.run(segments=True)


@pytest.fixture
def refused(capsys: pytest.CaptureFixture) -> Callable[..., str]:
    """Give the command arguments that it refuses: the one line that it says, and nothing else."""
    from study.commands.main import main

    def refuse(*arguments: str) -> str:
        status = main([*arguments])
        out, err = capsys.readouterr()
        assert (status, out, err.count("\n")) == (2, "", 1), err[-2000:]
        assert err.startswith("study: ")
        return err

    return refuse


@pytest.fixture(scope="session")
def classroom_page(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The classroom page without the simulation inside, whether or not that is built; made once:
    by the first of pytest-xdist's workers that wants it."""
    from study.classroom.page import page as make_page

    def make(page: Path) -> None:
        with mock.patch("study.engine.FOLDER", page.with_name("no-module")):
            page.write_text(make_page(lambda _: None), encoding="utf-8")

    return made_once("classroom.html", tmp_path_factory, make)


@pytest.fixture(scope="session")
def class_runs(classroom_page: Path) -> dict[str, Any]:
    """What that page holds of each unit."""
    from tests.packed import in_page

    units = in_page(classroom_page.read_text(encoding="utf-8"), "runs")["units"]
    return {each["id"]: each for each in units}


@pytest.fixture(scope="session")
def fresh_rows(program: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """Every system run as measured, once: what results/reproduction.csv would have now."""
    from study.judging import reproduction

    def make(file: Path) -> None:
        file.write_text(json.dumps(reproduction.rows()), encoding="utf-8")

    return json.loads(made_once("rows.json", tmp_path_factory, make).read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def study_made(program: Path, tmp_path_factory: pytest.TempPathFactory) -> "Project":
    """A small study with all its results, made once; what a test spoils is a copy of it."""
    from tests.small_study import small_study

    def make(root: Path) -> None:
        done = small_study(root, program).study("reproduce")
        assert done.returncode == 0, done.stderr

    return Project(made_once("small-study", tmp_path_factory, make))


@pytest.fixture
def study_copied(study_made: "Project", tmp_path: Path) -> "Project":
    """A copy of it that a test may spoil: results that were moved are still up to date."""
    shutil.copytree(study_made.root, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")


@pytest.fixture(scope="session")
def site(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of docs/, made once, without running notebooks."""

    def make(folder: Path) -> None:
        made = make_site(ROOT / "mkdocs.yml", folder)
        assert made.returncode == 0, made.stderr

    return made_once("site", tmp_path_factory, make)


def make_site(config: Path, into: Path) -> subprocess.CompletedProcess[str]:
    # Not --quiet: it drops the warnings before --strict can count them.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(config)]
    environment = os.environ | {"STUDY_DOCS_RUN": "false"}
    return subprocess.run(
        [*command, "-d", str(into)], cwd=ROOT, env=environment, capture_output=True, text=True
    )


def common(folders: pytest.TempPathFactory) -> Path:
    """One folder for all of pytest-xdist's workers."""
    folder = folders.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


def made_once(name: str, folders: pytest.TempPathFactory, make: Callable[[Path], None]) -> Path:
    """What the first of pytest-xdist's workers that wants it makes for all."""
    folder = common(folders)
    made = folder / name
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            make(made)
    return made


class Drawings(dict[str, "Drawing"]):
    """The study's figures on a page, each drawn once, when a test looks at it."""

    def __missing__(self, name: str) -> "Drawing":
        from study import figures

        return self.setdefault(name, figures.draw(name))


@pytest.fixture(scope="session")
def drawings(program: Path) -> Iterator[Drawings]:
    """The figure of the captures is drawn of the committed table: test_verdicts judges them."""
    from study.figures import captured

    with mock.patch.object(captured, "judged", _judged_of_captures):
        yield Drawings()


def _judged_of_captures() -> tuple[dict[str, object], int]:
    from study.drawing.kinds.limits import Budget
    from study.kernel.cases import cases

    jobs: dict[str, Budget] = {}
    with (FIGURES / "captured.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            job = jobs.setdefault(row["job"], Budget(row["system"], {}))
            job.limits_s[row["limit"]] = float(row["time_s"])
    main = {
        name: max(job.limits_s, key=lambda each: job.limits_s[each]) for name, job in jobs.items()
    }
    return jobs, sum(main[each.name] in each.causes for each in cases() if each.name in jobs)


@dataclass(frozen=True)
class Project:
    """A copy of what the analysis uses, in a folder of its own."""

    root: Path

    def study(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        with self.start(*arguments) as process:
            out, err = process.communicate()
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "study.commands.main", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(self.root / "analysis")}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        # A process group as a shell makes one, so that a test can press Ctrl-C.
        return subprocess.Popen(command, cwd=self.root, env=environment, process_group=0, **pipes)

    def files(self) -> dict[str, bytes]:
        """Every file but Python's caches, to see whether something was written."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }

    def answer_with(self, before_each: str) -> Path:
        """A program that runs a piece of shell for each point of a batch (the point is $point) and
        then calls it finished; the file in which it notes the points that it answered."""
        log = self.root / "answered"
        self.replace_program(
            f"while read -r point; do\n{before_each}\n"
            f"echo \"$point\" >> '{log}'\necho '{json.dumps(FINISHED)}'\ndone"
        )
        return log

    def replace_program(self, script: str) -> None:
        """Put a shell script in place of the program; what it declares, and how it reads values,
        stays."""
        program, true_program = self.root / "build" / "print-job", self.root / "true-print-job"
        if not true_program.exists():
            true_program.symlink_to(program.resolve())
        program.unlink()
        kept = f"case $1 in --describe|--canonical) exec '{true_program}' \"$@\";; esac"
        program.write_text(f"#!/bin/sh\n{kept}\n{script}\n")
        program.chmod(0o755)


def _copy_kernels_points(root: Path) -> None:
    """What was measured of the kernel; of the table so many points as a test has time for."""
    shutil.copytree(ROOT / "kernel-wire", root / "kernel-wire")
    (root / "results").mkdir()
    shutil.copy(PACKETS, root / "results")
    few = TABLE.read_text().splitlines(keepends=True)[: 1 + POINTS_OF_KERNEL]
    (root / "results" / TABLE.name).write_text("".join(few))


def copy_project(root: Path) -> Project:
    """All of it in a new folder; programs are links to ours."""
    for room in ("analysis", "scenarios", *TIMELINES):
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("requirements.lock", "wscript"):
        shutil.copy(ROOT / name, root)
    _copy_kernels_points(root)
    (root / "README.md").write_text(README)
    (root / "build").mkdir()
    for name in scenarios():
        (root / "build" / name).symlink_to(scenario_program(name))
    return Project(root)


@pytest.fixture
def project(tmp_path: Path, program: Path) -> Project:
    return copy_project(tmp_path / "project")


@pytest.fixture
def read(tmp_path: Path) -> Callable[[bytes], captures.Capture]:
    """Read a capture of these bytes, which stand in job.pcap of the test's folder."""

    def reading(data: bytes) -> captures.Capture:
        (tmp_path / "job.pcap").write_bytes(data)
        return captures.read(tmp_path / "job.pcap")

    return reading
