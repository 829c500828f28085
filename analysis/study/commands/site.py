# SPDX-License-Identifier: GPL-2.0-only
"""Content that the site of docs/ takes from other files, so that nothing is written twice. A line

    <!-- section CONTRIBUTING.md: Add a figure -->
    <!-- closed forms -->

in a page stands for that section, and for one of TABLES. results/ and notebooks/ are there under
the paths that they have in the repository, so that their links lead where they lead there.

mkdocs calls `on_files` once and `on_page_markdown` for each page (mkdocs.yml, hooks); `commands` is
what mkdocs-click shows.
"""

import csv
import html
import logging
import posixpath
import re
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tabulate import tabulate

from study import classroom, figures
from study.base.errors import StudyError
from study.base.project import FIGURES, RESULTS, ROOT, scenario_program, scenarios, shown
from study.commands.main import study
from study.commands.usage import SystemCommand
from study.judging import closed_forms, reproduction
from study.kernel import KEPT, kernel_comparison, verdicts
from study.notebooks import pages
from study.programs.declaration import Declaration, Parameter, declaration
from study.publishing import captures, tables
from study.report.content import words

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

SECTION = re.compile(r"^<!-- section (\S+): (.+) -->$", re.MULTILINE)
# In a search, pages that answer a question come before functions with the same words.
BOOSTS = {"how-to/": 8, "notebooks/": 4, "explanation/": 4, "reference/api/": 0.1}
FOR_CLASS = (("page", "en"), ("worksheet", "en"), ("worksheet", "de"), ("player", "en"))
READ = {".py", ".toml", ".js", ".css", ".jinja"}  # files that a run or a page reads
MARK = re.compile(r"^<!-- ([a-z0-9 -]+) -->$", re.MULTILINE)
# [text](target#anchor), or a picture with "!"; targets are paths in the repository, not on the
# site.
LINK = re.compile(r"(!?)\[([^\]]+)\]\(([^)#]+)(#[^)]*)?\)")
LEVEL = re.compile(r'<nav class="md-nav"( data-md-level="\d+")? aria-label[^>]*>')
NOT_MADE = "<!DOCTYPE html><title>Made by ./waf docs.</title>"  # if nothing is run
ON_SITE = ("docs/", "results/", "notebooks/")
say = logging.getLogger("mkdocs.hooks.site").info


def on_files(files: "Files", config: "MkDocsConfig") -> "Files":
    """Add the files that the site has from outside docs/."""
    from mkdocs.structure.files import File

    copied = [*RESULTS.glob("*.csv"), *FIGURES.iterdir(), *KEPT.glob("*")]
    copied.append(pages.FOLDER / "README.md")
    copied += [pages.FOLDER / "lesson" / name for name in ("teacher.md", "live.md")]
    for path in sorted(copied):
        name = path.relative_to(ROOT).as_posix()
        files.append(File.generated(config, name, abs_src_path=str(path)))
    run = config.extra["run"]
    for name in pages.names():
        content = pages.as_markdown(pages.with_outputs(name))
        files.append(File.generated(config, f"notebooks/{name}.md", content=content))
    for kind, language in FOR_CLASS:
        name = classroom.file_of(kind, language)
        content = _for_class(kind, classroom.FOLDER / name, language) if run else NOT_MADE
        files.append(File.generated(config, f"classroom/{name}", content=content))
    return files


def _for_class(kind: str, path: Path, language: str) -> bytes:
    """Return the page, the worksheet or the player; make it again only if its sources are newer."""
    if _is_older(path):
        say(f"making {shown(path)} ...")
        classroom.make(kind, path, language=language)
    return path.read_bytes()


def _is_older(made: Path) -> bool:
    below = [ROOT / "analysis", ROOT / "scenarios", pages.FOLDER / "lesson"]
    found = [path for folder in below for path in folder.rglob("*") if path.suffix in READ]
    newest = max(path.stat().st_mtime for path in [*found, *map(scenario_program, scenarios())])
    return not made.exists() or made.stat().st_mtime < newest


def on_page_markdown(markdown: str, page: Any, **_: object) -> str:
    """Return the page with its sections and tables filled in."""
    at = page.file.src_uri
    boost = next((boost for folder, boost in BOOSTS.items() if at.startswith(folder)), 1)
    page.meta["search"] = {"boost": boost} | page.meta.get("search", {})
    markdown = SECTION.sub(lambda found: section(found[1], found[2], at), markdown)
    return MARK.sub(lambda found: TABLES[found[1]]() if found[1] in TABLES else found[0], markdown)


def on_post_page(output: str, **_: object) -> str:
    """Return the page with corrections for screen readers: a name for the search, and no landmark
    for each level of the navigation."""
    output = output.replace('role="dialog">', 'role="dialog" aria-label="Search">')
    return LEVEL.sub(r'<nav class="md-nav"\1 role="none">', output)


def section(name: str, title: str, page: str = "index.md") -> str:
    """Return the text under a heading of a file at the repository's top, for that page. A link to a
    file that the site lacks becomes its text. Raise StudyError if there is no such section, or a
    link's target is missing."""
    # A line of code may begin with "# ", but never with "## ".
    parts = re.split(r"^## (.+)\n", (ROOT / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    if title not in sections:
        raise StudyError(f"{name} has no section {title!r}; docs/ asks for it")

    def as_here(link: re.Match[str]) -> str:
        if "://" in link[3]:
            return link[0]
        target = ROOT / link[3]
        if not target.exists():
            raise StudyError(f"{name}, {title}: there is no {link[3]}")
        if not link[3].startswith(ON_SITE) or target.is_dir():
            return link[2]
        path = posixpath.relpath(link[3].removeprefix("docs/"), posixpath.dirname(page) or ".")
        return f"{link[1]}[{link[2]}]({path}{link[4] or ''})"

    return LINK.sub(as_here, sections[title].strip("\n"))


def _results() -> list[reproduction.Row]:
    return reproduction.from_csv(_text("reproduction.csv"))


def _text(name: str) -> str:
    return (RESULTS / name).read_text(encoding="utf-8")


def _rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a measured table, or an empty list if it was not measured."""
    path = RESULTS / name
    return list(csv.DictReader(_text(name).splitlines())) if path.is_file() else []


def _gallery() -> str:
    """Return every figure by the question that it answers: first thumbnails that link to the
    figures, then each figure with caption, command and data."""
    asked = figures.questions()
    small = (
        f'<p class="question">{html.escape(question)}</p>'
        f'<div class="thumbnails">{"".join(map(_thumbnail, names))}</div>'
        for question, names in asked.items()
    )
    whole = ("\n\n".join([f"## {each}", *map(_entry, names)]) for each, names in asked.items())
    return "\n\n".join(["".join(small), *whole])


def _thumbnail(name: str) -> str:
    words = html.escape(_titled(name))
    return (
        f'<a href="#{name}"><img alt="" loading="lazy" src="results/figures/{name}.svg">{words}</a>'
    )


def _titled(name: str) -> str:
    """Return a figure's title, a sentence."""
    svg = (ROOT / f"results/figures/{name}.svg").read_text(encoding="utf-8")
    return figures.told(svg)["title"] or figures.FIGURES.about(name)


def _entry(name: str) -> str:
    path = f"results/figures/{name}"
    about = figures.FIGURES.about(name)
    caption = figures.caption((ROOT / f"{path}.svg").read_text(encoding="utf-8"))
    files = " · ".join(f"[{kind.upper()}]({path}.{kind})" for kind in ("csv", "svg", "pdf"))
    return (
        f"### {_titled(name)} {{ #{name} }}\n\n{about}.\n\n"
        f"[![{about}]({path}.svg){{ loading=lazy }}]({path}.svg)\n\n"
        f"{caption}\n\n```sh\n.venv/bin/study figure {name}\n```\n\n{files}"
    )


def _parameters() -> Iterator[str]:
    for scenario in scenarios():
        declared = declaration(scenario)
        parameters = declared.parameters.values()
        yield f"## {scenario}\n\n{declared.help}"
        for group in dict.fromkeys(each.group for each in parameters):
            # A scenario's heading includes the group's words, so that each has its own anchor.
            own = [each for each in parameters if each.group == group]
            yield f"### {scenario}: {group}\n\n{_table(own, declared)}"
        yield f"### {scenario}: results\n\n" + tabulate(
            [(f"`{key}`", unit) for key, unit in declared.results.items()],
            headers=["result", "unit"],
            tablefmt="pipe",
        )


def _table(parameters: list[Parameter], declared: Declaration) -> str:
    rows = [
        (f"`--{each.flag}`", declared.help_of(each), each.with_unit(each.default), each.allowed())
        for each in parameters
    ]
    cells = [[cell.replace("|", "\\|").replace("<", "&lt;") for cell in row] for row in rows]
    headers = ["flag", "what it is", "default", "allowed"]
    return tabulate(cells, headers, tablefmt="pipe", disable_numparse=True)


TABLES = {
    "figures by system": lambda: tables.by_system(_results()),
    "figures by residual": lambda: tables.worst_first(_results()),
    "closed forms": lambda: tables.closed_forms(closed_forms.from_csv(_text("closed-forms.csv"))),
    "benchmarks": lambda: tables.benchmarks(_rows("benchmarks.csv")),
    "busy benchmarks": lambda: tables.benchmarks(_rows("benchmarks-busy.csv"), "busy"),
    "robustness": lambda: tables.robustness(_rows("robustness.csv")),
    "builds of ns-3": lambda: tables.builds(_rows("ns3-builds.csv")),
    "kernel": lambda: tables.kernel(kernel_comparison.from_csv(_text("kernel-comparison.csv"))),
    "kernel live": lambda: tables.kernel_live(
        _rows("kernel-live.csv"), kernel_comparison.from_csv(_text("kernel-comparison.csv"))
    ),
    "diagnosis goals": lambda: captures.goals(verdicts.read()),
    "diagnosis confused": lambda: captures.confused(verdicts.read()),
    "diagnosis": lambda: captures.worst_first(verdicts.read()),
    "captures": lambda: captures.kept(verdicts.read()),
    "disagreements": tables.disagreements,
    "gallery": _gallery,
    "method": lambda: "\n\n".join(words()["method"]),
    "parameters": lambda: "\n\n".join(_parameters()),
}


def _without_parameters(command: click.Command) -> click.Command:
    """Return the command without the options for parameters, which have a page of their own."""
    shown = copy(command)
    if isinstance(shown, SystemCommand):
        shown.__class__ = click.Command
    if isinstance(shown, click.Group):
        shown.commands = {name: _without_parameters(each) for name, each in shown.commands.items()}
    return shown


commands = _without_parameters(study)
