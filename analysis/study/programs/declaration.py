# SPDX-License-Identifier: GPL-2.0-only
"""What a scenario says of itself with --describe: its parameters and results, declared once, in its
C++ source."""

import json
import re
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from study.base.errors import Refused, StudyError, unknown
from study.base.project import MODULE, scenario_program, scenarios, shown

FORMAT = 1
# A C++ name of several words, as ReceiveWindow: one of a single word, as Nagle, is English, too.
CPP_NAME = re.compile(r"\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b")
# Types that are neither a number nor a choice, with their format.
TEXTS = {
    "queue-size": "packets, as in 100p, or bytes, as in 64000B",
    "packet-list": "packet numbers from 1 on, as in 5,17, or none",
    "turn-list": "who writes, after how many us, how many bytes, as in c50000:120,s30000:2000, or"
    " none",
}


@dataclass(frozen=True)
class Parameter:
    """One parameter. Values, default and range are texts in ns-3's notation ("117ms", "10Mbps",
    "2920")."""

    name: str
    flag: str
    key: str
    group: str
    type: str
    unit: str
    default: str
    min: str
    max: str
    choices: tuple[str, ...]
    help: str
    instead_of: str = ""  # the flag of a parameter that is an alternative to this one
    word: str = ""  # text for "no limit" in place of a number
    short: str = ""  # a second, shorter flag for people
    scenario: str = ""  # the scenario whose program reads its values

    def __hash__(self) -> int:
        """Hash two fields that nearly always differ: a sweep hashes parameters for every value."""
        return hash((self.key, self.default))

    def text(self, value: object) -> str:
        """Return a Python value in the program's notation, unchecked."""
        if hasattr(value, "item"):  # numpy's
            value = value.item()
        if isinstance(value, (list, tuple)):
            value = ",".join(map(str, value))
        if isinstance(value, bool):
            return str(value).lower()
        return str(value)

    def refused(self, sentence: str) -> Refused:
        """Return the error for a program's message about a value, which begins with the flag."""
        return Refused(self.flag, sentence.removeprefix(f"{self.flag}: "), short=self.short)

    def allowed(self) -> str:
        """Return the allowed values for a help text."""
        if self.choices:
            return " or ".join(self.choices)
        if self.type == "boolean":
            return "true or false"
        if self.type in TEXTS:
            return TEXTS[self.type]
        if not (self.min and self.max):
            return ""
        word = f" or {self.word}" if self.word else ""
        return self.with_unit(f"{self.min} to {self.max}") + word

    def with_unit(self, text: str) -> str:
        """Return a value with its unit, unless the text has one: times and rates do."""
        return f"{text} {self.unit}" if text and self.unit in ("B", "bit", "MHz") else text


@dataclass(frozen=True)
class Limit:
    """A limit that a sender can wait for: its words, its look in figures, and its reliefs.

    A relief is one or more changes made together, separated by spaces: `key*4`, `key/4`,
    `key=value` or `key>=other`. `behind` has changes of what else may cause the wait.
    """

    key: str
    place: int  # its order in figures
    words: str
    plain: str
    german: str
    who: str
    unseen: str
    colour: str
    hatch: str
    at_end: bool  # only after all data is sent
    reliefs: tuple[str, ...]
    behind: tuple[str, ...]


@dataclass(frozen=True)
class Declaration:
    """A scenario's declaration; `text` is the JSON that the program printed."""

    scenario: str
    help: str
    parameters: dict[str, Parameter]
    text: str
    ns3: str = ""
    results: dict[str, str] = field(default_factory=dict)  # key to unit
    files: tuple[str, ...] = ()  # flags that name files which a run can write
    limits: dict[str, Limit] = field(default_factory=dict)

    def parameter(self, key: str) -> Parameter:
        """Return the parameter with that key or short flag. Raise StudyError if there is none."""
        if key in self.parameters:
            return self.parameters[key]
        for each in self.parameters.values():
            if key == each.short != "":
                return each
        raise unknown("parameter", key, self.parameters)

    def help_of(self, parameter: Parameter) -> str:
        """Return a parameter's help, with flags in place of the C++ names of other parameters. An
        end's group, as client, replaces Host in the names of its parameters."""
        flags = {each.name: f"--{each.flag}" for each in self.parameters.values()}

        def flag(found: re.Match[str]) -> str:
            own = parameter.group.capitalize() + found[0].removeprefix("Host")
            return flags.get(own) or flags.get(found[0], found[0])

        return CPP_NAME.sub(flag, parameter.help)

    def alternative(self, key: str) -> str:
        """Return the key of the alternative to a parameter, empty without one."""
        other = self.parameters[key].instead_of if key in self.parameters else ""
        return next((each.key for each in self.parameters.values() if each.flag == other), "")


def check_format(scenario: str, speaks: int) -> None:
    """Raise StudyError if the program's format has another version."""
    if speaks != FORMAT:
        raise StudyError(f"build/{scenario} speaks format {speaks}, not {FORMAT}: run ./waf build")


@cache
def declaration(scenario: str) -> Declaration:
    """Return a scenario's declaration. The program is asked once in a process."""
    program = scenario_program(scenario)
    try:
        answer = _described(scenario, program)
        answer.check_returncode()
        fields = json.loads(answer.stdout)
        check_format(scenario, fields["format"])
        by_key = {entry["key"]: _parameter(entry, scenario) for entry in fields["parameters"]}
        results = {entry["key"]: entry["unit"] for entry in fields["results"]}
        names = (fields["scenario"], fields["help"], by_key, answer.stdout)
        limits = {entry["key"]: _limit(entry) for entry in fields["limits"]}
        return Declaration(*names, fields["ns3"], results, tuple(fields["files"]), limits)
    except (OSError, subprocess.CalledProcessError, ValueError, KeyError, TypeError) as error:
        what = f"{shown(program)} --describe gives no declaration ({type(error).__name__})"
        raise StudyError(f"{what}: run ./waf build") from error


def _described(scenario: str, program: Path) -> "subprocess.CompletedProcess[str]":
    if program == MODULE:
        from study.programs import wasm_instance

        return wasm_instance.completed(scenario, ["--describe"])
    return subprocess.run([program, "--describe"], capture_output=True, text=True)


def _parameter(entry: dict, scenario: str) -> Parameter:
    fields = {name: entry[name] for name in Parameter.__dataclass_fields__ if name in entry}
    return Parameter(**fields | {"choices": tuple(entry["choices"]), "scenario": scenario})


def _limit(entry: dict) -> Limit:
    made = {name: tuple(entry[name]) for name in ("reliefs", "behind")}
    made["at_end"] = bool(entry["at_end"])
    return Limit(**{name: entry[name] for name in Limit.__dataclass_fields__} | made)


def all_limits() -> dict[str, Limit]:
    """Return the limits of all scenarios, in the order of figures."""
    found = [each for name in scenarios() for each in declaration(name).limits.values()]
    return {each.key: each for each in sorted(found, key=lambda each: each.place)}
