# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the report: it is of the whole study, its numbers are those of results/, and it is
one file that needs no other."""

import csv
import html
import json
import re
import statistics
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from study import StudyError, figures, report, systems
from study.base.project import FIGURES, README, RESULTS, ROOT
from study.commands.main import main
from study.judging import reproduction
from study.kit.systems import load
from study.publishing import readme, tables
from study.report.brief import MINUS, NEAR_PCT
from study.report.content import ROOM, Byline, content
from study.report.pdf import EMPTIEST, as_json, chosen_size, empty_share, pages
from study.system.hosts import hosts

from tests.browser import PHONE, visit
from tests.waiting import until

SHOWN = ["quantity", "measured", "closed_form", "simulated", "residual", "used_as", "basis"]


class Page:
    """What the tests ask of the HTML."""

    def __init__(self, text: str) -> None:
        soup = BeautifulSoup(text, "html.parser")
        self.ids = Counter(tag["id"] for tag in soup.find_all(id=True))
        self.links = [tag["href"] for tag in soup.find_all(href=True)]
        self.links += [tag["xlink:href"] for tag in soup.find_all(attrs={"xlink:href": True})]
        self.tags = Counter(tag.name for tag in soup.find_all(True))
        self.tables = {
            table["data-system"]: [
                [cell.text for cell in row.find_all(["th", "td"])] for row in table.find_all("tr")
            ]
            for table in soup.find_all("table", attrs={"data-system": True})
        }


@pytest.fixture(scope="module")
def folder(program: Path, tmp_path_factory) -> Path:
    """The document of the committed results."""
    made = tmp_path_factory.mktemp("report")
    report.make(made)
    return made


@pytest.fixture(scope="module")
def gathered(program: Path) -> dict:
    return content()


@pytest.fixture(scope="module")
def text(folder: Path) -> str:
    return (folder / "report.html").read_text()


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


def test_every_system_and_every_figure_appears_in_both(folder: Path, page: Page, gathered: dict):
    import typst

    wanted = {f"system-{name}" for name in systems} | {f"figure-{name}" for name in figures.FIGURES}
    assert wanted <= page.ids.keys()
    assert page.tags["svg"] == len(figures.FIGURES) + len(systems)  # a budget each
    inputs = {"content": as_json(gathered)}
    for kind, selector in (("figure-", "figure"), ("system-", "heading.where(level: 2)")):
        answer = typst.query(
            str(ROOM / "report.typ"), selector, root=str(ROOM), sys_inputs=inputs, field="label"
        )
        labels = {label.strip("<>") for label in json.loads(answer)}
        assert labels == {name for name in wanted if name.startswith(kind)}
    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF")


def test_no_link_is_broken_and_no_name_is_used_twice(text: str, page: Page):
    inside = [link[1:] for link in page.links if link.startswith("#")]
    inside += re.findall(r"url\(#([^)]+)\)", text)
    assert len(inside) > 50  # figures use their own names, too
    assert set(inside) <= page.ids.keys()
    assert [name for name, count in page.ids.items() if count > 1] == []


def test_it_needs_no_other_file(text: str, page: Page):
    outside = {link for link in page.links if not link.startswith("#")}
    assert all(link.startswith("https://www.rfc-editor.org/rfc/rfc") for link in outside)
    assert not page.tags.keys() & {"link", "script", "img", "iframe", "object"}
    assert "@import" not in text


def test_it_is_no_wider_than_a_phone(browser, folder: Path):
    with visit(browser, (folder / "report.html").as_uri(), PHONE) as seen:
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_every_row_of_the_results_is_in_its_systems_table(page: Page):
    rows = reproduction.from_csv((RESULTS / "reproduction.csv").read_text())
    for name in systems:
        expected = [
            [reproduction.cells(row)[column] for column in SHOWN]
            for row in rows
            if row["system"] == name
        ]
        shown = page.tables.get(name, [[]])[1:]  # without the head
        plain = [[cell.replace(MINUS, "-") for cell in row] for row in shown]
        assert plain == expected, name


def test_the_overview_says_what_the_results_say(gathered: dict):
    limits = list(csv.DictReader((FIGURES / "limits.csv").read_text().splitlines()))
    for entry in gathered["table"]:
        own = [row for row in limits if row["system"] == entry["name"]]
        largest = max(own, key=lambda row: float(row["share_pct"]))
        share = float(re.search(r"([\d.]+)\W%", entry["limit"])[1])
        assert share == pytest.approx(float(largest["share_pct"]), rel=0.005)  # three digits


def test_the_first_pages_are_two_at_most(gathered: dict):
    """Question, what was found, what would change it and how far to trust it, with the table."""
    import typst

    inputs = {"content": as_json(gathered)}
    found = typst.query(
        str(ROOM / "report.typ"), "<brief>", field="value", root=str(ROOM), sys_inputs=inputs
    )
    assert json.loads(found) in ([1], [2])


def test_no_page_is_more_than_a_third_empty(gathered: dict):
    """By its ink: the strips of a page that have none."""
    shares = [empty_share(page) for page in pages(gathered, chosen_size(gathered))]
    assert len(shares) > 10
    assert [number for number, share in enumerate(shares, 1) if share > EMPTIEST] == []


def test_an_empty_page_is_seen_as_one(tmp_path: Path):
    import matplotlib.image
    import numpy

    for rows, share in ((0, 1.0), (351, 0.0), (175, 0.5)):
        page = numpy.ones((351, 248, 3))
        page[:rows, 100] = 0
        matplotlib.image.imsave(tmp_path / "page.png", page)
        assert empty_share((tmp_path / "page.png").read_bytes()) == pytest.approx(share, abs=0.03)


def test_the_sentences_of_the_first_page_have_the_numbers_of_the_results(gathered: dict):
    rows = reproduction.from_csv((RESULTS / "reproduction.csv").read_text())
    off = [
        abs(float(row["residual_pct"]))
        for row in rows
        if row["used_as"] == "prediction" and row["residual_pct"] and row["basis"] != "quoted"
    ]
    near = sum(pct <= NEAR_PCT for pct in off)
    said = " ".join(gathered["trust"])
    assert f"{len(off)} measured figures were predicted" in said
    assert f"within {statistics.median(off):.1f} % of the measurement and {near} within" in said
    tried = list(csv.DictReader((RESULTS / "changes.csv").read_text().splitlines()))
    idle = sum(row["what"] == "does_nothing" for row in tried)
    assert f"Of {len(tried)} single changes that were tried {idle} make" in gathered["changing"][0]


def test_the_opening_says_of_how_many_jobs_the_link_is_idle_and_nothing_is_lost(gathered: dict):
    rows = list(csv.DictReader((FIGURES / "limits.csv").read_text().splitlines()))
    every = {row["system"] for row in rows}
    busy = {
        row["system"] for row in rows if row["limit"] == "link" and float(row["share_pct"]) >= 50
    }
    lossy = {
        row["system"] for row in rows if row["limit"] == "loss_recovery" and float(row["time_s"])
    }
    assert busy and lossy
    said = [int(number) for number in re.findall(r"\d+", gathered["question"][0])]
    assert said == [len(every - busy), len(every), len(every - lossy)]


def test_each_system_says_what_would_change_it_best_first(gathered: dict):
    tried = list(csv.DictReader((RESULTS / "changes.csv").read_text().splitlines()))
    for system in gathered["systems"]:
        helps = [row for row in tried if (row["system"], row["what"]) == (system["name"], "helps")]
        shown = [row["words"] for row in system["changes"]]
        assert shown == [row["change"] for row in helps][: len(shown)]
        assert bool(shown) == bool(helps)


def make_own(made: Path) -> list[Path]:
    """A report of a system of one's own and one of the study, by somebody, in all forms."""
    device = made / "my-device.toml"
    source = '[[source]]\nid = "mine"\ntitle = "What I saw"\nauthor = "C. Author"\n'
    device.write_text(f'title = "My device, raw"\nscenario = "print-job"\n{source}')
    by = Byline(("A. Author", "B. Author"), "Somewhere & Sons", "1 May", "Two of mine")
    chosen = [load(device), systems["telnet-xp"]]
    return report.make(made, chosen, by, report.FORMS)


@pytest.fixture(scope="module")
def own(program: Path, tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("own")
    make_own(made)
    return made


def test_it_is_the_same_to_the_byte_another_second(own: Path, tmp_path: Path):
    made_s = int((own / "report.html").stat().st_mtime)
    until(lambda: int(time.time()) > made_s)  # what writes the time of day writes whole seconds
    made = make_own(tmp_path)
    assert made
    for path in made:
        if path.is_file():
            assert path.read_bytes() == (own / path.relative_to(tmp_path)).read_bytes(), path


def test_a_report_of_one_s_own_is_of_these_systems_and_no_others(own: Path):
    page = Page((own / "report.html").read_text())
    made = {name for name in page.ids if name.startswith("system-")}
    assert made == {"system-my-device", "system-telnet-xp"}
    assert {"figure-curve-my-device", "figure-method"} <= page.ids.keys()
    assert "figure-sawtooth" not in page.ids


def test_who_wrote_it_stands_on_it_and_who_wrote_a_source_beside_that(own: Path):
    text = html.unescape((own / "report.html").read_text())
    tex = (own / "latex" / "report.tex").read_text()
    for each in ("A. Author", "B. Author", "1 May", "Two of mine", "C. Author: What I saw"):
        assert each in text and each in tex
    assert "Somewhere & Sons" in text and r"Somewhere \& Sons" in tex


def test_the_source_for_latex_is_whole(own: Path):
    """Each brace and environment is closed, and each figure is beside it."""
    tex = (own / "latex" / "report.tex").read_text()
    plain = re.sub(r"\\[{}%]", "", tex)
    plain = re.sub(r"(?m)(^|[^\\])%.*$", r"\1", plain)
    assert plain.count("{") == plain.count("}")
    opened = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\*?\}", plain):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []
    wanted = re.findall(r"\\includegraphics\[.*?\]\{(.+?)\}", plain)
    assert len(wanted) == 5  # the method, and a budget and a curve each
    assert all((own / "latex" / name).read_bytes().startswith(b"%PDF") for name in wanted)
    assert not re.search(r"(?m)^[^%]*[µ\N{MINUS SIGN}]", plain)


def test_the_prose_has_no_number_typed_by_hand():
    words = (ROOM / "words.toml").read_text().partition("title = ")[2]
    assert re.findall(r"\d+", words.replace("ns-3", "")) == []


def test_a_caption_is_the_one_that_its_figure_has(text: str):
    drawn = figures.draw("method")
    assert html.escape(drawn.caption) in text


def test_what_disagrees_is_said_once_and_shown_in_all_places(text: str):
    short, shown = readme.blocks(README.read_text()), tables.disagreements()
    plain = html.unescape(re.sub(r"</?(?:code|em)>", "`", text))
    told = re.findall(r"^- `([a-z0-9-]+)`, .+, simulated .+? (\*\*.+)$", short, re.MULTILINE)
    assert len(dict(told)) == readme.TOLD
    for name, reason in told:
        main = systems[name].disagreements[0]
        assert reason == f"**{main.what}.** {main.why}"
    for name, system in systems.items():
        for entry in system.disagreements:
            assert f"**{entry.what}.** {entry.why}" in shown, name
            assert entry.why in plain, name
    assert sum(len(system.disagreements) for system in systems.values()) > 5


def test_every_parameter_has_its_basis_and_source(text: str):
    for system in systems.values():
        for setting in system.settings.values():
            assert html.escape(setting.source).replace("&#x27;", "&#39;") in text


def test_every_source_and_every_rfc_is_among_the_references(gathered: dict):
    named = {s.id for file in [*systems.values(), *hosts.values()] for s in file.sources}
    assert {source["id"] for source in gathered["sources"]} == named
    untitled = [rfc["number"] for rfc in gathered["rfcs"] if not rfc["title"]]
    assert untitled == [], "give their titles in analysis/study/report/rfcs.toml"


def test_what_is_not_modelled_is_taken_whole(gathered: dict):
    section = (ROOT / "docs" / "reference" / "model.md").read_text()
    section = section.partition("## What is not modelled")[2].partition("\n## ")[0]
    assert len(gathered["not_modelled"]) == len(re.findall(r"^- ", section, re.MULTILINE))


def test_what_the_pdf_needs_is_fetched_as_waf_report_does(monkeypatch):
    """It is no part of set-up, and `study report` stands in the README."""
    there: list[str] = []
    said: list[str] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert "set_up.set_up(['report'])" in command[-1]
        there.append("typst")
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(report, "find_spec", lambda name: name if name in there else None)
    monkeypatch.setattr(report.subprocess, "run", run)
    monkeypatch.setattr(report.sys, "prefix", str(ROOT / ".venv"))
    report.fetch_typst(said.append)
    assert there == ["typst"] and said == ["the PDF needs typst, which ./waf report fetches, too:"]
    report.fetch_typst(said.append)
    assert len(there) == len(said) == 1


def test_what_cannot_be_fetched_is_told_with_what_does_without_it(monkeypatch):
    failed = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(report, "find_spec", lambda name: None)
    monkeypatch.setattr(report.subprocess, "run", lambda *_, **__: failed)
    monkeypatch.setattr(report.sys, "prefix", str(ROOT / ".venv"))
    with pytest.raises(StudyError, match="could not be fetched; --as html makes"):
        report.fetch_typst(lambda _: None)
    monkeypatch.setattr(report.sys, "prefix", "/another")
    with pytest.raises(StudyError, match=r"pip install .*requirements-report\.lock"):
        report.fetch_typst(lambda _: None)


@pytest.mark.parametrize(
    ("table", "mentioned"),
    [
        ('what = "x"', "a [[disagrees]] table has no why"),
        ('what = "x"\nwhy = "y"\nwhen = "z"', "there is no entry 'when'"),
        ('what = "x"\nwhy = 1', "why = 1 has to be a text"),
    ],
)
def test_an_explanation_that_cannot_be_meant_is_refused(
    table: str, mentioned: str, program: Path, tmp_path: Path
):
    path = tmp_path / "device.toml"
    path.write_text(f'title = "t"\nscenario = "print-job"\n[[disagrees]]\n{table}\n')
    with pytest.raises(StudyError) as error:
        load(path)
    assert mentioned in str(error.value)


def test_a_form_that_there_is_not_is_refused_before_the_work(capsys, tmp_path: Path):
    assert main(["report", "telnet-xp", "--as", "html,docx", "-o", str(tmp_path / "r")]) == 2
    assert "docx" in capsys.readouterr().err
    assert not (tmp_path / "r").exists()
