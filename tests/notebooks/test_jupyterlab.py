# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the notebooks in JupyterLab: what it lists, opens and saves."""

import json
import os
import shutil
import time
from pathlib import Path

import pytest
from study.notebooks import pages

NAMES = pages.names()
EXERCISES = "7-exercises"
ANSWERS = pages.FOLDER / pages.ANSWERS / f"{EXERCISES}.md"


def test_jupyterlab_lists_a_notebook_once_and_the_answers_apart(tmp_path: Path):
    from jupyter_server.services.contents.largefilemanager import LargeFileManager

    shutil.copytree(pages.FOLDER, tmp_path / "n")
    pages.make_answers(tmp_path / "n" / pages.ANSWERS)
    given = next(each for each in pages._lab(NAMES[0]) if "hide_globs" in each)
    globs = json.loads(given.partition("=")[2])
    manager = LargeFileManager(root_dir=str(tmp_path / "n"), hide_globs=globs)
    listed = {each["name"] for each in manager.get("")["content"]}
    assert listed == {*(f"{name}.ipynb" for name in NAMES), "README.md", "answers", "lesson"}
    assert [each["name"] for each in manager.get("answers")["content"]] == [f"{EXERCISES}.ipynb"]


def test_jupyterlab_opens_a_notebook_whose_outputs_are_newer_than_its_text(tmp_path: Path):
    """As `reproduce` leaves it."""
    from jupyter_server.services.contents.largefilemanager import LargeFileManager
    from jupytext.sync_contentsmanager import build_sync_jupytext_contents_manager_class

    shutil.copytree(pages.FOLDER, tmp_path / "n")
    later = time.time() + 100
    os.utime(tmp_path / "n" / f"{NAMES[0]}.ipynb", (later, later))
    manager = build_sync_jupytext_contents_manager_class(LargeFileManager)(
        root_dir=str(tmp_path / "n")
    )
    opened = manager.get(f"{NAMES[0]}.ipynb")["content"]
    assert any(cell.get("outputs") for cell in opened["cells"])


def test_a_copy_of_the_answers_is_made_once_and_again_when_the_text_is_newer(tmp_path: Path):
    shutil.copy(ANSWERS, tmp_path)
    (copy,) = pages.make_answers(tmp_path)
    assert pages.make_answers(tmp_path) == []
    assert all(cell.get("outputs", []) == [] for cell in json.loads(copy.read_text())["cells"])
    later = copy.stat().st_mtime + 10
    os.utime(copy.with_suffix(".md"), (later, later))
    assert pages.make_answers(tmp_path) == [copy]


@pytest.mark.parametrize("user", [0, 1000])
def test_jupyterlab_opens_for_root_in_a_container_too(user: int, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert ("--allow-root" in pages._lab(NAMES[0])) == (user == 0)
