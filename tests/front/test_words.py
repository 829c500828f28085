# SPDX-License-Identifier: GPL-2.0-only
"""The pages' words: each language has every key, with what is filled in; a reader's language is
found; and no script has a sentence of its own."""

import json
import re
import tomllib
from typing import Any

import pytest
from study.base.project import scenarios
from study.catalogue import systems
from study.front import words
from study.programs.declaration import declaration

from tests.front.scripts import NODE, in_node

KNOWN = words.read()
OTHERS = [name for name in KNOWN if name != words.ENGLISH]


@pytest.mark.parametrize("name", OTHERS)
def test_a_language_says_all_that_english_says_and_no_more(name: str):
    assert OTHERS
    english, other = KNOWN[words.ENGLISH], KNOWN[name]
    assert sorted(other) == sorted(english)
    for key, text in english.items():
        filled = [sorted(set(re.findall(r"\{\d\}", said))) for said in (text, other[key])]
        assert filled[0] == filled[1], key
        assert bool(text.strip()) == bool(other[key].strip()), key


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len({key for key, _ in pairs}) == len(pairs), pairs
    return dict(pairs)


def test_a_file_says_no_key_twice():
    for path in words.FOLDER.glob("words.*.json"):
        json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=once)


def test_every_title_and_help_is_said_in_every_language():
    helps = {each.help for name in scenarios() for each in declaration(name).parameters.values()}
    every = {*systems, *systems.beside}
    for name in OTHERS:
        declared = tomllib.loads((words.FOLDER / f"declared.{name}.toml").read_text("utf-8"))
        assert set(declared["helps"]) == helps and set(declared["titles"]) == every
        for english, other in declared["helps"].items():
            for numbers in (re.compile(r"RFC \d+|\d+ B\b"), re.compile(r"[A-Z][a-z]+[A-Z]\w+")):
                assert sorted(numbers.findall(english)) == sorted(numbers.findall(other)), other


needs_node = pytest.mark.skipif(not NODE, reason="there is no node")


@needs_node
@pytest.mark.parametrize(
    ("languages", "hash", "kept", "spoken"),
    [
        (["de-AT", "en"], "", {}, "de"),
        (["fr", "de"], "", {}, "de"),
        (["fr"], "", {}, "en"),
        (["de"], "#lang=en", {"study-language": "de"}, "en"),
        (["en"], "#run=x", {"study-language": "de"}, "de"),
        (["en"], "#lang=constructor", {}, "en"),
    ],
)
def test_the_link_then_the_device_then_the_browser_say_which_language(
    languages: list[str], hash: str, kept: dict[str, str], spoken: str
):
    found = in_node(
        ["words.js"], "const answer = language", None, tuple(languages), hash=hash, kept=kept
    )
    assert found == spoken


@needs_node
def test_what_is_filled_in_stands_where_the_language_wants_it():
    script = "const said = words('command'); const answer = [said.none, said.second('relook')]"
    for name in KNOWN:
        none, second = in_node(["words.js"], script, None, (name,))
        assert none == KNOWN[name]["command.none"]
        assert second == KNOWN[name]["command.second"].replace("{1}", "relook")


SCRIPTS = [*words.FOLDER.glob("*.js"), *words.FOLDER.parent.joinpath("classroom").glob("*.js")]
NOT_SAID = {"lean-qr.js", "words.js"}  # another's; what tells a programmer of a missing key
SENTENCE = re.compile(r"[A-Za-z]{2,},? [a-z]{2,} [a-z]{2,}|[a-z]{3,}\.$")


def sentences(script: str) -> list[str]:
    """What looks like words for a reader among a script's texts."""
    found = []
    for line in script.splitlines():
        code = re.sub(r"(^|\s)//.*|^\s*/?\*.*", "", line)
        code = re.sub(r'(class|d|transform): "[^"]*"', "", code)
        for plain, template in re.findall(r'"([^"\\]*)"|`([^`]*)`', code):
            text = re.sub(r"\$\{[^}]*\}", " ", plain + template)
            found += [text] if SENTENCE.search(text) else []
    return found


def test_a_script_has_no_sentence_of_its_own():
    found = {path.name: sentences(path.read_text(encoding="utf-8")) for path in SCRIPTS}
    assert {name for name, said in found.items() if said} <= NOT_SAID
    assert sentences('say("The job is done.")') and not sentences('say("front.done")')
