# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the notebooks: each runs from a clean kernel, asks before it tells, types no number
that a run gives, has in git the outputs of that run, and is a whole page when published."""

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from study import systems
from study.base.errors import StudyError
from study.base.project import ROOT
from study.base.units import MEASURED_BY_BASE
from study.classroom.lesson import KINDS
from study.commands.main import main
from study.notebooks import ask, pages
from study.publishing import reproduce

NAMES = pages.names()
EXERCISES = "7-exercises"
ANSWERS = pages.FOLDER / pages.ANSWERS / f"{EXERCISES}.md"
PARTS = [
    "Background",
    "Predict first",
    "Run",
    "Look",
    "Explain",
    "What would you change?",
    "Sources",
]
MINUTES = (20, 40)
LARGEST_B, TOGETHER_B = 60_000, 3_000_000


@cache
def text(name: str):
    return pages.read(pages.FOLDER / f"{name}.md")


def prose(name: str) -> list[str]:
    return [cell.source for cell in text(name).cells if cell.cell_type == "markdown"]


def code(name: str) -> list[str]:
    return [cell.source for cell in text(name).cells if cell.cell_type == "code"]


@pytest.fixture(scope="module")
def executed(program: Path):
    """Each notebook with its outputs: as git has it where `reproduce` has just made it, or else run
    once from a kernel of its own."""
    return cache(_executed)


def _executed(name: str):
    if reproduce.is_as_made(f"notebook {name}"):
        return pages.with_outputs(name)
    return pages.executed(pages.FOLDER / f"{name}.md")


# As text


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_has_its_parts_in_order(name: str):
    headings = re.findall("^## (.+)", "\n".join(prose(name)), re.M)
    assert [heading for heading in headings if heading in PARTS] == PARTS
    first = prose(name)[0]
    minutes = re.search(r"\*\*Time needed:\*\* (\d+) minutes", first)
    assert minutes and MINUTES[0] <= int(minutes[1]) <= MINUTES[1]
    assert "**The question:**" in first


@pytest.mark.parametrize("name", NAMES)
def test_a_prediction_is_asked_for_before_anything_runs(name: str):
    cells = code(name)
    asks = next(number for number, cell in enumerate(cells) if "predict(" in cell)
    runs = re.compile(
        r"\.(run|sweep)\(|\bcurves\(|\bcompared\(|\bshow\(|\bshow_limits\(|\bexplorer\(|\bmoments\("
        r"|\bshow_budgets\(|\btold\(|\bwhose\("
    )
    told = [number for number, cell in enumerate(cells) if runs.search(_without_comments(cell))]
    assert told and asks < told[0]


def _without_comments(cell: str) -> str:
    return re.sub("#.*", "", cell)


@pytest.mark.parametrize("name", NAMES)
def test_a_prediction_is_left_to_the_reader_and_asked_in_its_own_words(name: str):
    """No answer stands in the text, and no other notebook asks in the same words."""
    asks = re.compile(r'predict\(\s*"([^"]+)"(?:,\s+"[^"]*")?,\s+yours=\.\.\.,?\s*\)')
    here = asks.findall("\n".join(code(name)))
    assert len(here) == "\n".join(code(name)).count("predict(")
    everywhere = [each for other in NAMES for each in asks.findall("\n".join(code(other)))]
    assert all(everywhere.count(each) == 1 for each in here)


@pytest.mark.parametrize("name", NAMES)
def test_a_caption_is_read_once(name: str):
    """Under its figure: the cell that has it is folded away."""
    for cell in text(name).cells:
        folded = cell.metadata.get("jupyter", {}).get("source_hidden", False)
        assert folded == ("caption=" in cell.source)


@pytest.mark.parametrize("name", NAMES)
def test_a_sweep_of_a_notebook_is_a_dataframe(name: str):
    """In lines that a student can take along; those of the exercises are comments to begin with. A
    system that was found in a capture has its jobs in a DataFrame of their own."""
    cells = "\n".join(code(name))
    cells = cells if name == EXERCISES else _without_comments(cells)
    assert re.search(r"\.(pivot|groupby|plot)\(", cells)
    sweeps = cells.count(".sweep(") + cells.count("pd.DataFrame(")
    assert sweeps > 0 and sweeps >= cells.count("curves(")


def test_the_readme_lists_all_notebooks_in_teaching_order():
    readme = (pages.FOLDER / "README.md").read_text()
    listed = re.findall(r"^\| \[\d+\]\((.+)\.md\) .*\| (\d+) \|$", readme, re.M)
    assert [name for name, _ in listed] == NAMES
    for name, minutes in listed:
        assert f"{minutes} minutes" in prose(name)[0]


UNITS = {
    unit: (base, size)
    for base, units in MEASURED_BY_BASE.items()
    for unit, size in units.items()
    if unit != "1"
}
UNITS |= {"MB": ("B", 1e6), "bits": ("B", 0.125)}
UNITS |= {"KB/s": ("B/s", 1e3), "MB/s": ("B/s", 1e6), "Mbit/s": ("B/s", 125e3)}
# In system files; the rest is as above.
FILE_UNITS = UNITS | {"kbps": ("B/s", 125), "Mbps": ("B/s", 125e3), "ns": ("s", 1e-9)}


def quantities(words: str) -> Iterator[tuple[float, int, str]]:
    """Each number with a unit: its value in the base unit, how many digits it has, the base."""
    pattern = r"(?<![\w.])(\d[\d,]*(?:\.\d+)?)(?: to \d+)? ?(" + "|".join(map(re.escape, UNITS))
    words = words.replace("400s", "")  # the Relook's name
    for number, unit in re.findall(pattern + r")(?![\w/])", words):
        base, factor = UNITS[unit]
        digits = len(re.sub(r"\D", "", number).lstrip("0"))
        yield float(number.replace(",", "")) * factor, digits, base


def known(name: str) -> set[tuple[float, str]]:
    """What the sources and the system files say: every parameter and measured figure of the
    systems that the notebook names, and every number with a unit in their sources' words."""
    found = set()
    for system in systems.values():
        if not any(f'"{system.name}"' in cell for cell in code(name)):
            continue
        entries = [(s.value, s.unit, s.source) for s in system.settings.values()]
        for row in system.measured:
            entries += [(value, row.unit, row.source) for value in (row.value, row.low, row.high)]
        for value, unit, source in entries:
            if unit in FILE_UNITS and value is not None:
                base, factor = FILE_UNITS[unit]
                found.add((float(value) * factor, base))
            found |= {(each, base) for each, _, base in quantities(source)}
            found |= {(float(n) * 125.0, "B/s") for n in re.findall(r"(\d+)[ -]Kbps", source)}
    return found


def typed_by_hand(words: str, allowed: set[tuple[float, str]]) -> list[str]:
    """The numbers with a unit that are none of these, to as many digits as they are given with."""
    return [
        f"{value:g} {base}"
        for value, digits, base in quantities(words)
        if not any(
            base == other and f"{value:.{digits - 1}e}" == f"{each:.{digits - 1}e}"
            for each, other in allowed
        )
    ]


@pytest.mark.parametrize("name", NAMES)
def test_no_number_that_a_run_gives_is_typed(name: str):
    allowed = known(name)
    for words in prose(name):
        assert typed_by_hand(words, allowed) == []


def test_a_typed_result_would_be_found():
    allowed = known("1-print-servers")
    assert typed_by_hand("The job takes 24 kB/s through a window of 2920 B.", allowed) == []
    assert typed_by_hand("With twice the window it takes 49.6 kB/s.", allowed) == ["49600 B/s"]
    assert typed_by_hand("The link is the limit for 9.3 % of it.", allowed) == ["0.093 1"]


@pytest.mark.parametrize("path", [*pages.FOLDER.glob("[0-9]*.md"), ANSWERS], ids=lambda p: p.stem)
def test_the_text_is_what_jupyterlab_would_save(path: Path, tmp_path: Path):
    """So saving there changes nothing else."""
    import jupytext  # it takes seconds, which every worker would pay to find the tests

    copy = tmp_path / "copy.ipynb"
    jupytext.write(jupytext.read(path), copy, fmt="ipynb")
    again = jupytext.writes(jupytext.read(copy), fmt="md")
    assert _body(again) == _body(path.read_text())


@pytest.mark.parametrize("name", NAMES)
def test_git_has_the_outputs_of_this_text(name: str, executed):
    """No byte differs from what a run gives, and each picture is one that every page can show."""
    kept, made = pages.with_outputs(name), executed(name)
    assert pages.as_ipynb(made) == (pages.FOLDER / f"{name}.ipynb").read_text()
    assert all(cell.execution_count for cell in made.cells if cell.cell_type == "code")
    assert sum(bool(cell.get("outputs")) for cell in made.cells) >= 3
    assert [cell.source for cell in kept.cells] == [cell.source for cell in text(name).cells]
    pictures = [
        output.data["image/png"]
        for cell in kept.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    assert pictures and max(map(len, pictures)) * 3 // 4 <= LARGEST_B


def test_all_notebooks_together_are_a_small_part_of_a_clone():
    assert sum((pages.FOLDER / f"{name}.ipynb").stat().st_size for name in NAMES) <= TOGETHER_B


def _body(markdown: str) -> str:
    """Without the header, in which jupytext writes its version."""
    return markdown.partition("---\n")[2].partition("---\n")[2].strip()


@pytest.mark.parametrize("name", [*NAMES, f"answers/{EXERCISES}"])
def test_the_code_is_in_the_style_of_the_rest(name: str):
    """The last line of a cell shows itself, which a linter takes for a useless expression."""
    ignored = "--ignore=B018,E402,I001"
    script = "\n\n".join(code(name)) + "\n"
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--quiet",
        ignored,
        "--stdin-filename=n.py",
        "-",
    ]
    found = subprocess.run(command, cwd=ROOT, input=script, text=True, capture_output=True)
    assert found.returncode == 0, found.stdout


# Run


def test_the_answers_to_the_exercises_hold(program: Path):
    """What makes each the answer is an assert in its cell; every exercise has one."""
    pages.executed(ANSWERS)
    asked = re.findall(r"^### (.+)", "\n".join(prose(EXERCISES)), re.M)
    answers = ANSWERS.read_text()
    assert asked == re.findall(r"^### (.+)", answers, re.M)
    for part in answers.split("\n### ")[1:]:
        assert "\nassert " in part and "*because*" in part.lower()


def test_the_exercises_are_of_every_kind_and_have_a_hint(executed):
    """The lesson's own exercise brings its hint when it is asked."""
    parts = "\n".join(prose(EXERCISES)).split("\n### ")[1:]
    assert {kind for kind in KINDS.values() if any(kind in part for part in parts)} == {
        *KINDS.values()
    }
    page = pages.as_page(executed(EXERCISES), EXERCISES)
    assert page.count("<summary>Hint</summary>") == len(parts)


def test_an_exercise_of_the_lesson_is_asked_as_it_stands_there(program: Path):
    asked = ask("late-ack").markdown
    assert "telnet.pcap" in asked and "tcp.time_delta" in asked and "Hint" in asked
    assert "ACKs it withheld" not in asked  # the answer
    file = re.search("The file: `(.+)`", asked)
    assert file and (ROOT / file[1]).stat().st_size > 24
    with pytest.raises(StudyError, match="late-ack"):
        ask("late-akc")


def test_what_a_student_writes_wrong_is_one_line_in_the_notebook(tmp_path: Path):
    path = tmp_path / "0-wrong.md"
    cell = 'from study.notebooks import predict\n\npredict("rate", "kB/s", -3)'
    path.write_text(f"# 0. Wrong\n\n```python\n{cell}\n```\n")
    with pytest.raises(StudyError) as raised:
        pages.executed(path)
    shown = raised.value.__cause__.traceback
    assert "rate: -3 cannot be" in shown and "Traceback" not in shown and ".py" not in shown


def test_a_notebook_that_fails_is_one_sentence(tmp_path: Path):
    path = tmp_path / "0-wrong.md"
    path.write_text("# 0. Wrong\n\n```python\n1 / 0\n```\n")
    with pytest.raises(StudyError, match=r"0-wrong\.md does not run: ZeroDivisionError"):
        pages.executed(path)


# As pages


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_whole(name: str, executed):
    notebook = executed(name)
    page = pages.as_page(notebook, name)
    figures = sum(
        "image/png" in output.get("data", {})
        for cell in notebook.cells
        for output in cell.get("outputs", [])
    )
    assert figures >= 1
    assert page.count('src="data:image/png;base64,') >= figures  # the explorer's still has its own
    assert "No description has been provided" not in page
    # A source may be a link to click; nothing is fetched.
    assert not re.search(r'<(?!a )[^>]*(?:src|href)="(?:https?:)?//', page)
    assert "<script" not in page and "widget" not in page
    assert "from the store" not in page  # a sweep's tally is for those who wait
    place = NAMES.index(name)
    for neighbour in {*NAMES[max(place - 1, 0) : place + 2]} - {name}:
        assert f'href="{neighbour}.html"' in page
    for heading in PARTS:
        assert heading in page


def test_the_command_writes_a_page(program: Path, tmp_path: Path, capsys):
    assert main(["notebooks", NAMES[0], "--html", "-o", str(tmp_path)]) == 0
    assert (tmp_path / f"{NAMES[0]}.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["9-nothing", "--html"], "notebook"),
        (["-o", "there"], "add --html"),
    ],
)
def test_what_cannot_be_meant_is_one_line(arguments: list[str], said: str, capsys, tmp_path: Path):
    assert main(["notebooks", *arguments]) == 2
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1


def test_pages_of_all_are_made_even_if_one_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fails(path: Path):
        if path.stem == NAMES[1]:
            raise StudyError(f"{path.name} does not run")
        return pages.read(path)

    monkeypatch.setattr(pages, "executed", fails)
    with pytest.raises(StudyError, match=f"^{NAMES[1]}.md does not run$"):
        pages.publish([], tmp_path, lambda _: None)
    made = {path.stem for path in tmp_path.glob("*.html")}
    assert made == {"index", *NAMES} - {NAMES[1]}
