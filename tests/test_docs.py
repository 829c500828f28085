# SPDX-License-Identifier: GPL-2.0-only
"""The documentation tells the truth: its examples run, its links lead somewhere, and what it takes
from elsewhere is there."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from study import StudyError, systems
from study.base.project import ROOT, scenarios
from study.commands import site

FENCED = re.compile(r"^( *)```python\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
# A cluster's own library, which nobody without that cluster has: its example is only compiled.
NOT_HERE = "dask_jobqueue"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = sorted((ROOT / "analysis").rglob("*.py"))
WITH_EXAMPLES = [path for path in [*PAGES, *MODULES] if FENCED.search(path.read_text())]


def compiled(path: Path) -> list[tuple[str, object]]:
    """The examples of a file, each with its own lines' numbers, so that a failure points there."""
    text = path.read_text()
    found = []
    for match in FENCED.finditer(text):
        lines = [line.removeprefix(match[1]) for line in match[2].splitlines(keepends=True)]
        above = text[: match.start(2)].count("\n")
        found.append((match[2], compile("\n" * above + "".join(lines), str(path), "exec")))
    return found


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_run_one_after_the_other(
    path: Path, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "example"}
    for text, code in compiled(path):
        if NOT_HERE not in text:
            exec(code, names)


def test_where_a_reader_looks_for_examples_there_are_some():
    names = {str(path.relative_to(ROOT)) for path in WITH_EXAMPLES}
    assert {
        "README.md",
        "docs/index.md",
        "analysis/study/catalogue.py",
        "analysis/study/runs/sweep.py",
    } <= names


def test_a_result_that_kept_no_segments_gets_those_of_the_same_job(program: Path):
    short = systems["hawking-hps1u"].with_(receive_window=8760, job_size=65536)
    late, kept = short.run(), short.run(segments=True)
    assert late.segments_csv is None
    assert late.segments.equals(kept.segments)
    assert late.segments.length.sum() > 65536


def test_the_table_of_parameters_has_every_one_of_every_scenario(program: Path):
    page = site.on_page_markdown(site.PARAMETERS)
    for scenario in scenarios():
        own = page.partition(f"\n## {scenario}\n")[2] or page
        assert f"## {scenario}\n" in page
        for parameter in site.declaration(scenario).parameters.values():
            assert f"| `--{parameter.flag}`" in own


def test_a_section_that_is_gone_or_links_to_nothing_stops_the_site(monkeypatch, tmp_path: Path):
    monkeypatch.setattr(site, "ROOT", tmp_path)
    (tmp_path / "a.md").write_text("## Here\n\n[there](there.md), [web](https://a.example)\n")
    with pytest.raises(StudyError, match=r"Here: there is no there\.md"):
        site.section("a.md", "Here")
    (tmp_path / "there.md").touch()
    assert site.section("a.md", "Here") == "there, [web](https://a.example)"
    with pytest.raises(StudyError, match="has no section 'Gone'"):
        site.section("a.md", "Gone")


def make_site(root: Path, into: Path) -> subprocess.CompletedProcess[str]:
    # Not --quiet: it drops the warnings before --strict can count them.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(into)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)


def test_the_site_is_made_without_a_broken_link(program: Path, tmp_path: Path):
    made = make_site(ROOT, tmp_path / "site")
    assert made.returncode == 0, made.stderr
    commands = (tmp_path / "site" / "reference" / "commands.html").read_text()
    assert "Sentinel" not in commands  # a default that is none
    assert "--latin-hypercube" in commands and "--receive-window" not in commands
    assert "receive_window" in (tmp_path / "site" / "reference/api/systems.html").read_text()


def test_a_broken_link_is_named_and_fails(program: Path, tmp_path: Path):
    for name in ("analysis", "scenarios", "build", "results", "scratch", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    for name in ("mkdocs.yml", "README.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    with (tmp_path / "docs" / "index.md").open("a") as page:
        page.write("\n[nowhere](how-to/nowhere.md), [nothing](reference/commands.md#nothing)\n")
    made = make_site(tmp_path, tmp_path / "site")
    assert made.returncode == 1
    assert "how-to/nowhere.md" in made.stderr and "#nothing" in made.stderr
