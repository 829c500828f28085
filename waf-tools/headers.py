# SPDX-License-Identifier: GPL-2.0-only
"""What most of our files include, read once for all of them: a fifth of the time where nothing is
optimised, a quarter where it is. Against the wheel `./waf build` and `./waf test` do without, so
that no file can count on it."""

import hashlib
import re
import subprocess
from pathlib import Path

from set_up import ROOT
from waflib.Build import BuildContext

HEADER = ROOT / "waf-tools" / "most-included.h"
OF_NS3 = re.compile(r'#include "(ns3/.+)"')
PAYS_FROM = 50  # files: it takes as long as some of them


def read_once(bld: BuildContext, flags: str = "CXXFLAGS_NS3") -> None:
    """Have what is compiled with ns-3 begin there, by these of waf's flags."""
    if len(bld.path.ant_glob("scenarios/**/*.cc")) < PAYS_FROM:
        return
    folders = [Path(each) for each in bld.env.CXXFLAGS_NS3 if Path(each).is_dir()]
    header = Path(bld.bldnode.abspath(), HEADER.name)
    made = header.with_suffix(".h.gch")
    text = "".join(line for line in HEADER.open() if _is_there(line, folders))
    command = [*bld.env.CXX, *bld.env.CXXFLAGS, *bld.env.CXXFLAGS_NS3]
    command += [f"-D{each}" for each in bld.env.DEFINES_NS3]
    key = hashlib.sha256(repr((command, text)).encode()).hexdigest()
    stamp = header.with_suffix(".key")
    if not (made.is_file() and stamp.is_file() and stamp.read_text() == key):
        header.parent.mkdir(parents=True, exist_ok=True)
        stamp.unlink(missing_ok=True)
        made.unlink(missing_ok=True)
        header.write_text(text)
        print(f"Reading {HEADER.relative_to(ROOT)} once for all", flush=True)
        if subprocess.run([*command, "-x", "c++-header", header, "-o", made]).returncode:
            return  # what it finds wrong there the files that include it will have, too
        stamp.write_text(key)
    # Before others: clang takes only the first.
    bld.env.prepend_value(flags, ["-Winvalid-pch", "-include", str(header)])


def _is_there(line: str, folders: list[Path]) -> bool:
    """The source that a page brings along has no header that only a test includes."""
    found = OF_NS3.match(line)
    return not found or any((folder / found[1]).is_file() for folder in folders)
