# SPDX-License-Identifier: GPL-2.0-only
"""Claims about "What helps": the page reads the table of limits as `study explain` does."""

import pytest
from study.catalogue import systems
from study.kit import controls
from study.kit.scenario import plans
from study.programs.declaration import declaration
from study.programs.values import read, readable
from study.system.system import System
from study.trials.reliefs import relief

from tests.front.scripts import NODE, in_node

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")
FILES = ["words.js", "small.js", "exchange.js", "controls.js", "changes.js"]
EACH = """
const answer = data.reliefs.map((text) => {
  const own = (key) => data.controls[key]?.own;
  return Object.entries(relieved(text, data.controls, new Set(), own));
})
"""
ON_PATH = {"link": "path", "rtt": "600ms", "path_rate": "10Mbps", "receive_window": 65535}


def of_page(system: System) -> tuple[list[str], list[dict[str, str]]]:
    """All reliefs of the scenario, and what the page makes of them."""
    declared = declaration(system.scenario)
    made = controls.form(declared, plans()[system.scenario], system.parameters())
    by_key = {each["key"]: each for part in made["sections"] for each in part["controls"]}
    limits = declared.limits.values()
    texts = sorted({text for each in limits for text in (*each.reliefs, *each.behind)})
    return texts, in_node(FILES, EACH, {"controls": by_key, "reliefs": texts}), by_key.keys()


@pytest.mark.parametrize("name", ["hawking-hps1u", "relook-400s", "telnet-xp", "netware"])
@pytest.mark.parametrize("is_path", [False, True])
def test_the_page_makes_of_a_relief_what_explain_makes_of_it(program, name: str, is_path: bool):
    own = systems[name]
    keys = own.parameters().keys()
    changes = {key: value for key, value in ON_PATH.items() if key in keys and is_path}
    system = own.with_(**changes)
    declared = declaration(system.scenario)
    texts, found, known = of_page(system)
    told = 0
    for text, pairs in zip(texts, found, strict=True):
        wanted = relief(system, text)
        if wanted and next(iter(wanted)) in known:  # what no control has is left out
            told += 1
            here = {key: each for key, each in wanted.items() if key in known}
            canonical = {key: _short(declared.parameter(key), each) for key, each in pairs}
            assert canonical == {k: _short(declared.parameter(k), t) for k, t in here.items()}, text
    assert told > 3


def _short(parameter: object, text: str) -> str:
    return readable(parameter, read(parameter, text).text)


def test_a_window_beyond_64_kb_comes_with_its_scaling_at_both_ends(program):
    """RFC 7323, 2.2; and with SACK, for what a queue that overflows loses."""
    system = systems["hawking-hps1u"].with_host("linux-6").with_(**ON_PATH)
    texts, found, _ = of_page(system)
    larger = next(
        each for text, each in zip(texts, found, strict=True) if "receive_window*" in text
    )
    assert [key for key, _ in larger] == ["receive_window", "device_window_scale", "device_sack"]
    assert dict(larger)["receive_window"] == "262140"
