# SPDX-License-Identifier: GPL-2.0-only
"""A waf tool: finds an ns-3 that is built, proves that it works, and says which one it is: the one
that `--with-ns3` names, or that `./waf ns3` built, or the wheel's.

Of an installed one, version, build profile and definitions are read from the CMake package that
ns-3 installs with itself. No path in it is believed, they are those of the machine that built it
(so are pkg-config's in the wheel); instead a small program is compiled, linked and run.
"""

import json
import re
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import machine
import ns3_build
from ns3_source import LIVE, MODULES, OLDEST, number_of
from waflib.Configure import ConfigurationContext
from waflib.Errors import ConfigurationError

LIVE_HEADER = f"{LIVE}.h"  # only the program `live` needs it; it is not built without the module

PROBE = """
#include "ns3/csma-channel.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-base.h"

int main()
{
    auto channel = ns3::CreateObject<ns3::CsmaChannel>();
    auto tcp = ns3::TcpSocketBase::GetTypeId().GetName();
    bool ran = false;
    ns3::Simulator::Schedule(ns3::Seconds(1), [&ran] { ran = true; });
    ns3::Simulator::Run();
    return ran && channel && tcp == "ns3::TcpSocketBase" ? 0 : 1;
}
"""


# waf's variables that depend on ns-3.
KINDS = ("DEFINES", "CXXFLAGS", "LINKFLAGS", "LIB", "LIBPATH", "RPATH")


@dataclass(frozen=True)
class Found:
    """An ns-3: its description, and waf's variables by kind."""

    words: str
    variables: dict[str, list[str]]


def configure(cfg: ConfigurationContext) -> None:
    given, own = cfg.options.with_ns3, ns3_build.in_use()
    wheel = Path(sysconfig.get_path("purelib"), "ns3")
    if given and given != "wheel":
        chosen = installed(cfg, Path(given), given)
    elif own and not given:
        chosen = built(own)
    else:
        chosen = installed(cfg, wheel, "the wheel")
    cfg.msg("Checking for ns-3", chosen.words)
    less = "the same records for less time"
    if not own:
        cfg.msg("Instead of it", f"`./waf ns3` builds one here, in minutes: {less}")
    elif given:
        cfg.msg("Instead of it", f"`./waf configure`, the one that `./waf ns3` built: {less}")
    elif machine.has_wheel():
        cfg.msg("Instead of it", "`./waf configure --with-ns3=wheel`, with asserts and logs")
    take(cfg, "NS3", chosen)
    cfg.env.HAS_LIVE = machine.has_taps() and has_live(chosen)
    # Comparisons with plain ns-3 and searches for faults use the wheel's ns-3 if there is one: most
    # users have it, and its asserts are on.
    take(cfg, "PLAIN", installed(cfg, wheel, "the wheel") if wheel.exists() else chosen)
    try_it(cfg, f"ns-3 {chosen.words.partition(',')[0]}")


def has_live(found: Found) -> bool:
    """Return whether it has what a live device needs; one built by an older version has not."""
    prefix = Path(found.variables["CXXFLAGS"][-1])
    return (prefix / "ns3" / LIVE_HEADER).is_file()


def take(cfg: ConfigurationContext, use: str, found: Found) -> None:
    for kind in KINDS:
        cfg.env[f"{kind}_{use}"] = found.variables.get(kind, [])


def built(folder: Path) -> Found:
    """Return the ns-3 that `./waf ns3` built."""
    manifest = json.loads((folder / ns3_build.MANIFEST).read_text())
    name, kind = manifest["version"], "static, asserts off, logs off"
    kind += ", LTO" if manifest["lto"] else ""
    variables = compiled(folder, name, manifest["definitions"])
    variables["DEFINES"].append(f'NS3_STUDY_NS3_KIND="{kind}"')
    variables["LINKFLAGS"] = [str(folder / "lib" / machine.COMBINED), "-pthread"]
    return Found(f"{name} of .ns3/{folder.name}, {kind}", variables)


def installed(cfg: ConfigurationContext, prefix: Path, place: str) -> Found:
    package = find_package(cfg, prefix, place)
    name = read_version(cfg, package, place)
    definitions = read_definitions(package)
    libraries = find_libraries(cfg, package.parent.parent)
    kind = profile(definitions) + (", static" if "LINKFLAGS" in libraries else "")
    return Found(f"{name} of {place}, {kind}", compiled(prefix, name, definitions) | libraries)


def compiled(prefix: Path, version: str, definitions: list[str]) -> dict[str, list[str]]:
    return {
        "DEFINES": [*definitions, f"NS3_STUDY_NS3_VERSION={number_of(version)}"],
        # As a system header, so that warnings are about our code.
        "CXXFLAGS": ["-isystem", str(prefix / "include")],
    }


def find_package(cfg: ConfigurationContext, prefix: Path, place: str) -> Path:
    """Return the folder lib/cmake/ns3, with any name that lib has on this system."""
    for lib in ("lib", "lib64", "lib/*"):
        for file in prefix.glob(f"{lib}/cmake/ns3/ns3ConfigVersion.cmake"):
            return file.parent
    cfg.fatal(
        f"there is no ns-3 in {place}: `./waf configure --with-ns3=PREFIX` wants the folder that"
        " holds its include/ and lib/, `./waf configure --with-ns3=wheel` takes the wheel that"
        " set-up fetches, and `./waf ns3` builds one here."
    )


def read_version(cfg: ConfigurationContext, package: Path, place: str) -> str:
    text = (package / "ns3ConfigVersion.cmake").read_text()
    name = re.search(r'set\(PACKAGE_VERSION "(.+)"\)', text)[1]
    if number_of(name) < OLDEST:
        cfg.fatal(f"ns-3 {name} in {place} is too old: the study needs 3.44 or later.")
    return name


def read_definitions(package: Path) -> list[str]:
    """Return the definitions with which ns-3 was compiled: headers and libraries must agree on
    asserts and logs."""
    text = (package / "ns3Targets.cmake").read_text()
    found = re.search(r'INTERFACE_COMPILE_DEFINITIONS "(.*)"', text)
    definitions = found[1].split(";") if found else []
    return [item for item in definitions if re.fullmatch(r"NS3_(ASSERT|LOG|BUILD)\w+", item)]


def profile(definitions: list[str]) -> str:
    parts = [item.removeprefix("NS3_BUILD_PROFILE_").lower() for item in definitions]
    name = next((part for part in parts if not part.startswith("ns3_")), "unknown")
    asserts, logs = (
        "on" if f"NS3_{what}_ENABLE" in definitions else "off" for what in ("ASSERT", "LOG")
    )
    return f"{name} profile, asserts {asserts}, logs {logs}"


def find_libraries(cfg: ConfigurationContext, folder: Path) -> dict[str, list[str]]:
    """Return the libraries. Names include version and profile: libns3.44-core.so,
    libns3.45-core-default.a. Shared ones come first; ns-3 calls a static one of all modules
    static."""
    for suffix in (machine.SHARED, ".a"):
        for core in sorted(folder.glob(f"libns3*-core*{suffix}")):
            before, after = core.stem.removeprefix("lib").split("-core", 1)
            has_live = (folder / f"lib{before}-{LIVE}{after}{suffix}").is_file()
            modules = (*MODULES, LIVE) if has_live else MODULES
            names = [f"{before}-{module}{after}" for module in modules]
            if suffix == ".a":  # core first; see ns3_source.FIRST
                return static(cfg, [folder / f"lib{name}.a" for name in names])
            return {"LIB": names[::-1], "LIBPATH": [str(folder)], "RPATH": [str(folder)]}
    for archive in sorted(folder.glob("libns3*-static*.a")):
        return static(cfg, [archive])
    cfg.fatal(f"{folder} has neither libns3*-core*{machine.SHARED} nor a static library of ns-3.")


def static(cfg: ConfigurationContext, archives: list[Path]) -> dict[str, list[str]]:
    for archive in archives:
        if not archive.is_file():
            cfg.fatal(f"there is no {archive}: the study needs the modules {', '.join(MODULES)}.")
    return {"LINKFLAGS": [*machine.whole(list(map(str, archives))), "-pthread"]}


def try_it(cfg: ConfigurationContext, what: str) -> None:
    target = subprocess.run([*cfg.env.CXX, "-dumpmachine"], capture_output=True, text=True).stdout
    runs = machine.is_for_here(target.strip())
    for_whom = "and runs" if runs else f"(not run: it is for {target.strip()})"
    try:
        cfg.check_cxx(
            fragment=PROBE,
            use="NS3",
            execute=runs,
            msg=f"Checking that it compiles, links {for_whom}",
            errmsg="no",
        )
    except ConfigurationError:
        log = Path(cfg.bldnode.abspath(), "config.log").read_text()
        reasons = re.findall(r"(?:error:|cannot find|undefined reference) .*", log)
        reason = reasons[0] if reasons else "the program did not run"
        cfg.fatal(f"{what} cannot be used with `{' '.join(cfg.env.CXX)}`: {reason}")
