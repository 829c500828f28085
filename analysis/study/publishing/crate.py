# SPDX-License-Identifier: GPL-2.0-only
"""ro-crate-metadata.json: what an archive holds in the words of RO-Crate 1.1, made of its
Frictionless descriptor. https://www.researchobject.org/ro-crate/specification/1.1/"""

import json
from collections.abc import Mapping, Sequence

FILE = "ro-crate-metadata.json"
SPECIFICATION = "https://w3id.org/ro/crate/1.1"
LICENSE = "https://spdx.org/licenses/GPL-2.0-only"


def crate(descriptor: Mapping, authors: Sequence[str], affiliation: str, date: str) -> bytes:
    """Return the metadata file of an archive with this descriptor. RO-Crate requires the
    publication date, which an archive has only if it was given. Authors are persons, with their
    affiliation if given. The programs behind the numbers are one `CreateAction` with their versions
    as instruments."""
    persons = [_person(name, affiliation) for name in authors]
    if affiliation:
        persons.append({"@id": "#affiliation", "@type": "Organization", "name": affiliation})
    tools = [
        {"@id": f"#{name}", "@type": "SoftwareApplication", "name": name, "version": number}
        for name, number in descriptor["versions"].items()
    ]
    parts = [
        {
            "@id": each["path"],
            "@type": "File",
            "name": each["path"],
            "encodingFormat": each["mediatype"],
            "contentSize": str(each["bytes"]),
            "sha256": each["hash"].removeprefix("sha256:"),
        }
        for each in descriptor["resources"]
    ]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": descriptor["title"],
        "description": "Measured transfers beside their simulation in ns-3, with every parameter,"
        " its source, and what the runs gave.",
        **({"datePublished": date} if date else {}),
        "version": descriptor["version"],
        "license": {"@id": LICENSE},
        "author": [{"@id": f"#{name}"} for name in authors],
        "hasPart": _refer(parts),
        "mentions": {"@id": "#runs"},
    }
    action = {
        "@id": "#runs",
        "@type": "CreateAction",
        "name": "Simulated runs, tables and figures",
        "instrument": _refer(tools),
        "result": {"@id": "./"},
    }
    licence = {"@id": LICENSE, "@type": "CreativeWork", "name": "GPL-2.0-only"}
    itself = {
        "@id": FILE,
        "@type": "CreativeWork",
        "conformsTo": {"@id": SPECIFICATION},
        "about": {"@id": "./"},
    }
    graph = [itself, root, licence, action, *tools, *persons, *parts]
    made = {"@context": f"{SPECIFICATION}/context", "@graph": graph}
    return (json.dumps(made, indent=1) + "\n").encode()


def _person(name: str, affiliation: str) -> dict[str, object]:
    found: dict[str, object] = {"@id": f"#{name}", "@type": "Person", "name": name}
    return found | ({"affiliation": {"@id": "#affiliation"}} if affiliation else {})


def _refer(entities: Sequence[Mapping]) -> list[dict[str, str]]:
    return [{"@id": each["@id"]} for each in entities]
