# SPDX-License-Identifier: GPL-2.0-only
"""The documentation tells the truth: its examples run, its links lead somewhere, and what it takes
from elsewhere is there."""

import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import study
from bs4 import BeautifulSoup
from conftest import make_site
from study import StudyError, figures, systems
from study.base.project import README, ROOT, scenarios
from study.base.wrapping import wrap
from study.catalogue import Catalogued
from study.commands import site as site_hooks
from study.notebooks import pages as notebooks
from study.runs.sweep import sweep
from study.system.system import System

FENCED = re.compile(r"^( *)```python\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
# A cluster's own library, which nobody without that cluster has: its example is only compiled.
NOT_HERE = "dask_jobqueue"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = sorted((ROOT / "analysis").rglob("*.py"))
WITH_EXAMPLES = [path for path in [*PAGES, *MODULES] if FENCED.search(path.read_text())]


# What the package offers, but for classes that only hold values.
VERBS = [study.diagnose, study.plot, study.to_xarray, sweep]
VERBS += [Catalogued.sweep, Catalogued.figure, Catalogued.explain, Catalogued.what_if]
VERBS += [System.with_, System.with_host, System.with_profile, System.run]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.__qualname__)
def test_a_verb_says_each_parameter_what_it_returns_and_what_it_refuses(verb: Callable):
    """In numpydoc's form, which the reference's pages are made of."""
    told = inspect.getdoc(verb) or ""
    given = [each for each in inspect.signature(verb).parameters if each != "self"]
    named = re.findall(r"^(?:\w+, )*\w+$|^\*\*\w+$", told, re.MULTILINE)
    assert {*given} <= {name.strip("*") for line in named for name in line.split(", ")}
    assert "\nReturns\n-------\n" in told
    assert not given or "\nRaises\n------\n" in told


PURPOSE = re.compile(r"^# .+\n\nFor ", re.MULTILINE)


def test_every_page_opens_with_who_it_is_for():
    """But for the front page, which is for everybody, and a report for ns-3, which is a letter."""
    pages = [path for path in (ROOT / "docs").rglob("*.md") if path.name != "index.md"]
    pages += [ROOT / "docs" / folder / "index.md" for folder in ("results", "upstream")]
    letters = (ROOT / "docs" / "upstream").glob("[!i]*.md")
    assert [path for path in {*pages} - {*letters} if not PURPOSE.search(path.read_text())] == []


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
        "docs/index.md",
        "docs/how-to/ask.md",
        "docs/how-to/sweep.md",
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
    page = site_hooks.TABLES["parameters"]()
    for scenario in scenarios():
        own = page.partition(f"\n## {scenario}\n")[2] or page
        assert f"## {scenario}\n" in page
        for parameter in site_hooks.declaration(scenario).parameters.values():
            assert f"| `--{parameter.flag}`" in own


def test_a_section_keeps_its_code_and_its_links(monkeypatch, tmp_path: Path):
    """A section that is gone, or links to nothing, stops the site."""
    monkeypatch.setattr(site_hooks, "ROOT", tmp_path)
    text = (
        "## Here\n\n    ./waf build\n    ./waf test\n\n[there](there.md), [web](https://a.example)"
    )
    (tmp_path / "a.md").write_text(
        f"{text}, [page](docs/how-to/ask.md#top) ![p](results/f/p.svg)\n"
    )
    with pytest.raises(StudyError, match=r"Here: there is no there\.md"):
        site_hooks.section("a.md", "Here")
    for name in ("there.md", "docs/how-to/ask.md", "results/f/p.svg"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert site_hooks.section("a.md", "Here", "how-to/sweep.md") == (
        "    ./waf build\n    ./waf test\n\n"
        "there, [web](https://a.example), [page](ask.md#top) ![p](../results/f/p.svg)"
    )
    with pytest.raises(StudyError, match="has no section 'Gone'"):
        site_hooks.section("a.md", "Gone")


def test_a_broken_link_is_named_and_fails(program: Path, tmp_path: Path):
    """With the settings of the site, on a page of its own."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# a\n[nowhere](b.md), [nothing](#nothing)\n")
    config = tmp_path / "mkdocs.yml"
    own = {"hooks": [], "nav": ["index.md"], "plugins": [], "extra_css": [], "docs_dir": "docs"}
    lines = [f"INHERIT: {ROOT / 'mkdocs.yml'}", *(f"{key}: {own[key]}" for key in own)]
    config.write_text("\n".join(lines))
    made = make_site(config, tmp_path / "site")
    assert made.returncode == 1
    assert "b.md" in made.stderr and "#nothing" in made.stderr


# The site


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, BeautifulSoup]:
    """Every page of the site's own, by its path."""
    found = [path for path in site.rglob("*.html") if path.parent.name != "classroom"]
    return {path: BeautifulSoup(path.read_text(), "html.parser") for path in found}


def test_every_link_leads_to_a_file_and_every_anchor_to_a_place(site: Path, pages):
    """Strict mkdocs looks at its own pages' links; here is what a browser would follow."""
    names = {
        path: {each[key] for key in ("id", "name") for each in page.find_all(attrs={key: True})}
        for path, page in pages.items()
    }
    broken = []
    for path, page in pages.items():
        if path.name == "404.html":  # for a server: its links are those of a page at the top
            continue
        for each in page.find_all(["a", "img", "script", "link"]):
            target = urlsplit(each.get("href") or each.get("src") or "")
            if target.scheme or target.netloc:
                continue
            file = (path.parent / unquote(target.path)).resolve() if target.path else path
            anchor = unquote(target.fragment)
            if not file.exists() or (anchor and anchor not in names.get(file, {anchor})):
                broken.append(f"{path.relative_to(site)}: {target.geturl()}")
    assert broken == []


def test_no_page_asks_the_network_for_anything(pages):
    for path, page in pages.items():
        loaded = [each.get("src") for each in page.find_all(["script", "img", "iframe"])]
        loaded += [each["href"] for each in page.find_all("link") if each["rel"] != ["canonical"]]
        outside = [each for each in loaded if each and urlsplit(each).netloc]
        assert outside == [], path


COMMAND = re.compile(r"(\./waf \w|\.venv/bin/\w+ \w|build/[\w-]+ --)")


def test_commands_are_code_blocks_on_every_page_that_has_any(site: Path, pages):
    """Nothing but a short command inside a sentence stands outside of one."""
    with_commands = set()
    for path, page in pages.items():
        if any(COMMAND.search(block.get_text()) for block in page.find_all("pre")):
            with_commands.add(str(path.relative_to(site)))
        sentences = page.select_one(".md-content").find_all(string=COMMAND)
        assert [each for each in sentences if not each.find_parent(["code", "pre"])] == [], path
    # As the text has them: a block is indented, or stands between fences.
    indented = re.compile(rf"^(?:    |```\w*\n){COMMAND.pattern}", re.MULTILINE)
    expected = {"index.html", "gallery.html", "how-to/add-a-figure.html"}
    for source in (ROOT / "docs").rglob("*.md"):
        if indented.search(source.read_text()):
            expected.add(str(source.relative_to(ROOT / "docs").with_suffix(".html")))
    assert expected <= with_commands and len(expected) > 6


def test_a_command_s_summary_is_a_whole_sentence(pages, site: Path):
    for name, command in site_hooks.commands.commands.items():
        assert re.fullmatch(r"[A-Z].+\.", command.short_help or ""), name
    shown = pages[site / "reference" / "commands.html"].get_text(" ")
    assert all(each.short_help in shown for each in site_hooks.commands.commands.values())
    assert "Sentinel" not in shown  # a default that is none
    assert "--latin-hypercube" in shown and "--receive-window" not in shown


def test_the_gallery_has_every_figure_with_its_command_and_its_numbers(pages, site: Path):
    page = pages[site / "gallery.html"]
    sources = {image["src"] for image in page.find_all("img")}
    links = {link["href"] for link in page.find_all("a", href=True)}
    blocks = {block.get_text().strip() for block in page.find_all("pre")}
    for name in figures.FIGURES:
        assert f"results/figures/{name}.svg" in sources
        assert f"results/figures/{name}.csv" in links
        assert f".venv/bin/study figure {name}" in blocks
    small = [link for each in page.find_all(class_="thumbnails") for link in each.find_all("a")]
    # Each under one question.
    assert sorted(each["href"].removeprefix("#") for each in small) == sorted(figures.FIGURES)
    asked = [each.get_text() for each in page.find_all(class_="question")]
    assert asked == list(figures.questions()) and all(each.endswith("?") for each in asked)
    # In words, not by a name for the command line.
    assert all(" " in each.get_text() and page.find(id=each["href"][1:]) for each in small)


def test_notebooks_lesson_and_results_are_pages(pages, site: Path):
    for name in notebooks.names():
        assert pages[site / "notebooks" / f"{name}.html"].find("h1")
    assert "45 minutes" in pages[site / "notebooks/lesson/teacher.html"].get_text()
    rows = {
        name: len(pages[site / "results" / f"{name}.html"].find_all("tr"))
        for name in ("index", "figures", "residuals", "closed-forms", "benchmarks")
    }
    figures_measured = len(site_hooks.TABLES["figures by residual"]().splitlines()) - 2
    assert rows["residuals"] == figures_measured + 1 and rows["figures"] > figures_measured
    told = re.findall(r"^\| `[\w-]+`", README.read_text(), re.MULTILINE)  # and the heads
    assert rows["index"] == len(told) + 1
    assert min(rows.values()) > 5
    text = pages[site / "results" / "disagreements.html"].get_text()
    assert all(each.what in text for system in systems.values() for each in system.disagreements)
    assert "receive_window" in pages[site / "reference/api/systems.html"].get_text()


def test_the_answers_are_not_published(site: Path):
    assert not list(site.rglob("*answers*"))


def test_the_page_of_files_names_every_file_and_no_other():
    files = (ROOT / "docs" / "reference" / "files.md").read_text()
    named = [
        f"{folder}/{name}"
        for folder, table in re.findall(r"^## ([\w/-]+)$(.+?)(?=^##|\Z)", files, re.M | re.S)
        for cell in re.findall(r"^\| (`.+?) \|", table, re.M)
        for name in re.findall("`([^`]+)`", cell)
    ]
    sources = [each for kind in ("h", "cc") for each in (ROOT / "scenarios").rglob(f"*.{kind}")]
    there = {str(each.relative_to(ROOT / "scenarios").with_suffix("")) for each in sources}
    assert sorted(named) == sorted(there)


def test_the_readme_is_short_and_its_links_lead_somewhere():
    text = README.read_text()
    assert len(text.splitlines()) <= 140
    for target in re.findall(r"\]\(([^)#]+)", text):
        assert "://" in target or (ROOT / target).exists(), target


def test_every_command_of_the_readme_works_after_the_first(program: Path, tmp_path: Path):
    text = README.read_text()
    rules = (ROOT / "wscript").read_text()
    assert all(f"\ndef {name}(" in rules for name in re.findall(r"\./waf (\w+)", text))
    commands = re.findall(r"\.venv/bin/study ([^`\n]+)", text)
    assert {words.split()[0] for words in commands} >= {
        "diagnose",
        "explain",
        "figure",
        "live",
        "run",
    }
    for words in commands:
        name, *rest = words.split()
        if name == "live":  # it waits for a job; the first command builds its program
            rest = ["--help"]
        if name == "figure":
            rest += ["-o", str(tmp_path / "figure.svg")]
        command = [sys.executable, "-m", "study.commands.main", name, *rest]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_no_line_of_an_answer_ends_between_a_number_and_its_unit():
    text = "receive window 2920 B -> 46720 B: x 15.2, or 98 % of 98 %"
    for width in range(12, len(text)):
        lines = wrap(text, width)
        assert " ".join(lines) == text
        assert not [line for line in lines if line[-1] == "x" or line[0] in "B%"]
