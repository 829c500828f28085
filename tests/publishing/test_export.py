# SPDX-License-Identifier: GPL-2.0-only
"""Claims about `study export` and `study verify`: the archive says what is in it to a reader
without the project, and what is not as it was is named."""

import csv
import hashlib
import io
import json
import re
import tomllib
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from study import StudyError, systems
from study.base.project import ROOT
from study.publishing import archive as exported
from study.publishing.archive import DESCRIPTOR, NAME, SUMS, TABLE, Citation, archive
from study.publishing.verify import verify

SYSTEMS = ("telnet-xp", "netware")
BY = Citation(("A. Author", "B. Author"), "Some: where", "2026-01-02")


@pytest.fixture(scope="module")
def made(program: Path) -> bytes:
    return archive(SYSTEMS, BY)


@pytest.fixture(scope="module")
def files(made: bytes) -> dict[str, bytes]:
    return unzipped(made)


def unzipped(made: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(made)) as opened:
        return {name.removeprefix(f"{NAME}/"): opened.read(name) for name in opened.namelist()}


def zipped(files: dict[str, bytes], path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as out:
        for name, content in files.items():
            out.writestr(f"{NAME}/{name}", content)
    return path


def signed(files: dict[str, bytes]) -> dict[str, bytes]:
    """With checksums that are right for what is in it now."""
    descriptor = json.loads(files[DESCRIPTOR])
    for each in descriptor["resources"]:
        content = files[each["path"]]
        each["hash"] = f"sha256:{hashlib.sha256(content).hexdigest()}"
        each["bytes"] = len(content)
    made = files | {DESCRIPTOR: json.dumps(descriptor).encode()}
    sums = {name: hashlib.sha256(made[name]).hexdigest() for name in made if name != SUMS}
    return made | {SUMS: "".join(f"{digest}  {name}\n" for name, digest in sums.items()).encode()}


def verdict(path: Path) -> tuple[bool, str]:
    said: list[str] = []
    return verify(path, said.append), "\n".join(said)


def test_project_changelog_citation_and_archive_agree_on_the_version(files: dict[str, bytes]):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation, changelog = ((ROOT / name).read_text() for name in ("CITATION.cff", "CHANGELOG.md"))
    cited = dict(re.findall(r"^([a-z-]+): (\S+)$", citation, re.MULTILINE))
    newest = re.search(r"^## (\S+) \((\S+)\)$", changelog, re.MULTILINE)
    assert newest and newest.groups() == (cited["version"], cited["date-released"])
    assert (project["version"], project["license"]) == (cited["version"], cited["license"])
    described = json.loads(files[DESCRIPTOR])
    assert described["version"] == project["version"]
    assert f'version: "{project["version"]}"' in files["CITATION.cff"].decode()
    assert f"license: {project['license']}" in files["CITATION.cff"].decode()
    sections = re.findall(r"^###? (.+)$", changelog, re.MULTILINE)
    kinds = {each for each in sections if each[0].isalpha()}
    assert kinds == {"Added", "Changed", "Fixed"}


def test_it_is_the_same_to_the_byte(made: bytes):
    assert archive(SYSTEMS, BY) == made


def test_every_file_is_described_with_its_size_and_checksum(files: dict[str, bytes]):
    descriptor = json.loads(files[DESCRIPTOR])
    told = {each["path"]: each for each in descriptor["resources"]}
    assert told.keys() == files.keys() - {DESCRIPTOR, SUMS, "ro-crate-metadata.json"}
    for name, each in told.items():
        digest = hashlib.sha256(files[name]).hexdigest()
        assert (each["hash"], each["bytes"]) == (f"sha256:{digest}", len(files[name]))
        assert f"{digest}  {name}\n" in files[SUMS].decode()
    assert len({each["name"] for each in told.values()}) == len(told)


def test_every_column_of_the_tables_is_explained(files: dict[str, bytes]):
    told = {each["path"]: each for each in json.loads(files[DESCRIPTOR])["resources"]}
    readme = files["README.md"].decode()
    for name in (TABLE, "results/changes.csv", "parameters.csv", "sources.csv"):
        head = next(csv.reader(files[name].decode().splitlines()))
        fields = told[name]["schema"]["fields"]
        assert [field["name"] for field in fields] == head
        assert all(field["description"] for field in fields)
        assert all(f"| `{column}` | " in readme for column in head)


def test_it_has_the_rows_the_parameters_and_the_figures_of_its_systems(files: dict[str, bytes]):
    rows = list(csv.DictReader(files[TABLE].decode().splitlines()))
    assert len(rows) == sum(len(systems[name].measured) for name in SYSTEMS)
    keys = list(csv.DictReader(files["parameters.csv"].decode().splitlines()))
    assert len(keys) == sum(len(systems[name].settings) for name in SYSTEMS)
    assert {"figures/line-rate.svg", "figures/telnet-nagle.csv", "hosts/windows-xp.toml"} <= {
        *files
    }
    assert "figures/ladder.svg" not in files


def test_who_is_to_be_cited_stands_in_the_citation_file(files: dict[str, bytes]):
    text = files["CITATION.cff"].decode()
    assert 'name: "A. Author"' in text and 'affiliation: "Some: where"' in text
    assert 'date-released: "2026-01-02"' in text and text.startswith("# How")


def test_what_was_exported_here_is_equal_here(made: bytes, tmp_path: Path):
    path = tmp_path / "it.zip"
    path.write_bytes(made)
    same, said = verdict(path)
    count = sum(len(systems[name].measured) for name in SYSTEMS)
    assert same, said
    assert f"equal: {count} of {count} figures of 2 systems, run again" in said


def test_a_flipped_byte_is_named(files: dict[str, bytes], tmp_path: Path):
    svg = bytearray(files["figures/line-rate.svg"])
    svg[len(svg) // 2] ^= 1
    same, said = verdict(zipped(files | {"figures/line-rate.svg": bytes(svg)}, tmp_path / "z"))
    assert not same
    assert "differs: figures/line-rate.svg is not as it was exported: another checksum" in said


def test_a_flipped_byte_of_the_packed_file_is_named(made: bytes, tmp_path: Path):
    with zipfile.ZipFile(io.BytesIO(made)) as opened:
        info = opened.getinfo(f"{NAME}/figures/line-rate.pdf")
    packed = bytearray(made)
    packed[info.header_offset + 30 + len(info.filename) + info.compress_size // 2] ^= 1
    path = tmp_path / "it.zip"
    path.write_bytes(packed)
    same, said = verdict(path)
    assert not same
    assert "figures/line-rate.pdf" in said


def test_a_changed_number_is_named_although_its_checksum_was_made_anew(
    files: dict[str, bytes], tmp_path: Path
):
    rows = list(csv.DictReader(files[TABLE].decode().splitlines()))
    row = next(row for row in rows if row["simulated"])
    both = f"{row['closed_form']},{row['simulated']},"
    other = f"{row['closed_form']},77777.7,"
    changed = files[TABLE].replace(both.encode(), other.encode(), 1)
    same, said = verdict(zipped(signed(files | {TABLE: changed}), tmp_path / "z"))
    assert not same
    where = f"{row['system']}: {row['quantity']}, simulated"
    assert f"differs: {where}: 77777.7 there, {row['simulated']} here" in said
    assert "another checksum" not in said


def test_a_changed_parameter_is_named_with_what_it_changes(files: dict[str, bytes], tmp_path: Path):
    name = "systems/telnet-xp.toml"
    changed = files[name].replace(b"value = 50,", b"value = 49,", 1)
    assert changed != files[name]
    same, said = verdict(zipped(signed(files | {name: changed}), tmp_path / "z"))
    assert not same
    assert "differs: parameters.csv is not what the system files say" in said
    assert "differs: telnet-xp: " in said


def test_another_version_is_named(files: dict[str, bytes], tmp_path: Path, monkeypatch):
    own = exported.sidecar.versions()
    monkeypatch.setattr(exported.sidecar, "versions", lambda: own | {"numpy": "0.1"})
    same, said = verdict(zipped(files, tmp_path / "z"))
    assert not same
    assert f"differs: version of numpy: {own['numpy']} there, 0.1 here" in said


def test_a_file_that_is_missing_or_was_added_is_named(files: dict[str, bytes], tmp_path: Path):
    without = {name: content for name, content in files.items() if name != "LICENSE"}
    same, said = verdict(zipped(without | {"notes.txt": b"mine"}, tmp_path / "z"))
    assert not same
    assert "differs: LICENSE is missing" in said
    assert "differs: notes.txt was not exported" in said


def test_with_all_the_figures_and_changes_of_its_systems_are_made_again_and_no_others(
    tmp_path: Path,
):
    """One number of one figure was changed; a change of another system need not be run."""
    files = unzipped(archive(["telnet-xp"]))
    name = "figures/telnet-nagle.csv"
    changed = files[name].replace(b"finished", b"stalled", 1)
    said: list[str] = []
    assert not verify(zipped(signed(files | {name: changed}), tmp_path / "z"), said.append, True)
    count = 1 + sum(each.startswith("figures/") and each.endswith(".csv") for each in files)
    assert f"equal: {count - 1} of {count} figures' numbers and other tables, made again" in said
    assert [line for line in said if line.startswith("differs")] == [
        f"differs: {name} comes out otherwise here"
    ]


def descriptor(**entries: object) -> dict[str, bytes]:
    known = {"name": NAME, "format": 1, "resources": [], "versions": {}}
    return {DESCRIPTOR: json.dumps(known | entries).encode()}


NO_ARCHIVES = {
    "no descriptor": ({}, "it has no readable datapackage.json"),
    "no JSON": ({DESCRIPTOR: b"{"}, "datapackage.json: "),
    "a list": ({DESCRIPTOR: b"[]"}, "datapackage.json: "),
    "another's": (descriptor(name="x"), "is of x, format 1"),
    "a path outside": ({"../x": b""}, "would lie outside"),
    "nested too deep": ({DESCRIPTOR: b"[" * 100_000}, "is no archive of study"),
    "a path that is a list": (descriptor(resources=[{"path": [], "hash": ""}]), "is no archive of"),
    "versions in a list": (descriptor(versions=["3.44"]), "is no archive of study"),
    "a version of 3": (descriptor(versions={"ns3": 3}), "is no archive of study"),
}


@pytest.mark.parametrize(("content", "mentioned"), NO_ARCHIVES.values(), ids=NO_ARCHIVES)
def test_what_is_no_archive_is_refused(content: dict, mentioned: str, tmp_path: Path):
    with pytest.raises(StudyError) as error:
        verdict(zipped(content, tmp_path / "z"))
    assert mentioned in str(error.value) and "\n" not in str(error.value)


def test_folders_and_files_in_folders_of_systems_are_no_systems(tmp_path: Path):
    """As a packer leaves them who packed it again."""
    extra = {"systems/": b"", "systems/a/b.toml": b"", "systems/x.txt": b""}
    equal, said = verdict(zipped(descriptor() | extra, tmp_path / "z"))
    assert not equal and "systems/a/b.toml was not exported" in said


def test_an_encrypted_part_cannot_be_read(tmp_path: Path):
    """Bit 0 of a part's general purpose flags; the standard library asks for a password then."""
    path = zipped(descriptor(), tmp_path / "z")
    data = bytearray(path.read_bytes())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + flags] |= 1
    path.write_bytes(data)
    with pytest.raises(StudyError, match=r"no readable datapackage\.json"):
        verdict(path)


def test_an_archive_larger_than_memory_is_refused(made: bytes, tmp_path: Path, monkeypatch):
    """By what its directory says, before anything is unpacked."""
    path = tmp_path / "large.zip"
    path.write_bytes(made)
    monkeypatch.setattr("study.publishing.own.MOST_B", 1000)
    with pytest.raises(StudyError, match="no archive of study export: more than 1,000 B"):
        verify(path, print)


def test_no_flipped_bit_is_a_traceback(tmp_path: Path):
    """Of a packed archive, each in turn: a header's, a length's, the data's, a method's."""
    path = tmp_path / "z"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr(f"{NAME}/{DESCRIPTOR}", descriptor()[DESCRIPTOR])
    whole = path.read_bytes()
    for bit in range(8 * len(whole)):
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        path.write_bytes(data)
        with suppress(StudyError):
            verdict(path)


def test_a_file_that_is_no_zip_file_is_refused(tmp_path: Path):
    (tmp_path / "z").write_text("no")
    for path in (tmp_path / "z", tmp_path / "none"):
        with pytest.raises(StudyError):
            verdict(path)


@pytest.mark.parametrize(
    ("names", "date", "mentioned"),
    [(("telnet-yp",), "", "telnet-yp"), ((), "2026-13-01", "--date = '2026-13-01'")],
)
def test_what_cannot_be_exported_is_refused(names: tuple, date: str, mentioned: str):
    with pytest.raises(StudyError) as error:
        exported.check(names, date)
    assert mentioned in str(error.value)
