# SPDX-License-Identifier: GPL-2.0-only
"""The window of an end whose peer, a host profile, has no window scaling: the largest that 16 bits
announce (RFC 7323, 2.2)."""

from collections.abc import Mapping

from study.base.flags import ENDS, key_at
from study.programs.values import UNSCALED_LIMITS
from study.system import mss
from study.system.settings import Setting

DERIVATION = "the most that is announced without window scaling (RFC 7323, 2.2)"


def bounded(
    end: str, profile: Mapping[str, Setting], own: Mapping[str, Setting]
) -> dict[str, Setting]:
    """Return the system's `own` windows that are larger than a profile at `end` understands. One
    that grows does so as far as both ends allow."""
    scale = profile.get(key_at(end, "host_window_scale"))
    if scale and scale.text != "none":
        return {}
    found = {}
    for other in ENDS:
        key = key_at(other, "host_window")
        window, first = own.get(key), own.get(key_at(other, "host_first_window"))
        grows = first is not None and first.text != "0"
        if other != end and window and not grows and int(window.text) > UNSCALED_LIMITS[key]:
            text = str(UNSCALED_LIMITS[key])
            found[key] = Setting(text, "B", "derived", DERIVATION, text=text, before=window)
    return found


def both_scale(parameters: Mapping[str, str]) -> bool:
    """Return whether both ends of a system with these parameters scale their windows."""
    return "none" not in (parameters[key] for key in parameters if key.endswith("window_scale"))


def restored(settings: Mapping[str, Setting]) -> dict[str, Setting]:
    """Return the settings with the file's own windows, whatever their peers understand."""
    return {key: setting.before or setting for key, setting in settings.items()}


def that_followed(settings: Mapping[str, Setting]) -> list[str]:
    """Return the keys of parameters that followed from another: from the MTU, or from a peer
    without window scaling."""
    reasons = (mss.DERIVATION, DERIVATION)
    return [key for key, setting in settings.items() if setting.source in reasons]
