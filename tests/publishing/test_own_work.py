# SPDX-License-Identifier: GPL-2.0-only
"""Claims about `study export` of an author's own systems, captures and sweeps: others can run them
again, and what is not as it was is named."""

import json
from pathlib import Path

import pandas as pd
import pytest
from study import StudyError, systems
from study.base.project import ROOT
from study.publishing import archive as exported
from study.publishing.archive import DESCRIPTOR, SUMS, Citation, archive
from study.publishing.own import RUNS

from tests.publishing.test_export import signed, unzipped, verdict, zipped

CAPTURE = ROOT / "results" / "captures" / "slow-reader.before.client.pcap.gz"
SYSTEM = """
title = "An own printer"
scenario = "print-job"
host = "linux-6"

[parameters]
receive_window = "5840"
ack_latency = "40ms"
job_size = "200kB"

[[measured]]
quantity = "rate of the whole job"
kind = "whole_job_rate"
used_as = "prediction"
value = 120
unit = "kB/s"
basis = "measured"
source = "notes"
"""


@pytest.fixture(scope="module")
def folder(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A system, a sweep of it and a capture."""
    made = tmp_path_factory.mktemp("own")
    (made / "printer.toml").write_text(SYSTEM)
    table = systems[str(made / "printer.toml")].sweep(receive_window=["1460", "5840", "8760"])
    table.to_parquet(made / "windows.parquet")
    (made / CAPTURE.name).write_bytes(CAPTURE.read_bytes())
    return made


@pytest.fixture(scope="module")
def files(folder: Path) -> dict[str, bytes]:
    names = [str(path) for path in sorted(folder.iterdir())]
    exported.check(names, "")
    made = archive(names, Citation(("A. Author",), "A school", "2026-01-02"))
    assert archive(names, Citation(("A. Author",), "A school", "2026-01-02")) == made
    return unzipped(made)


def test_what_an_author_brings_is_run_again(files: dict[str, bytes], tmp_path: Path):
    """The system, the one that fits the capture, its facts, and the points of the sweep."""
    same, said = verdict(zipped(files, tmp_path / "z"))
    assert same, said
    for told in (
        "2 of 2 figures of 2 systems, run again",
        "jobs of 2 systems of the author's own, run again",
        f"what the packets of captures/{CAPTURE.name} show",
        "3 of 3 points of sweeps/windows.parquet, run again",
    ):
        assert f"equal: {told}" in said


def test_a_number_that_no_run_gives_is_named(files: dict[str, bytes], folder: Path, tmp_path: Path):
    """One of each kind, with checksums that are right for it."""
    table = pd.read_parquet(folder / "windows.parquet")
    table.loc[1, "throughput_Bps"] += 1
    table.to_parquet(tmp_path / "changed")
    facts = f"captures/{CAPTURE.name.removesuffix('.pcap.gz')}.json"
    changed = {
        "sweeps/windows.parquet": (tmp_path / "changed").read_bytes(),
        RUNS: files[RUNS].replace(b"finished", b"stalled", 1),
        facts: files[facts].replace(b'"value": ', b'"value": 1', 1),
    }
    same, said = verdict(zipped(signed(files | changed), tmp_path / "z"))
    assert not same
    differs = [line for line in said.splitlines() if line.startswith("differs")]
    assert differs == [
        "differs: jobs of 2 systems of the author's own, run again",
        f"differs: what the packets of captures/{CAPTURE.name} show",
        "differs: 3 of 3 points of sweeps/windows.parquet, run again",
    ]


def test_a_damaged_sweep_is_a_difference(files: dict[str, bytes], tmp_path: Path):
    same, said = verdict(
        zipped(signed(files | {"sweeps/windows.parquet": b"PAR1"}), tmp_path / "z")
    )
    assert not same and "differs: sweeps/windows.parquet cannot be looked at here" in said


def test_the_crate_has_every_file_its_authors_and_what_made_it(files: dict[str, bytes]):
    """By RO-Crate 1.1: a descriptor about the root, and the root's parts with their sizes."""
    graph = {each["@id"]: each for each in json.loads(files["ro-crate-metadata.json"])["@graph"]}
    assert graph["ro-crate-metadata.json"]["about"] == {"@id": "./"}
    root = graph["./"]
    parts = {each["@id"] for each in root["hasPart"]}
    assert parts == set(files) - {"ro-crate-metadata.json", DESCRIPTOR, SUMS}
    assert all(graph[name]["contentSize"] == str(len(files[name])) for name in parts)
    assert graph[root["author"][0]["@id"]]["affiliation"] == {"@id": "#affiliation"}
    assert root["datePublished"] == "2026-01-02"
    tools = {each["@id"] for each in graph["#runs"]["instrument"]}
    assert "#ns-3" in tools and tools <= set(graph)


def test_what_cannot_be_archived_is_refused(folder: Path, tmp_path: Path):
    """A table that does not say its system, a name that is taken, and what is not there."""
    taken = tmp_path / "netware.toml"
    taken.write_text(SYSTEM)
    for name, told in {
        "windows.csv": "a CSV table does not say its system",
        str(taken): "would take the place of the study's system of that name",
        "none.pcap": "there is no such file",
    }.items():
        with pytest.raises(StudyError, match=told):
            exported.check([name], "")
    pd.DataFrame({"a": [1]}).to_parquet(tmp_path / "foreign.parquet")
    with pytest.raises(StudyError, match="is no table of study sweep"):
        archive([str(tmp_path / "foreign.parquet")])
