# SPDX-License-Identifier: GPL-2.0-only
"""A waf tool: finds an installed ns-3, the wheel's or the user's own, and proves that it works.

Version, build profile and definitions are read from the CMake package that ns-3 installs with
itself. No path in it is believed, they are those of the machine that built it (so are pkg-config's
in the wheel); instead a small program is compiled, linked and run.
"""

import re
import sysconfig
from pathlib import Path

from waflib.Configure import ConfigurationContext
from waflib.Errors import ConfigurationError

OLDEST = 344  # ns-3.44
MODULES = (
    "applications",
    "point-to-point",
    "csma",
    "internet",
    "traffic-control",
    "network",
    "core",
)

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


def configure(cfg: ConfigurationContext) -> None:
    own = cfg.options.with_ns3
    prefix = Path(own or Path(sysconfig.get_path("purelib"), "ns3"))
    place = own or "the wheel"
    package = find_package(cfg, prefix, place)
    name, version = read_version(cfg, package, place)
    definitions = read_definitions(package)
    cfg.env.DEFINES_NS3 = [*definitions, f"NS3_STUDY_NS3_VERSION={version}"]
    # As a system header, so that our warnings are about our code.
    cfg.env.CXXFLAGS_NS3 = ["-isystem", str(prefix / "include")]
    folder = package.parent.parent
    cfg.env.LIBPATH_NS3 = cfg.env.RPATH_NS3 = [str(folder)]
    cfg.env.LIB_NS3 = find_libraries(cfg, folder)
    cfg.msg("Checking for ns-3", f"{name} of {place}, {profile(definitions)}")
    try_it(cfg, f"ns-3 {name} of {place}")


def find_package(cfg: ConfigurationContext, prefix: Path, place: str) -> Path:
    """The folder lib/cmake/ns3, whatever lib is called on this system."""
    for lib in ("lib", "lib64", "lib/*"):
        for file in prefix.glob(f"{lib}/cmake/ns3/ns3ConfigVersion.cmake"):
            return file.parent
    cfg.fatal(
        f"there is no ns-3 in {place}: `./waf configure --with-ns3=PREFIX` wants the folder that"
        " holds its include/ and lib/, and `./waf configure` alone takes the wheel that set-up"
        " fetches."
    )


def read_version(cfg: ConfigurationContext, package: Path, place: str) -> tuple[str, int]:
    """The version, as in "3.44", and as a number that #if can compare, as in 344."""
    text = (package / "ns3ConfigVersion.cmake").read_text()
    name = re.search(r'set\(PACKAGE_VERSION "(.+)"\)', text)[1]
    minor = re.match(r"3\.(\d+)", name)
    # The development tree, "3-dev", has no number: it is newer than any release.
    version = 300 + int(minor[1]) if minor else 399
    if version < OLDEST:
        cfg.fatal(f"ns-3 {name} in {place} is too old: the study needs 3.44 or later.")
    return name, version


def read_definitions(package: Path) -> list[str]:
    """Headers and libraries must agree on asserts and logs, so we compile as ns-3 was compiled."""
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


def find_libraries(cfg: ConfigurationContext, folder: Path) -> list[str]:
    """Library names carry version and profile: libns3.44-core.so, libns3.45-core-default.so."""
    for core in sorted(folder.glob("libns3*-core*.so")):
        before, after = core.stem.removeprefix("lib").split("-core", 1)
        return [f"{before}-{module}{after}" for module in MODULES]
    cfg.fatal(f"{folder} has no libns3*-core*.so: the study needs ns-3 as shared libraries.")


def try_it(cfg: ConfigurationContext, what: str) -> None:
    try:
        cfg.check_cxx(
            fragment=PROBE,
            use="NS3",
            execute=True,
            msg="Checking that it compiles, links and runs",
            errmsg="no",
        )
    except ConfigurationError:
        log = Path(cfg.bldnode.abspath(), "config.log").read_text()
        reasons = re.findall(r"(?:error:|cannot find|undefined reference) .*", log)
        reason = reasons[0] if reasons else "the program did not run"
        cfg.fatal(f"{what} cannot be used with `{' '.join(cfg.env.CXX)}`: {reason}")
