# SPDX-License-Identifier: GPL-2.0-only
"""Compatibility of GPL-2.0-only with the contents of each distributed file: `python -m
study.publishing.licences` writes docs/reference/licences.md from the metadata of the installed
packages."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from tabulate import tabulate

from study.base.errors import StudyError
from study.base.project import ROOT, shown, write_whole
from study.base.templates import templates

PAGE = ROOT / "docs" / "reference" / "licences.md"
NOTICES = ROOT / "analysis" / "study" / "engine" / "notices.txt"
# Contents of a container: containers/set-up.sh installs these.
LOCKS = ("requirements.lock", "requirements-notebooks.lock")
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)(?: ; (.*?))?(?: \\)?$", re.MULTILINE)
# Libraries inside the wheel of ns-3; its metadata does not name them.
IN_NS3_WHEEL = {
    "gsl": "GPL-3.0-or-later",
    "gslcblas": "GPL-3.0-or-later",
    "sqlite3": "public domain",
    "xml2": "MIT",
    "lzma": "public domain",
}

# By the Free Software Foundation's list of licences (gnu.org/licenses/license-list.html).
WITH_NOTICE = "goes together; its notice stays with it"
VERDICTS = {
    r"GPL-2\.0|GPLv2": "the same licence",
    r"GPL-3\.0": "**not in one program**: GPL-3.0 has terms that GPL-2.0 alone does not allow",
    r"MPL": "goes together: its section 3.3 allows the GPL-2.0 for the whole",
    r"MIT|BSD|ISC|Python Software Foundation|PSF|Zlib|CC0|0BSD|public domain": WITH_NOTICE,
    r"Apache": "**not in one program**: its patent terms are a further restriction (section 6)",
}
ALTERNATIVES = re.compile(r"\)? OR \(?")


@dataclass(frozen=True)
class Part:
    """A package in a distributed file, with its licence by its metadata."""

    name: str
    version: str
    licence: str

    @property
    def verdict(self) -> str:
        """The worst verdict of all its licences; the best one of alternatives."""
        parts = re.split(r" AND |; ", self.licence)
        found = [min(map(_verdict, ALTERNATIVES.split(part)), key=_badness) for part in parts]
        return max(found, key=_badness)


def _verdict(licence: str) -> str:
    for pattern, verdict in VERDICTS.items():
        if re.search(pattern, licence):
            return verdict
    raise StudyError(f"no verdict on the licence {licence!r}: add one to {Path(__file__).name}")


def _badness(verdict: str) -> tuple[bool, bool]:
    return verdict.startswith("**"), verdict != WITH_NOTICE


def licence(name: str) -> str:
    """Return a package's licence by its metadata: an expression, classifiers, a word or a file."""
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        raise StudyError(f"{name} is not installed: `./waf notebooks --html` installs it") from None
    if expression := about.get("License-Expression"):
        return expression
    classes = [each for each in about.get_all("Classifier") or [] if each.startswith("License")]
    told = [each.rpartition(" :: ")[2] for each in classes if not each.endswith("OSI Approved")]
    return "; ".join(told) or (about.get("License") or _title_of_file(name)).splitlines()[0]


def _title_of_file(name: str) -> str:
    """Return the first line of a package's licence file, if its metadata has only that."""
    files = metadata.distribution(name).files or []
    texts = (each.read_text() for each in files if each.name.startswith("LICENSE"))
    return next(texts, "nothing told")


def parts(*locks: str) -> Iterator[Part]:
    """Yield the packages of these lock files once each, for this operating system only."""
    seen = set()
    for lock in locks:
        for name, version, marker in PINNED.findall((ROOT / lock).read_text(encoding="utf-8")):
            elsewhere = "sys_platform" in marker and "linux" not in marker
            if name not in seen and not elsewhere:
                seen.add(name)
                yield Part(name, version, licence(name))


def of_the_wheel() -> list[Part]:
    """Return the libraries inside the wheel of ns-3."""
    files = metadata.files("ns3") or []
    found = {each.name.split(".so")[0].rpartition("-")[0].removeprefix("lib") for each in files}
    wheel = metadata.version("ns3")
    names = [name for name in IN_NS3_WHEEL if name in found]
    return [Part(name, f"in ns3 {wheel}", IN_NS3_WHEEL[name]) for name in names]


def table(found: list[Part]) -> str:
    """Return a table of parts with their verdicts, incompatible ones first."""
    rows = sorted(found, key=lambda part: (not _badness(part.verdict)[0], part.name))
    cells = [(each.name, each.version, each.licence, each.verdict) for each in rows]
    heads = ("package", "version", "licence", "with GPL-2.0-only")
    return tabulate(cells, heads, "pipe", disable_numparse=True)


def page() -> str:
    """Return the text of the page."""
    environment = templates(Path(__file__).parent)
    environment.autoescape = False
    return environment.get_template("licences.jinja").render(
        container=table([*parts(*LOCKS), *of_the_wheel()]),
        page=NOTICES.read_text(encoding="utf-8").split("\nThe licence of MIT")[0].strip(),
    )


if __name__ == "__main__":
    try:
        write_whole({PAGE: page().encode()})
    except StudyError as error:
        sys.exit(f"licences: {error}")
    print(shown(PAGE))
