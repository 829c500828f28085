# SPDX-License-Identifier: GPL-2.0-only
"""The explorer as a widget: carries questions of the page to a session, and its answers back.

The page asks one thing at a time and then the newest, so nothing piles up while a slider is
dragged.
"""

from pathlib import Path

import anywidget
import traitlets

from study.base.errors import StudyError
from study.explorer.session import Session
from study.explorer.still import still
from study.explorer.view import Asked

HERE = Path(__file__).parent


class Explorer(anywidget.AnyWidget):
    """Sliders and switches, made in the browser of what `start` says."""

    _esm = HERE / "page.js"
    _css = HERE / "page.css"
    start = traitlets.Dict().tag(sync=True)

    def __init__(self, session: Session, system: str) -> None:
        start = {"presets": session.presets(), "form": session.form(system)}
        super().__init__(start=start)
        self.session, self.system = session, system
        self.on_msg(self._on_question)

    def _repr_mimebundle_(self, **kwargs: dict) -> tuple[dict, dict]:
        """The widget, and beside it what a page shows that is read without a kernel."""
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return data | {"text/html": still(self.session, self.system)}, metadata

    def _on_question(self, _widget: object, question: dict, _buffers: list) -> None:
        """Whatever happens the page gets an answer: what is raised here is seen by nobody."""
        names = {"view": question.get("view"), "serial": question.get("serial")}
        try:
            self.send(names | self._answer(question))
        except StudyError as error:
            self.send(names | {"errors": {"": str(error)}})
        except Exception as error:
            text = f"the explorer failed ({type(error).__name__}: {error}); reset it"
            self.send(names | {"errors": {"": text}})
            raise

    def _answer(self, question: dict) -> dict:
        if question["kind"] == "form":
            return {"form": self.session.form(question["system"])}
        entries = ("system", "host", "values", "axis")
        asked = {name: question[name] for name in entries if name in question}
        return self.session.answer(Asked(**asked, marks=question["kind"] == "marks"))
