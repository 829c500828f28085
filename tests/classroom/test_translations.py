# SPDX-License-Identifier: GPL-2.0-only
"""The units in other languages: every text of units.toml, with what is filled in; none that the
file has not; numbers as the language writes them."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from study.base.errors import StudyError
from study.classroom import lesson, translations
from study.classroom.page_units import FILE

FILES = sorted(FILE.parent.glob("units.*.toml"))
UNITS = {each["id"]: each for each in tomllib.loads(FILE.read_text())["unit"]}
UNIT_TEXTS = ("short", "title", "question", "predict", "predict_hint")


def english(unit: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Of a unit the texts of units.toml that are for a reader, by where a translation has them."""
    for key in UNIT_TEXTS:
        yield key, unit[key]
    yield "y.name", unit["y"]["name"]
    yield from ((f"text.{n}", each) for n, each in enumerate(unit["text"]))
    yield from ((f"names.{n}", each) for n, each in enumerate(unit.get("names", unit["ends"])))
    yield from ((f"parts.{key}", each) for key, each in unit["parts"].items())
    yield from ((f"fixed.{key}", key.replace("_", " ")) for key in unit.get("fixed", {}))
    yield from ((f"measured.{n}", e["name"]) for n, e in enumerate(unit.get("measured", [])))
    for control in unit["control"]:
        at = f"control.{control['id']}"
        yield from ((f"{at}.{key}", control[key]) for key in ("label", "help") if key in control)
        if re.search("[a-z]{4}", control.get("unit", "").replace("Mbit", "").replace("kbit", "")):
            yield f"{at}.unit", control["unit"]
        named = {each["label"] for each in control.get("steps", []) if "label" in each}
        named |= {name for name in control.get("names", {}).values() if name.islower()}
        yield from ((f"{at}.names.{name}", name) for name in named)
    for n, ask in enumerate(unit["ask"]):
        keys = ("question", "why", "hint", "unit")
        yield from ((f"ask.{n}.{key}", ask[key]) for key in keys if key in ask)
        for choice in ask.get("choices", []):
            at = f"ask.{n}.choices.{choice['id']}"
            yield from ((f"{at}.{key}", choice[key]) for key in ("says", "why"))


def flat(part: Any, at: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(part, str):
        yield at[1:], part
        return
    for key, each in part.items() if isinstance(part, dict) else enumerate(part):
        yield from flat(each, f"{at}.{key}")


@pytest.mark.parametrize("name", UNITS)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_language_says_all_that_the_units_say_and_no_more(file: Path, name: str):
    assert FILES
    said = dict(flat(tomllib.loads(file.read_text(encoding="utf-8"))[name]))
    expected = dict(english(UNITS[name]))
    assert sorted(said) == sorted(expected)
    for key, text in expected.items():
        slots = [sorted(set(re.findall(r"\{[\w-]+\}", each))) for each in (text, said[key])]
        assert slots[0] == slots[1], key
        if len(text.split()) > 2:
            assert said[key] != text, key


def test_a_unit_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "units.xx.toml").write_text("[nobody]\ntitle = 'x'\n")
    monkeypatch.setattr(translations, "FILE", tmp_path / FILE.name)
    with pytest.raises(StudyError, match=r"units.xx.toml has units .*: nobody"):
        translations.translations([])


def test_a_language_says_all_of_a_worksheet_and_no_more():
    """A {value} that is a name is said in the language; a number is filled in."""
    template = (FILE.parent / "worksheet.html.jinja").read_text()
    own = {*re.findall(r'printed\("([^"]+)"', template), *lesson.KINDS.values(), "Exercises"}
    for language in lesson.languages()[1:]:
        said = tomllib.loads((lesson.FOLDER / f"exercises.{language}.toml").read_text())
        assert set(said.pop("worksheet")) == own
        assert list(said) == [each.data["id"] for each in lesson.exercises()]
        for each in lesson.exercises():
            other = said[each.data["id"]]
            assert set(other) == {"question", "hint", "answer"}
            if "expected" not in each.data:
                slots = [re.findall(r"\{.+?\}", e["answer"]) for e in (each.data, other)]
                assert slots[0] == slots[1], each.data["id"]
