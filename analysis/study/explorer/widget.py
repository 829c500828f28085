# SPDX-License-Identifier: GPL-2.0-only
"""Explorer in a notebook: the page in a frame, whose questions the kernel answers. The frame
keeps the notebook's style and keys out of the page."""

import threading
from pathlib import Path

import anywidget
import traitlets

from study.explorer.backend import Backend
from study.explorer.still import still
from study.front.front_page import page

ROOM = Path(__file__).parent


class Explorer(anywidget.AnyWidget):
    """The page of a system; its frame is made in the browser."""

    _esm = ROOM / "widget.js"
    page = traitlets.Unicode().tag(sync=True)

    def __init__(self, backend: Backend, system: str) -> None:
        super().__init__(page=page("message", system))
        self.backend, self.system = backend, system
        self.on_msg(self._on_question)

    def _repr_mimebundle_(self, **kwargs: dict) -> tuple[dict, dict]:
        """Return the widget, and beside it what a page shows that is read without a kernel."""
        data, metadata = super()._repr_mimebundle_(**kwargs)
        read = {"text/html": still(self.system), "text/plain": f"What-if explorer: {self.system}"}
        return data | read, metadata

    def _on_question(self, _widget: object, question: dict, _buffers: list) -> None:
        """What takes its time is answered beside what comes next."""
        if question.get("kind") == "leading":
            threading.Thread(target=self._answer, args=[question], daemon=True).start()
        else:
            self._answer(question)

    def _answer(self, question: dict) -> None:
        """Whatever happens the page gets an answer: what is raised here is seen by nobody."""
        serial = {"serial": question.get("serial")}
        try:
            self.send(serial | self.backend.answer(question))
        except Exception as error:
            text = f"the explorer failed ({type(error).__name__}: {error}); run the cell again"
            self.send(serial | {"gone": text})
            raise
