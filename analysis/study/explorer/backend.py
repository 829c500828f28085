# SPDX-License-Identifier: GPL-2.0-only
"""Answers to the questions of a page's native engine, both as JSON. The module knows no server
and no widget, so a test can ask the same questions."""

import base64
import threading
from collections.abc import Mapping
from typing import Any

from study.base.errors import Refused, StudyError
from study.catalogue import systems
from study.explorer import closed_form
from study.explorer.runner import FILES, GONE, Gone, Lost, Runner, TooLong
from study.front import forms
from study.programs.declaration import declaration
from study.runs.feed import Interrupted, is_wanted
from study.system.system import System

Question = Mapping[str, Any]
SYSTEM = "--system="
NO_QUESTION = "this is no question that a page asks"


class Backend:
    """Answers one page after the other; the same point runs once. One's own systems are those that
    it was begun with: a page cannot name a file."""

    def __init__(self) -> None:
        self.runner = Runner()
        self._own: list[str] = []
        self._ranking = threading.Lock()

    def begin_with(self, name: str) -> None:
        """Take one's own system among the others: a path to its file."""
        forms.plan_of(systems[name])
        if name not in [*systems, *self._own]:
            self._own.append(name)

    def answer(self, question: Question) -> dict[str, Any]:
        """Return the answer to a question as a dict.

        Kind "run": `status`, `printed`, `said` and `files`, or `late` or `lost` with the reason.
        Kinds "form", "leading" (which takes some seconds) and "paper": the result of that module,
        or `said` with the error."""
        kinds = {"run": self._run, "form": self._form, "paper": self._on_paper}
        kinds["leading"] = self._leading
        try:
            _check(question)
            return kinds[question["kind"]](question)
        except TooLong as error:
            return {"late": str(error)}
        except Lost as error:
            return {"lost": str(error)}
        except Interrupted:
            return {"status": 2, "said": GONE}
        except Refused as error:  # the page finds the control by the flag
            return {"status": 2, "said": f"{error.flag}: {error.said}"}
        except StudyError as error:
            return {"status": 2, "said": str(error)}
        except (KeyError, TypeError, ValueError):
            return {"status": 2, "said": NO_QUESTION}

    def close(self) -> None:
        self.runner.close()

    def _run(self, question: Question) -> dict[str, Any]:
        system, files = self._system(question["flags"]), list(question.get("files", ()))
        if system.scenario != question["program"]:
            raise StudyError(f"{system.name} is no {question['program']}")
        if wrong := [kind for kind in files if kind not in FILES]:
            raise StudyError(f"{wrong[0]} is no file that a run leaves: {', '.join(FILES)}")
        record, left = self.runner.run(system, files)
        coded = {kind: base64.b64encode(data).decode() for kind, data in left.items()}
        return {"status": 0, "printed": record, "said": "", "files": coded}

    def _form(self, question: Question) -> dict[str, Any]:
        self._known(question["system"])
        return {"status": 0, "form": forms.form(question["system"], is_patient=False)}

    def _leading(self, question: Question) -> dict[str, Any]:
        self._known(question["system"])
        with self._ranking:  # a page that is reloaded asks again
            if not is_wanted.get()():
                raise Gone(GONE)
            return {"status": 0, **forms.ranking(question["system"])}

    def _on_paper(self, question: Question) -> dict[str, Any]:
        system = self._system(question["flags"])
        own = systems[question["flags"][0].removeprefix(SYSTEM)]
        return {"status": 0, **closed_form.answer(own, system, question["axis"])}

    def _known(self, name: str) -> System:
        """By a name that was offered: a page does not open files."""
        if name not in [*systems, *self._own]:
            raise StudyError(f"there is no system {name} here")
        return systems[name]

    def _system(self, flags: list[str]) -> System:
        """Of the first flag, with the changes of the others; a refusal names its flag."""
        first, *others = flags
        system = self._known(first.removeprefix(SYSTEM))
        by_flag = {each.flag: key for key, each in declaration(system.scenario).parameters.items()}
        changes = {}
        for given in others:
            flag, _, text = given.removeprefix("--").partition("=")
            if flag not in by_flag:
                raise StudyError(f"--{flag}: a {system.scenario} has no such parameter")
            changes[by_flag[flag]] = text
        return system.with_(**changes)


def _check(question: Question) -> None:
    """Raise where flags or names of files are no texts."""
    if not isinstance(question, Mapping):
        raise TypeError
    for name in ("flags", "files"):
        given = question.get(name, [])
        if not isinstance(given, list | tuple) or not all(isinstance(each, str) for each in given):
            raise TypeError
