# SPDX-License-Identifier: GPL-2.0-only
# ruff: noqa: F811 - fixtures
"""What `./waf ns3 --train` promises, shown with the stand-in for ns-3's source of test_own_ns3."""

import json
import os
import subprocess
from pathlib import Path

import ns3_profile

from tests.copies import assert_one_sentence, waf
from tests.test_own_ns3 import source, tree  # noqa: F401

# A scenario that answers each line of a batch.
SCENARIO = """#include "ns3/simulator.h"
#include <iostream>
#include <string>
[[gnu::noinline]] static int Third(int number)
{
    return number % 3 ? number : 0;
}
int main(int argc, char**)
{
    for (int turn = 0; turn < 5000; ++turn)
    {
        argc += Third(turn) > 0;
    }
    for (std::string line; argc > 0 && std::getline(std::cin, line);)
    {
        std::cout << (Third(line.size()) ? "long " : "short ") << line << std::endl;
        ns3::Simulator::Schedule(1, [] {});
        ns3::Simulator::Run();
    }
    std::cout << NS3_STUDY_NS3_KIND << std::endl;
}
"""


def test_a_profile_of_runs_is_made_once_and_used_by_what_is_compiled_from_then_on(
    tree: Path, source: Path
):
    program = tree / "scenarios" / "answer" / "answer.cc"
    program.parent.mkdir()
    program.write_text(SCENARIO)
    plain = waf(tree, "ns3", f"--source={source}").stdout
    assert "LTO \n" in plain and ", profile" not in plain
    made = waf(tree, "ns3", "--train", f"--source={source}")
    assert made.returncode == 0, made.stdout + made.stderr
    assert "running the scenarios for a profile" in made.stdout
    kind = "static, asserts off, logs off, LTO, profile"
    assert f"{kind} \n" in made.stdout
    in_use = tree / ".ns3" / "in-use"
    # simulator.cc and tcp-socket-base.cc, of which a run enters the first.
    assert json.loads((in_use / "ns3.json").read_text())["profile"] == 2
    (counts,) = (in_use / "profile").glob("*.gcda")
    assert counts.name == "scenarios#answer#answer.cc.1.gcda"
    assert not list(in_use.glob("counting")) + list(in_use.glob("training"))
    assert "was there already" in waf(tree, "ns3", "--train", f"--source={source}").stdout
    # It is used, and what has changed since is compiled without a word.
    assert "warning" not in compiled(tree).lower()
    guided = (tree / "build/scenarios/answer/answer.cc.1.o").read_bytes()
    program.write_text(SCENARIO.replace("% 3 ?", "% 3 && number > 1 && number < 99 ?"))
    assert "warning" not in compiled(tree).lower()
    answered = subprocess.run(
        [tree / "build" / "answer", "--batch"], input="ab\nabc\n", capture_output=True, text=True
    )
    assert answered.stdout == f"long ab\nshort abc\n{kind}\n"
    (tree / "build/scenarios/answer/answer.cc.1.gcda").unlink()
    program.write_text(SCENARIO)
    assert "warning" not in compiled(tree).lower()
    assert (tree / "build/scenarios/answer/answer.cc.1.o").read_bytes() != guided


def compiled(tree: Path) -> str:
    """What the compiler says of a build that succeeds."""
    done = waf(tree, "build")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_where_there_can_be_no_profile_one_line_says_why(tree: Path, source: Path):
    here, target = "g++ (Debian) 12.2.0", f"{os.uname().machine}-linux-gnu"
    assert ns3_profile.why_not(here, target) == ""
    assert ns3_profile.why_not("Debian clang version 14.0.6", target) == "it takes g++"
    assert "arm-none-eabi do not run here" in ns3_profile.why_not(here, "arm-none-eabi")
    line = "waf: no profile guides the compiler: "
    told = waf(tree, "ns3", "--train", f"--source={source}").stdout
    assert f"{line}there is no scenario to run\n" in told and ", profile" not in told
    assert_one_sentence(waf(tree, "build", "--train"), "options of `./waf ns3`")
