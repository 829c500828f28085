# SPDX-License-Identifier: GPL-2.0-only
"""Python side of the study: runs scenarios, compares them with measurements, and draws figures.

Its names are imported when they are first used, so that one part can be used without the others:
wscript reads study.base.flags before any program is built.
"""

import gc
import sys
from importlib import import_module

_OFFERED = {
    "Measured": "study.system.measured",
    "Result": "study.system.system",
    "Setting": "study.system.settings",
    "StudyError": "study.base.errors",
    "System": "study.system.system",
    "diagnose": "study.catalogue",
    "plot": "study.drawing.plot",
    "systems": "study.catalogue",
    "to_xarray": "study.runs.sweep_table",
}
__all__ = list(_OFFERED)


def command() -> int:
    """The command `study`: its exit status. What its start imports stays until its end, and is no
    work for the garbage collector: it would look at all of it several times, and once more after
    the last line."""
    from study.base import machine
    from study.base.errors import StudyError

    gc.disable()
    machine.write_utf8()
    try:
        from study.commands.main import main
    except StudyError as error:  # there is no study around this package
        print(f"study: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        where = "`./waf build` in the study's folder installs it, and .venv/bin/study has it"
        print(f"study: this Python has no module {error.name}: {where}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    gc.freeze()
    gc.enable()
    try:
        return main()
    except KeyboardInterrupt:  # before main listens, or after
        print("interrupted", file=sys.stderr)
        return 130
    finally:
        gc.freeze()


def __getattr__(name: str) -> object:
    if name not in _OFFERED:
        raise AttributeError(f"study offers no {name!r}; it offers {', '.join(_OFFERED)}")
    return getattr(import_module(_OFFERED[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_OFFERED])
