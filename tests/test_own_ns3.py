# SPDX-License-Identifier: GPL-2.0-only
"""What `./waf ns3` promises, shown with a stand-in for ns-3's source that compiles in seconds;
tests/test_both_ns3.py has the true one."""

import json
import os
import re
import shutil
import signal
import subprocess
import sysconfig
from pathlib import Path

import machine
import ns3_source
import pytest

from tests.copies import ROOT, assert_one_sentence, copy_launcher, environment, waf, waf_command
from tests.test_setup import mounted
from tests.waiting import until

WHEEL = Path(sysconfig.get_path("purelib"), "ns3")

# What configure's trial program asks of ns-3, and nothing else.
HEADERS = {
    "csma/model/csma-channel.h": "#pragma once\nnamespace ns3 { struct CsmaChannel {}; }\n",
    "internet/model/tcp-socket-base.h": """#pragma once
#include "ns3/internet-export.h"
#include <string>
namespace ns3 {
struct TypeId { std::string GetName(); };
struct INTERNET_EXPORT TcpSocketBase { static TypeId GetTypeId(); };
}
""",
    "core/model/simulator.h": """#pragma once
#include "ns3/core-config.h"
#include <functional>
#include <memory>
namespace ns3 {
template <class T> std::shared_ptr<T> CreateObject() { return std::make_shared<T>(); }
inline double Seconds(double s) { return s; }
struct Simulator { static void Schedule(double, std::function<void()>); static void Run(); };
const char* Where();
}
""",
}
SOURCES = {
    "internet/model/tcp-socket-base.cc": """#include "tcp-socket-base.h"
std::string ns3::TypeId::GetName() { return "ns3::TcpSocketBase"; }
ns3::TypeId ns3::TcpSocketBase::GetTypeId() { return {}; }
""",
    "core/model/simulator.cc": """#include "simulator.h"
static std::function<void()> g_event;
void ns3::Simulator::Schedule(double, std::function<void()> event) { g_event = event; }
void ns3::Simulator::Run() { g_event(); }
const char* ns3::Where() { return __FILE__; }
""",
}
PROGRAM = """#include "ns3/simulator.h"
#include <cstdio>
#if defined NS3_ASSERT_ENABLE || defined NS3_LOG_ENABLE
#error it has its asserts or logs
#endif
int main() { std::printf("%d %s %s\\n", NS3_STUDY_NS3_VERSION, NS3_STUDY_NS3_KIND, ns3::Where()); }
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The launcher and a study of one program, which only the stand-in can build."""
    tree = copy_launcher(tmp_path / "study")
    (tree / "scratch" / "which.cc").write_text(PROGRAM)
    return tree


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "ns-3"
    for module in ns3_source.MODULES:
        for room in ns3_source.FOLDERS:
            (folder / "src" / module / room).mkdir(parents=True)
        (folder / "src" / module / "model" / f"only-{module}.cc").write_text("")
    for name, text in (HEADERS | SOURCES).items():
        (folder / "src" / name).write_text(text)
    (folder / "src" / "core" / "model" / "win32-fd-reader.cc").write_text("#error Windows\n")
    (folder / "VERSION").write_text("3.44\n")
    (folder / "LICENSE").write_text("as ns-3's\n")
    return folder


def git(folder: Path, *words: str) -> str:
    whom = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.com"]
    done = subprocess.run(["git", *whom, *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def built(tree: Path) -> list[str]:
    """What .ns3 has, but for its lock."""
    return sorted(each.name for each in (tree / ".ns3").iterdir() if each.name != "lock")


def test_everything_uses_the_ns3_that_was_built_and_it_stays(tree: Path, source: Path):
    made = waf(tree, "ns3", f"--source={source}")
    assert made.returncode == 0, made.stdout + made.stderr
    assert re.search(r"compiling ns-3: [\d:]+ left, then linking", made.stdout)
    assert re.search(r"^waf: ns-3 3.44 of .* built in \d+ s, in .ns3/ns-3.44-", made.stdout, re.M)
    name = re.search(r"ns-3\.44-\w+", made.stdout)[0]
    assert built(tree) == ["in-use", name]
    kind = "static, asserts off, logs off, LTO"
    assert f"3.44 of .ns3/{name}, {kind}" in made.stdout
    done = waf(tree, "build", "--run=which")
    assert done.stdout.splitlines()[-1] == f"344 {kind} ns-3/src/core/model/simulator.cc"
    assert waf(tree, "distclean").returncode == 0
    again = waf(tree, "ns3", "build", "--run=which", f"--source={source}")
    assert "was there already" in again.stdout and again.stdout.endswith("simulator.cc\n")


def test_the_wheel_is_taken_again_where_it_is_asked_for(tree: Path, source: Path):
    if not WHEEL.exists():
        pytest.skip("set up with an ns-3 of one's own")
    (tree / "scratch" / "which.cc").unlink()
    told = waf(tree, "configure").stdout
    assert "3.44 of the wheel" in told and "`./waf ns3` builds one here" in told
    told = waf(tree, "ns3", f"--source={source}").stdout
    assert "3.44 of .ns3/" in told and "`./waf configure --with-ns3=wheel`" in told
    told = waf(tree, "configure", "--with-ns3=wheel").stdout
    assert "3.44 of the wheel" in told and "`./waf configure`, the one that `./waf ns3`" in told
    assert "3.44 of .ns3/" in waf(tree, "configure").stdout
    shutil.rmtree(tree / ".ns3")
    assert "3.44 of the wheel" in waf(tree, "build").stdout  # configured again by itself


@pytest.mark.parametrize("name", ["libns3.45-{}-optimized.a", "libns3.45-static.a"])
def test_an_installed_ns3_may_be_static(tree: Path, source: Path, tmp_path: Path, name: str):
    """Every object of it is taken: what registers itself is called by nobody."""
    model = source / "src" / "core" / "model"
    (model / "simulator.h").write_text(HEADERS["core/model/simulator.h"] + "extern int g_known;\n")
    (model / "simulator.cc").write_text(SOURCES["core/model/simulator.cc"] + "int g_known = 0;\n")
    (model / "registered.cc").write_text('#include "simulator.h"\nint g_me = ++g_known;\n')
    install(source, tmp_path / "prefix", name)
    which = tree / "scratch" / "which.cc"
    which.write_text('#include "ns3/simulator.h"\nint main() { return g_known == 1 ? 7 : 1; }\n')
    done = waf(tree, "build", f"--with-ns3={tmp_path / 'prefix'}", "--run=which")
    assert done.returncode == 7, done.stdout + done.stderr
    kind = "unknown profile, asserts off, logs off, static"
    assert f"3.45 of {tmp_path / 'prefix'}, {kind}" in done.stdout
    next((tmp_path / "prefix" / "lib").glob("*.a")).unlink()
    gone = waf(tree, "configure", f"--with-ns3={tmp_path / 'prefix'}")
    assert gone.returncode == 1 and ("there is no" in gone.stderr or "nor a static" in gone.stderr)


def install(source: Path, prefix: Path, name: str) -> None:
    """As ns-3's own build would."""
    include, package = prefix / "include" / "ns3", prefix / "lib" / "cmake" / "ns3"
    include.mkdir(parents=True), package.mkdir(parents=True)
    (package / "ns3ConfigVersion.cmake").write_text('set(PACKAGE_VERSION "3.45")\n')
    (package / "ns3Targets.cmake").write_text("")
    for header in [*source.rglob("*.h")]:
        shutil.copy(header, include)
    for generated in ("core-config", "internet-export"):
        (include / f"{generated}.h").write_text("#define INTERNET_EXPORT\n")
    for module in ns3_source.MODULES:
        for path in sorted((source / "src" / module / "model").glob("*.cc")):
            if "win32" in path.name:
                continue
            made = prefix / f"{path.stem}.o"
            flags = ["-std=c++20", "-I", prefix / "include", "-c", path, "-o", made]
            subprocess.run(["g++", *flags], check=True)
            archive = prefix / "lib" / name.format(module)
            subprocess.run(["ar", "rcs", archive, made], check=True, capture_output=True)


def test_another_source_another_ns3_the_same_source_elsewhere_the_same(
    tree: Path, source: Path, tmp_path: Path
):
    assert waf(tree, "ns3", f"--source={source}").returncode == 0
    (_, name), program = built(tree), tree / "build" / "which"
    assert waf(tree, "build").returncode == 0
    first = program.read_bytes()
    shutil.rmtree(tree / ".ns3")
    elsewhere = source.rename(tmp_path / "elsewhere")
    assert waf(tree, "ns3", "build", f"--source={elsewhere}").returncode == 0
    assert (built(tree)[1], program.read_bytes()) == (name, first)
    (elsewhere / "VERSION").write_text("3.48\n")
    (elsewhere / "src/core/model/only-core.cc").write_text("int more;\n")
    done = waf(tree, "ns3", "build", f"--source={elsewhere}", "--run=which")
    assert len(built(tree)) == 3 and done.stdout.splitlines()[-1].startswith("348 ")


def test_git_fetches_the_tag_and_the_commit_is_looked_at(tree: Path, source: Path):
    git(source, "init", "--quiet")
    git(source, "add", ".")
    git(source, "commit", "--quiet", "--message=a stand-in")
    git(source, "tag", "--annotate", "--message=a tag", ns3_source.TAG)
    commit = git(source, "rev-parse", "HEAD")
    done = waf(tree, "ns3", f"--repository={source}")
    assert_one_sentence(
        done, f"is commit {commit} and not {ns3_source.COMMIT}", "nothing was built"
    )
    assert built(tree) == []
    done = waf(tree, "ns3", f"--repository={source}#{commit}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"ns-3.44 of {source}, commit {commit}" in done.stdout
    manifest = json.loads((tree / ".ns3" / "in-use" / "ns3.json").read_text())
    assert manifest["origin"].endswith(commit) and manifest["version"] == "3.44"
    source.rename(source.with_name("gone"))
    assert "was there already" in waf(tree, "ns3", f"--repository={source}#{commit}").stdout


def test_an_address_that_does_not_answer(tree: Path, tmp_path: Path):
    for address in (tmp_path / "nothing", "http://localhost:9/ns-3.git"):
        done = waf(tree, "ns3", f"--repository={address}")
        assert_one_sentence(done, f"could not be fetched from {address}", "--source=DIR")
    assert not (tree / ".ns3" / "in-use").exists()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (shutil.rmtree, "there is no such folder"),
        (lambda source: (source / "VERSION").unlink(), "is no source tree of ns-3"),
        (lambda source: shutil.rmtree(source / "src" / "csma"), "it has no src/csma/model"),
        (lambda source: (source / "VERSION").write_text("3.43\n"), "is ns-3 '3.43'"),
        (lambda source: (source / "VERSION").write_text("4.1\n"), "is ns-3 '4.1'"),
        (
            lambda source: (source / "src/core/model/simulator.cc").write_text("#error bad\n"),
            "simulator.cc: error: #error bad",
        ),
    ],
)
def test_a_source_that_is_none_is_one_sentence(tree: Path, source: Path, spoil, words: str):
    spoil(source)
    assert_one_sentence(waf(tree, "ns3", f"--source={source}"), words)
    assert not (tree / ".ns3" / "in-use").exists()


def test_whoever_calls_has_the_last_word_on_flags(tree: Path, source: Path):
    text = "#if !defined SAID || defined __OPTIMIZE__\n#error not as it was asked for\n#endif\n"
    (source / "src/core/model/only-core.cc").write_text(text)
    assert_one_sentence(waf(tree, "ns3", f"--source={source}"), "not as it was asked for")
    done = waf(tree, "ns3", f"--source={source}", CXXFLAGS="-O0 -DSAID='a word'")
    assert done.returncode == 0, done.stdout + done.stderr
    flags = json.loads((tree / ".ns3" / "in-use" / "ns3.json").read_text())["flags"]
    assert flags.index("-O0") > flags.index("-O2") and "-DSAID=a word" in flags


def test_options_of_ns3_without_it_are_refused(tree: Path):
    assert_one_sentence(waf(tree, "build", "--source=x"), "options of `./waf ns3`")


def test_an_interrupted_build_goes_on_and_nothing_half_made_is_used(tree: Path, source: Path):
    for number in range(16):
        (source / f"src/core/model/slow-{number}.cc").write_text("#include <regex>\n")
    command = waf_command("ns3", f"--source={source}")
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    for how in (signal.SIGINT, signal.SIGKILL):
        with subprocess.Popen(
            command, cwd=tree, env=environment(NOCOLOR=1), process_group=0, **pipes
        ) as process:
            until(lambda: len(objects(tree)) > 1, process)
            os.killpg(process.pid, how)
            _, said = process.communicate()
        assert process.returncode == (130 if how == signal.SIGINT else -how)
        sentence = "waf: interrupted; the next ./waf ns3 goes on where this one was.\n"
        assert said == (sentence if how == signal.SIGINT else "")
        (part,) = built(tree)
        assert part.endswith(".part")
    kept = len(objects(tree))
    done = waf(tree, "ns3", f"--source={source}")
    assert done.returncode == 0 and len(built(tree)) == 2
    assert int(re.search(r"\[(\d+)/\d+\]", done.stdout)[1]) == kept


def objects(tree: Path) -> list[Path]:
    return list(tree.glob(".ns3/*.part/objects/*.o"))


def test_a_disk_that_fills_up(tree: Path, source: Path):
    small = tree / ".ns3"
    small.mkdir()
    prefix = mounted(f"mount -t tmpfs -o size=16k none '{small}'")
    patch = "import ns3_build; ns3_build.FREE_MB = 0"
    done = waf(tree, "ns3", f"--source={source}", patch=patch, prefix=prefix)
    assert_one_sentence(done, "disk is full")


def test_a_file_in_the_folder_s_place_is_one_sentence(tree: Path, source: Path):
    (tree / ".ns3").write_text("in the way")
    assert_one_sentence(waf(tree, "ns3", f"--source={source}"), "ns-3 could not be built")


def test_too_small_a_disk_is_said_before(tree: Path, source: Path):
    patch = "import shutil, types; "
    patch += "shutil.disk_usage = lambda path: types.SimpleNamespace(free=10**7)"
    done = waf(tree, "ns3", f"--source={source}", patch=patch)
    assert_one_sentence(done, "10 MB left", "free some space")


def test_only_one_place_knows_a_machine():
    """Its words for processors and systems stand in machine.py of the build and of the package,
    and where Linux is asked for its own TCP."""
    words = re.compile(
        r"/proc/|sched_getaffinity|x86_64|sys\.platform|\bldd\b|whole-archive|_NSGet"
    )
    places = {"waf-tools/machine.py", "analysis/study/base/machine.py"}
    rooms = ("waf-tools", "analysis/study", "scenarios", "wscript")
    found = {
        str(path.relative_to(ROOT))
        for room in rooms
        for path in ([ROOT / room] if (ROOT / room).is_file() else (ROOT / room).rglob("*"))
        if path.suffix in (".py", ".cc", ".h", "") and path.is_file()
        if words.search(path.read_text())
    }
    kernel = {name for name in found if name.startswith("analysis/study/kernel/")}
    assert found - kernel == places
    assert machine.is_for_here(os.uname().machine + "-any-thing")


def test_what_a_live_device_needs_is_compiled_where_the_tree_has_it(source: Path):
    """Its one file, without other kinds of devices and without programs that open a descriptor."""
    assert ns3_source.unpacked(source).modules == ns3_source.MODULES
    room = source / "src" / ns3_source.LIVE
    for file in ("model/fd-net-device", "model/netmap-net-device", "helper/creator-utils"):
        (room / file).parent.mkdir(parents=True, exist_ok=True)
        (room / f"{file}.cc").write_text("")
    files = ns3_source.unpacked(source).files(".cc")
    found = [path.name for path, module in files.items() if module == ns3_source.LIVE]
    assert found == ["fd-net-device.cc"]
