# SPDX-License-Identifier: GPL-2.0-only
"""The report in another language: every word of ours, and no word of the systems' files."""

import re
import tomllib

import pytest
from study.base.errors import StudyError
from study.catalogue import systems
from study.drawing.languages import Own, languages, speaker
from study.report import content as contents
from study.report.html import html
from study.report.outline import outline
from study.report.pdf import pdf
from study.report.translated import ROOM, change

IN_LATEX = {"Figure"}  # a label of that form alone
ENGLISH = re.compile(r"\b(the|of|is|are|that|with|to|it|by|from|not|than|where|or|as|times|more)\b")


@pytest.fixture(scope="module")
def content(program: object) -> dict:
    return contents.content([systems["hawking-hps1u"], systems["telnet-xp"]], language="de")


def test_a_language_has_every_label_and_all_of_the_prose(program: object):
    asked = set()

    class Labels(dict):
        def get(self, label: str, default: str) -> str:
            asked.add(label)
            return default

    outline(contents.content() | {"labels": Labels()})
    for language in languages(ROOM)[1:]:
        told = tomllib.loads((ROOM / f"words.{language}.toml").read_text())
        assert set(told["labels"]) == asked | IN_LATEX
        assert set(told["prose"]) == set(contents.words())


def test_no_english_is_left_but_that_of_the_systems_files(content: dict):
    said = [line for key in ("question", "found", "changing", "trust") for line in content[key]]
    said += [entry[key] for entry in content["table"] for key in ("limit", "best")]
    for system in content["systems"]:
        said += [system["why"], system["about"], *system["nothing"]]
        rows = [*system["changes"], *system["worse"]]
        said += [row[key] for row in rows for key in ("words", "after", "worth")]
    names = re.compile("ACK of the second early write of hawking-hps1u|Telnet from Windows XP")
    left = {line: ENGLISH.findall(names.sub("", line)) for line in said}
    assert not {line: found for line, found in left.items() if found}
    assert any("98,9 %" in line for line in said)


def test_its_forms_are_in_the_language_with_what_the_files_say(content: dict):
    page = html(content).decode()
    assert '<html lang="de">' in page and "<h3>Was herauskam</h3>" in page
    assert systems["hawking-hps1u"].disagreements[0].what in page
    assert "Empfangsfenster" in content["systems"][0]["figures"][0]["title"]
    assert pdf(content).startswith(b"%PDF")


def test_a_change_is_said_by_its_parameter_s_name():
    say = speaker("de", Own(phrases={"off": "aus"}))
    said = "Empfangsfenster 2920 B → 5840 B, Client: SACK aus"
    assert change("receive window 2920 B -> 5840 B, with client SACK off", say) == said
    assert change("no stuffed bits", say) == "ohne Stopfbits"


def test_an_unknown_language_is_refused_before_any_run():
    with pytest.raises(StudyError, match="no locale 'fr'"):
        contents.content(language="fr")
