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
        """Simulate at many points.

        Parameters
        ----------
        points
            A grid of `study.runs.points`, or a table with a column a parameter.
        **lists
            Values by parameter, every combination of which is run: a list, or a range as a text, as
            in `.sweep(receive_window=[1024, 2048], ack_latency="1ms:100ms:5log", seeds=10)`. The
            options of `study.runs.sweep.sweep` stand among them.

        Returns
        -------
        pandas.DataFrame
            A row a point: what was varied, how the job ended, and its numbers. A column's name ends
            in its unit, which `.attrs["units"]` has, too.

        Raises
        ------
        StudyError
            A parameter is unknown, or a value of it out of range.
        """
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
        """Draw the system, as in `.figure("curve", vary={"receive_window": "1024:65535:x2"})`.

        Parameters
        ----------
        kind
            One of those that `study figure` lists.
        size
            "page", "column" or another name of the house, or a width, as "85mm".
        dress
            "light", "dark" or "grey".
        font
            A family that this machine has.
        begin, end
            Of the packets that are drawn, since the first one, as "1.5s".
        vary, by
            Values of the parameter across, and of that with a curve for each value.
        y
            The figure up, where a kind leaves a choice.
        locale
            "en" or "de": words and decimal sign.
        title
            Whether the figure has its title.

        Returns
        -------
        SavedDrawing
            `.figure` is matplotlib's, `.table` has the numbers, `.caption` says it, and
            `.save("a.pdf")` writes it.

        Raises
        ------
        StudyError
            There is no such kind, size or parameter, or a job did not finish.
        """
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
        """Say why the job is as fast as it is, and what would change that.

        Returns
        -------
        Explanation
            `.limits_s` has what limited it, in seconds; `.helps`, `.does_nothing` and
            `.makes_worse` have the changes that were tried, the largest first.
        """
        return explain(self)

    def what_if(
        self,
        host: str | None = None,
        server: str | None = None,
        device: str | None = None,
        **parameters: object,
    ) -> "WhatIf":
        """Simulate the job before and after a change.

        Parameters
        ----------
        host, server, device
            Profiles to put at the ends, by name, as "linux-6".
        **parameters
            Changed parameters; times and rates as texts, as "10ms".

        Returns
        -------
        WhatIf
            Both results, and the change of the rate in per cent.

        Raises
        ------
        StudyError
            A parameter or a profile is unknown, or nothing is changed.
        """
        changed = self if host is None else self.with_host(host)
        for end, name in (("server", server), ("device", device)):
            changed = changed if name is None else changed.with_profile(end, name)
        return what_if(self, changed.with_(**parameters))


systems = Systems(Catalogued)


def diagnose(
    path: "Path | str", connection: int | None = None, at: str | None = None
) -> "Diagnosis":
    """Say why the transfer of a capture is slow.

    Parameters
    ----------
    path
        A pcap or pcapng file, or the text of tcpdump; also gzipped.
    connection
        The number of a connection; without it the one that lost most time.
    at
        Where it was captured, "sender" or "receiver", if that is known.

    Returns
    -------
    Diagnosis
        `.sentence`, `.limits_s`, `.facts`, `.packets` (a DataFrame), and `.system()`, which can be
        run and changed as any other.

    Raises
    ------
    StudyError
        The file is no capture, or has no TCP connection.
    """
    from study.diagnosis import diagnosis

    return diagnosis.diagnose(path, connection, at, Catalogued)
