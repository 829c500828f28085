# SPDX-License-Identifier: GPL-2.0-only
"""The field's terms: no file uses a word that tests/glossary.toml has another one for."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from study.base.project import ROOT

LIST = Path(__file__).with_name("glossary.toml")
TERMS = tomllib.loads(LIST.read_text())["term"]
# Texts of others, files that name the words, and what the commands make of the words held here.
LEFT_OUT = ("LICENSE", "waf", "results/", "tests/glossary.toml", "tests/test_glossary.py")
# A line's end within a sentence, with what a comment, a quotation or a string begins with.
WRAPPED = re.compile(r"\"?\n[ \t]*(?:(?:///?<?|//!<|#|\*|>)[ \t]+)?f?\"?")


def texts() -> dict[str, str]:
    """Return the text of each file of the project, by its path."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("the project's list of files is git's")
    found = {}
    for name in listed.stdout.splitlines():
        made = name.endswith((".lock", ".ipynb"))  # these of the .md beside them
        if name.startswith(LEFT_OUT) or made or not (ROOT / name).is_file():
            continue
        data = (ROOT / name).read_bytes()
        if b"\0" not in data:
            found[name] = unwrapped(data.decode())
    return found


def unwrapped(text: str) -> str:
    """Return a text in one line."""
    return re.sub(r"[ \t]+", " ", WRAPPED.sub(" ", text))


def uses(pattern: str, text: str) -> list[str]:
    """Return the uses of a word in a text of one line, each with the words around it."""
    found = re.finditer(pattern, text, re.IGNORECASE)
    return [text[max(0, each.start() - 40) : each.end() + 20] for each in found]


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return texts()


@pytest.mark.parametrize("term", TERMS, ids=[each["write"] for each in TERMS])
def test_the_fields_term_is_written(term: dict, files: dict[str, str]):
    found = {name: uses(term["not"], text) for name, text in files.items()}
    may = term.get("may", {})
    more = {name: said for name, said in found.items() if len(said) != may.get(name, 0)}
    assert more == {}, f"write {term['write']}, or mend the count in {LIST.name}"


def test_a_use_is_found_over_the_end_of_a_line_and_in_a_wrapped_string():
    wrapped = ("kept\n    # back", "kept\n * back", 'kept "\n    f"back', "kept\n> back")
    for text in (*wrapped, "KEPT BACK"):
        assert uses(r"\bkept back\b", unwrapped(text)), text
