# SPDX-License-Identifier: GPL-2.0-only
"""The systems of scenarios/systems/*.toml: read, changed and run.

```python
from study import systems

hawking = systems["hawking-hps1u"].with_(job_size=65536)
hawking.with_(receive_window=5840, ack_latency="10ms").run().throughput_Bps
hawking.with_(receive_window=8760).run().segments
hawking.with_host("bsd-4.2").run().limits_s
hawking.what_if(receive_window=8760)
hawking.explain().helps[0].words
hawking.figure("curve", vary={"receive_window": "1460:5840:+1460"}, size="85mm").table
```
"""

from typing import TYPE_CHECKING, Any

from study.answers.explain import Explanation, explain
from study.answers.what_if import WhatIf, what_if
from study.base.errors import unknown
from study.kit.systems import Systems
from study.runs.points import Points
from study.runs.sweep import sweep
from study.system.system import System

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pandas as pd

    from study.diagnosis.diagnosis import Diagnosis
    from study.drawing.files import SavedDrawing


class Catalogued(System):
    """A system with every verb a user has; each is a function of its room."""

    def sweep(self, points: "Points | pd.DataFrame | None" = None, **lists: Any) -> "pd.DataFrame":
        """Simulate at many points; a table, one row a point. See study.runs.sweep for its options:
        `.sweep(receive_window=[1024, 2048], ack_latency="1ms:100ms:5log", seeds=10)`."""
        return sweep(self, points, **lists)

    def figure(
        self,
        kind: str,
        *,
        size: str = "page",
        dress: str = "light",
        font: str = "",
        begin: str = "0s",
        end: str | None = None,
        vary: "Mapping[str, object] | None" = None,
        by: "Mapping[str, object] | None" = None,
        y: str = "",
        locale: str = "en",
        title: bool = True,
    ) -> "SavedDrawing":
        """A figure of one of the kinds that `study figure` lists, as
        `.figure("curve", vary={"receive_window": "1024:65535:x2"}, size="85mm")`: its `.figure` is
        matplotlib's, `.table` has its numbers, `.caption` says it, `.save("a.pdf")` writes it."""
        from study import drawing
        from study.base.units import seconds
        from study.drawing.files import SavedDrawing

        if kind not in drawing.KINDS:
            raise unknown("kind of figure", kind, drawing.KINDS)
        span = drawing.Span(seconds(begin), None if end is None else seconds(end))
        lists = {"vary": vary, "by": by, "y": y, "locale": locale, "headline": title}
        drawn = drawing.draw(kind, self, span, size, None, dress, font, **lists)
        return SavedDrawing.of(drawn)

    def explain(self) -> "Explanation":
        """Why the job is as fast as it is, and what would change that."""
        return explain(self)

    def what_if(
        self,
        host: str | None = None,
        server: str | None = None,
        device: str | None = None,
        **parameters: object,
    ) -> "WhatIf":
        """The job before and after a change; `host`, `server` and `device` name profiles."""
        changed = self if host is None else self.with_host(host)
        for end, name in (("server", server), ("device", device)):
            changed = changed if name is None else changed.with_profile(end, name)
        return what_if(self, changed.with_(**parameters))


systems = Systems(Catalogued)


def diagnose(
    path: "Path | str", connection: int | None = None, at: str | None = None
) -> "Diagnosis":
    """Why the transfer of a capture is slow: `.sentence`, `.limits_s`, `.packets` (a DataFrame),
    `.found`, and `.system()`, which can be run and changed like any other. Takes the connection
    that lost most time, or that of this number; `at` says where it was captured ("sender" or
    "receiver"), if that is known."""
    from study.diagnosis import diagnosis

    return diagnosis.diagnose(path, connection, at, Catalogued)
