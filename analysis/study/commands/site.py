# SPDX-License-Identifier: GPL-2.0-only
"""What the pages of docs/ take from elsewhere, so that nothing is written twice: a line

    <!-- section CONTRIBUTING.md: Add a figure -->
    <!-- parameters -->

stands for that section, and for the tables of all that the programs declare. mkdocs calls
`on_page_markdown` for each page (mkdocs.yml, hooks); `commands` is what mkdocs-click shows.
"""

import re
from collections.abc import Iterator
from copy import copy

import click
from tabulate import tabulate

from study.base.errors import StudyError
from study.base.project import ROOT, scenarios
from study.commands.main import study
from study.commands.usage import SystemCommand
from study.programs.declaration import Parameter, declaration

SECTION = re.compile(r"^<!-- section (\S+): (.+) -->$", re.MULTILINE)
PARAMETERS = "<!-- parameters -->"
# [text](target), but not an image; targets in these texts are of the repository, not of the site.
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#]+)(?:#[^)]*)?\)")


def on_page_markdown(markdown: str, **_: object) -> str:
    """The page with its sections and tables in place."""
    markdown = SECTION.sub(lambda found: section(found[1], found[2]), markdown)
    if PARAMETERS in markdown:
        markdown = markdown.replace(PARAMETERS, "\n\n".join(_parameter_tables()))
    return markdown


def section(name: str, title: str) -> str:
    """What stands under a heading of a file at the top of the repository. A link to a file that is
    there becomes its text, as the site has not got the file; one to nothing is an error."""
    # A line of code may begin with "# ", but never with "## ".
    parts = re.split(r"^## (.+)\n", (ROOT / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    if title not in sections:
        raise StudyError(f"{name} has no section {title!r}; docs/ asks for it")

    def text_of(link: re.Match[str]) -> str:
        if "://" in link[2]:
            return link[0]
        if not (ROOT / link[2]).exists():
            raise StudyError(f"{name}, {title}: there is no {link[2]}")
        return link[1]

    return LINK.sub(text_of, sections[title].strip())


def _parameter_tables() -> Iterator[str]:
    for scenario in scenarios():
        declared = declaration(scenario)
        groups: dict[str, list[Parameter]] = {}
        for parameter in declared.parameters.values():
            groups.setdefault(parameter.group, []).append(parameter)
        yield f"## {scenario}\n\n{declared.help}"
        for group, parameters in groups.items():
            # A scenario's heading has a group's words in it, so that each has an anchor of its own.
            yield f"### {scenario}: {group}\n\n{_table(parameters)}"
        yield f"### {scenario}: results\n\n" + tabulate(
            [(f"`{key}`", unit) for key, unit in declared.results.items()],
            headers=["result", "unit"],
            tablefmt="github",
        )


def _table(parameters: list[Parameter]) -> str:
    rows = [
        (f"`--{each.flag}`", each.help, each.with_unit(each.default), each.allowed())
        for each in parameters
    ]
    cells = [[cell.replace("|", "\\|").replace("<", "&lt;") for cell in row] for row in rows]
    headers = ["flag", "what it is", "default", "allowed"]
    return tabulate(cells, headers=headers, tablefmt="github", disable_numparse=True)


def _without_parameters(command: click.Command) -> click.Command:
    """The same without the options that all parameters become: those have a page of their own."""
    shown = copy(command)
    if isinstance(shown, SystemCommand):
        shown.__class__ = click.Command
    if isinstance(shown, click.Group):
        shown.commands = {name: _without_parameters(each) for name, each in shown.commands.items()}
    return shown


commands = _without_parameters(study)
