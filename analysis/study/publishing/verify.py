# SPDX-License-Identifier: GPL-2.0-only
"""`study verify`: compares an archive of `study export` with its checksums, and its systems'
numbers with new runs on this machine."""

import json
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath

from study import figures
from study.answers import changes
from study.base.errors import StudyError
from study.base.project import HOSTS, check_no_device
from study.judging import closed_forms, reproduction
from study.kernel import kernel_comparison
from study.kit.systems import load
from study.publishing import archive, crate, own
from study.publishing.archive import DESCRIPTOR, FORMAT, NAME, SUMS, TABLE, Files
from study.system.system import System

Say = Callable[[str], None]
MOST_DIFFERENCES = 20  # differences that are named; the rest are counted
# zipfile's exceptions for a part that is damaged, encrypted (RuntimeError) or packed by an unknown
# method (NotImplementedError).
UNREADABLE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError)


@dataclass
class Found:
    """Equal and different parts."""

    equal: list[str] = field(default_factory=list)
    differs: list[str] = field(default_factory=list)

    def note(self, told: str, same: bool) -> None:
        """Add a part to the equal or to the different ones."""
        (self.equal if same else self.differs).append(told)


def verify(path: Path, say: Say, everything: bool = False) -> bool:
    """Report through `say` what is equal and what differs, and return whether nothing differs. With
    `everything` the figures and other tables are also made anew, which takes minutes."""
    files, damaged = _read(path)
    descriptor = _descriptor(path, files)
    found = Found(differs=damaged)
    _sums(files, descriptor, found)
    with tempfile.TemporaryDirectory() as folder:
        chosen = dict(_loaded(files, Path(folder), found))
        _versions(descriptor, chosen, found)
        _again(files, chosen, found)
    for told, same in own.again(files, everything):
        found.note(told, same)
    if everything:
        _others(files, found)
    else:
        say("only checksums: figures and other tables; --all makes them anew")
    for line in found.equal:
        say(f"equal: {line}")
    for line in found.differs[:MOST_DIFFERENCES]:
        say(f"differs: {line}")
    if found.differs[MOST_DIFFERENCES:]:
        say(f"and {len(found.differs) - MOST_DIFFERENCES} more differences")
    return not found.differs


def _read(path: Path) -> tuple[Files, list[str]]:
    """Return the archive's files by name, and the names of unreadable ones."""
    files: Files = {}
    damaged = []
    check_no_device(path)
    try:
        with zipfile.ZipFile(path) as opened:
            if sum(each.file_size for each in opened.infolist()) > own.MOST_B:
                raise StudyError(
                    f"{path} is no archive of study export: more than {own.MOST_B:,} B"
                )
            for name in opened.namelist():
                if name.endswith("/"):
                    continue  # a folder, from whoever repacked it
                inside = name.removeprefix(f"{NAME}/")
                if ".." in PurePosixPath(inside).parts or inside.startswith("/"):
                    raise StudyError(
                        f"{path}: {name} would lie outside: no archive of study export"
                    )
                try:
                    files[inside] = opened.read(name)
                except UNREADABLE as error:
                    damaged.append(f"{inside} cannot be read: {error}")
    except OSError as error:
        raise StudyError(f"cannot read {path}: {error.strerror or error}") from error
    except UNREADABLE as error:
        raise StudyError(f"{path} is no archive of study export: {error}") from error
    return files, damaged


def _descriptor(path: Path, files: Files) -> dict:
    if DESCRIPTOR not in files:
        raise StudyError(f"{path} is no archive of study export: it has no readable {DESCRIPTOR}")
    try:
        found = json.loads(files[DESCRIPTOR])
        told = found["name"], found["format"]
        texts = [each[name] for each in found["resources"] for name in ("path", "hash")]
        texts += [text for pair in found.get("versions", {}).items() for text in pair]
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("a path, a hash or a version is no text")
    except RecursionError as error:
        what = f"{DESCRIPTOR} is nested too deep"
        raise StudyError(f"{path} is no archive of study export: {what}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StudyError(f"{path} is no archive of study export: {DESCRIPTOR}: {error}") from error
    if told != (NAME, FORMAT):
        known = f"this version reads format {FORMAT} of {NAME}"
        raise StudyError(f"{path}: {DESCRIPTOR} is of {told[0]}, format {told[1]}; {known}")
    return found


def _sums(files: Files, descriptor: dict, found: Found) -> None:
    """Compare every file with its checksum."""
    told = {each["path"]: each["hash"] for each in descriptor["resources"]}
    lines = files.get(SUMS, b"").decode("utf-8", "replace").splitlines()
    of = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    for name in (DESCRIPTOR, crate.FILE):  # the descriptor cannot list these
        told[name] = f"sha256:{of.get(name, 'missing')}"
    right = 0
    for name, digest in told.items():
        if name not in files:
            found.differs.append(f"{name} is missing")
        elif f"sha256:{sha256(files[name]).hexdigest()}" != digest:
            found.differs.append(f"{name} is not as it was exported: another checksum")
        else:
            right += 1
    for name in sorted(files.keys() - told.keys() - {SUMS}):
        found.differs.append(f"{name} was not exported")
    found.equal.append(f"checksums of {right} of {len(told)} files")


def _versions(descriptor: dict, chosen: dict[str, System], found: Found) -> None:
    """Compare the versions in the archive with those here."""
    here, there = archive.versions(chosen.values()), descriptor.get("versions", {})
    for name in sorted({*here, *there}):
        if here.get(name) != there.get(name):
            found.differs.append(
                f"version of {name}: {there.get(name, 'none')} there, {here.get(name, 'none')} here"
            )
    same = sum(here.get(name) == there.get(name) for name in there)
    found.equal.append(f"{same} of {len(there)} versions")


def _names(files: Files) -> list[str]:
    parts = map(PurePosixPath, files)
    return [each.stem for each in parts if each.match("systems/*.toml") and len(each.parts) == 2]


def _again(files: Files, chosen: dict[str, System], found: Found) -> None:
    """Run the archive's systems here and compare their rows."""
    for name in files:
        here = HOSTS / Path(name).name
        if name.startswith("hosts/") and (not here.exists() or here.read_bytes() != files[name]):
            found.differs.append(f"{name} is not this version's, which is what is run")
    if files.get("parameters.csv") != archive.parameters(chosen):
        found.differs.append("parameters.csv is not what the system files say")
    else:
        found.equal.append(f"parameters of {len(chosen)} systems")
    _rows(files, chosen, found)
    if own.RUNS in files:
        ours = list(archive.systems)
        theirs = {name: each for name, each in chosen.items() if name not in ours}
        told = f"jobs of {len(theirs)} systems of the author's own, run again"
        found.note(told, own.runs(theirs) == files[own.RUNS])


def _loaded(files: Files, folder: Path, found: Found) -> Iterator[tuple[str, System]]:
    for name in _names(files):
        path = folder / f"{name}.toml"
        path.write_bytes(files[f"systems/{name}.toml"])
        try:
            yield name, load(path)
        except StudyError as error:
            found.differs.append(f"systems/{name}.toml cannot be run here: {error}")


def _rows(files: Files, chosen: dict[str, System], found: Found) -> None:
    try:
        there = reproduction.from_csv(files.get(TABLE, b"").decode())
    except (StudyError, UnicodeDecodeError) as error:
        found.differs.append(f"{TABLE} cannot be read: {error}")
        return
    here = {(row["system"], row["quantity"]): row for row in reproduction.rows_of(chosen)}
    same = 0
    for row in there:
        key = (row["system"], row["quantity"])
        now = here.pop(key, None)
        if now is None:
            found.differs.append(f"{': '.join(key)} is not among what is run here")
            continue
        columns = [name for name in row if row[name] != now[name]]
        for name in columns:
            found.differs.append(
                f"{': '.join(key)}, {name}: {row[name] or 'nothing'} there, "
                f"{now[name] or 'nothing'} here"
            )
        same += not columns
    for key in here:
        found.differs.append(f"{': '.join(key)} is not in {TABLE}")
    found.equal.append(f"{same} of {len(there)} figures of {len(chosen)} systems, run again")


def _others(files: Files, found: Found) -> None:
    """Compare the figures and other tables of runs, made by this version from its own systems."""
    made: dict[str, Callable[[], str]] = {
        "results/changes.csv": lambda: changes.to_csv(changes.rows(_in_order(files))),
        "results/closed-forms.csv": lambda: closed_forms.to_csv(closed_forms.rows()),
        "results/kernel-comparison.csv": lambda: kernel_comparison.to_csv(kernel_comparison.rows()),
    }
    for name in figures.FIGURES:
        made[f"figures/{name}.csv"] = lambda name=name: figures.draw(name).table.to_csv(
            index=False, lineterminator="\n"
        )
    there = {name: make for name, make in made.items() if name in files}
    same = 0
    for name, make in there.items():
        if make().encode() == files[name]:
            same += 1
        else:
            found.differs.append(f"{name} comes out otherwise here")
    found.equal.append(f"{same} of {len(there)} figures' numbers and other tables, made again")


def _in_order(files: Files) -> list[str]:
    """Return the archive's systems in the order of the study."""
    there = _names(files)
    return [name for name in archive.systems if name in there]
