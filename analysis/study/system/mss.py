# SPDX-License-Identifier: GPL-2.0-only
"""The MSS follows the MTU of the path where nobody says otherwise: a host announces what its
packets hold (RFC 9293, 3.7.1)."""

from collections.abc import Mapping

from study.base.flags import ENDS, key_at
from study.programs.declaration import Declaration
from study.programs.values import read
from study.system.settings import Setting

HEADERS_B = 40  # of IPv4 and TCP; the MSS does not count options (RFC 6691)
ETHERNET_B = 1500  # the MTU where the path's has no effect (RFC 894)
DERIVATION = "the path's MTU less 40 B of headers (RFC 9293, 3.7.1)"
MTU, LINK = "path_mtu", "link"


def mss_keys(declared: Declaration) -> set[str]:
    """Return the keys of the segment sizes of all ends."""
    return {key_at(end, "mss") for end in ENDS} & set(declared.parameters)


def following(
    declared: Declaration, before: Mapping[str, str], said: Mapping[str, str]
) -> dict[str, Setting]:
    """Return the settings of each MSS after the parameters `said` changed a system with those
    `before`. An MSS that filled the old MTU fills the new one; a smaller one stays if it fits. An
    MSS in `said` is left alone. Link and MTU may change in any order."""
    if not {MTU, LINK} & set(said) or MTU not in before:
        return {}
    mtu = read(declared.parameter(MTU), said[MTU]).text if MTU in said else before[MTU]
    old_B, new_B = _mtu_B(before[LINK], before[MTU]), _mtu_B(said.get(LINK, before[LINK]), mtu)
    found = {}
    for key in sorted(mss_keys(declared) - set(said)) if new_B != old_B else ():
        holds_B = new_B - HEADERS_B
        fills = int(before[key]) == old_B - HEADERS_B
        text = str(holds_B if fills else min(int(before[key]), holds_B))
        if text != before[key]:
            found[key] = Setting(text, "B", "derived", DERIVATION, text=text)
    return found


def _mtu_B(link: str, of_a_path: str) -> int:
    return int(of_a_path) if link == "path" else ETHERNET_B


def following_own(
    declared: Declaration, behind: Mapping[str, Setting], own: Mapping[str, Setting]
) -> dict[str, Setting]:
    """Return each MSS for the settings of profiles (`behind`) and the system's `own`."""
    defaults = {key: parameter.default for key, parameter in declared.parameters.items()}
    before = defaults | {key: setting.text for key, setting in behind.items()}
    return following(declared, before, {key: setting.text for key, setting in own.items()})
