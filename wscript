# SPDX-License-Identifier: GPL-2.0-only
"""The commands of ./waf, each a few lines that call the room that does the work.

A public function with a docstring is a command, and that is its line in `./waf --help`.
"""

import difflib
import os
import shlex
import sys
from pathlib import Path

import set_up
from waflib import Build, Configure, Context, Logs, Options, Scripting, Utils

# Of this folder: the command study belongs to the folder that .venv was made in, and a PYTHONPATH
# that points elsewhere must not reach into it.
PACKAGE = str(set_up.ROOT / "analysis")
sys.path.insert(0, PACKAGE)
os.environ["PYTHONPATH"] = PACKAGE

import browser_build
import contrib_module
import live_build
import machine
import ns3_build
import ns3_library
import precompiled
import sanitizers
import system_arguments
import units
from run_commands import begin
from run_commands import run as _run

top = "."
out = "build"

# Configure without being asked, with the options of the last time, when a file it read has changed.
Configure.autoconfig = "clobber"

# Stock options for installing and packaging, and for building elsewhere.
NOT_FOR_US = "prefix bindir libdir destdir force distcheck-args files top out"

SCENARIOS = "scenarios/*/*.cc"  # a program for each folder that has a source of its own name
EXAMPLE = "scratch/backup-unit.cc"  # a test runs it
RECOVERY = "scratch/stock-*.cc"  # what ns-3 does, and the corrections: tests hold what they print
STOCK = "benchmarks/*.cc"  # what the study is measured against: plain ns-3, and packets alone
UPSTREAM = "docs/upstream/*.cc"  # tests that plain ns-3 fails, for its bug reports
PLAIN = {"stock-transfer.cc", "upstream"}  # programs, and folders of some, with nothing of ours
FIRST = "print-job"  # what the first figure of `reproduce` is drawn with
MODULE = "webassembly/module.cc"  # the scenarios' programs in one, for `./waf browser`
WIRE = "kernel-wire/*.cc"  # one program, nothing of ns-3 in it: what is between two real hosts
STRANGER = "tests/stranger/*.cc"  # a scenario that a test adds to a copy of the project
SUITES = "tests/**/*.cc"
STUDY = (sys.executable, "-m", "study.commands.main")
# With GCC: those flags of -O2 that make a run faster. They compile in four fifths of its time.
QUICK = "-O1 -finline-functions -finline-small-functions -findirect-inlining -fpartial-inlining"
QUICK += " -fipa-ra -fcaller-saves -foptimize-sibling-calls -fcrossjumping -fpeephole2"
QUICK += " -fexpensive-optimizations"

# These build first and run something then.
COMMANDS = "test reproduce report release explore notebooks benchmark docs kernel robustness"
for command in COMMANDS.split(" "):
    type(command, (Build.BuildContext,), {"cmd": command, "fun": command})
# The same with flags of their own, and so in folders of their own.
for command, folder in {"sanitize": "sanitize", "browser": "wasm"}.items():
    type(command, (Build.BuildContext,), {"cmd": command, "fun": command, "variant": folder})


def options(ctx):
    ctx.load("compiler_cxx")
    ctx.parser.get_usage = set_up.usage
    for name in NOT_FOR_US.split(" "):
        ctx.parser.remove_option(f"--{name}")
    add = ctx.add_option_group("Options of the study").add_option
    add("--with-ns3", metavar="PREFIX", help="use the ns-3 (3.44 on) installed there, or wheel")
    add("--source", metavar="DIR", help="of ns3, browser: build this unpacked tree of ns-3")
    add("--repository", metavar="ADDRESS", help="of these: fetch from there; or ADDRESS#COMMIT")
    add("--without-lto", action="store_true", help="of ns3: no optimisation across files")
    add("--run", metavar="'PROGRAM FLAGS'", help="then run this program of scenarios/ or scratch/")
    add("--command-template", metavar="'gdb --args %s'", default="%s", help="run it in this")
    add("--to", metavar="DIR", help="of contrib: ns-3's source, or where contrib/ is to be")
    add("--html", action="store_true", help="of notebooks: run them and write pages, open nothing")
    # With "=", because argparse takes '-k WORD' alone for options of waf.
    chosen = "choose among the tests: --pytest-args='-k WORD', with the equals sign"
    add("--pytest-args", metavar="ARGS", default="", help=chosen)


def init(ctx):
    Logs.log.addFilter(_is_news)
    given = Options.options
    of_ns3 = given.source or given.repository or given.without_lto
    if of_ns3 and not {"ns3", "browser"} & set(Options.commands):
        what = "--source, --repository and --without-lto are options of `./waf ns3`"
        set_up.stop(f"{what}, the first two of `./waf browser`, too.")
    given.source = given.source and _path_given(given.source)
    if given.with_ns3:
        if given.with_ns3 != "wheel":
            given.with_ns3 = _path_given(given.with_ns3)
        if "configure" not in Options.commands:
            Options.commands.insert(0, "configure")


def _path_given(text):
    """Of a user, in the folder where they are."""
    return str(Path(Context.called_from, Path(text).expanduser()).resolve())


def configure(cfg):
    """find the compiler and ns-3 and try them; the others call it when needed"""
    _forget_last_configuration(cfg)
    set_up.check_compiler()
    cfg.load("compiler_cxx")
    # First, so that `CXXFLAGS=-g ./waf configure` has the last word.
    speed = QUICK.split() if cfg.env.CXX_NAME == "gcc" else ["-O2"]
    flags = ["-std=c++20", *speed, *ns3_build.ARITHMETIC, "-Wall", "-Wextra"]
    cfg.env.prepend_value("CXXFLAGS", flags)
    cfg.env.prepend_value("LINKFLAGS", machine.only_needed_libraries())
    cfg.load("ns3_library", tooldir="waf-tools")
    _configure_again_when_changed(cfg, "requirements.lock", ".venv/pyvenv.cfg", ns3_build.TRACKED)
    cfg.setenv("wasm", env=cfg.env)  # browser_build puts its own in
    cfg.setenv("sanitize", env=cfg.all_envs[""])
    for kind in ns3_library.KINDS:  # the wheel's where there is one: its asserts are on
        cfg.env[f"{kind}_NS3"] = cfg.env[f"{kind}_PLAIN"]
    # Without optimisation: a third less to compile, which is most of the time, and no fault can be
    # optimised away before it is looked for.
    cfg.env.append_value("CXXFLAGS", ["-O0", "-g1", "-fno-sanitize-recover=all", *sanitizers.FLAGS])
    cfg.env.append_value("LINKFLAGS", sanitizers.FLAGS)
    cfg.setenv("")


def ns3(ctx):
    """build an ns-3 of one's own, static and optimised; everything uses it from then on"""
    given = Options.options
    ns3_build.make(given.source, given.repository, not given.without_lto)
    Options.commands.insert(0, "configure")


def browser(bld):
    """build ns-3 and the scenarios as WebAssembly, for the page of `study classroom`"""
    given = Options.options
    browser_build.take(bld.env, browser_build.make(given.source, given.repository))
    _model(bld)
    scenarios = _sources(bld, SCENARIOS)
    for name, source in scenarios.items():
        renamed = f"main={browser_build.main_of(name)}"
        bld.objects(
            target=name, source=[source], includes="scenarios", use="NS3", defines=[renamed], idx=1
        )
    table = [browser_build.table(scenarios)]
    bld.objects(target="module", source=[MODULE], use="NS3", defines=table, idx=1)
    system_arguments.write(bld)
    bld.add_post_fun(lambda bld: browser_build.link(bld.env, _objects(bld)))


def build(bld):
    """compile: every scenario, and every .cc in scratch/, becomes a program in build/"""
    _build(bld, SCENARIOS, "scratch/*.cc", live=bld.env.HAS_LIVE)
    _wire(bld)


def test(bld):
    """build, then run the C++ suites and pytest"""
    _build(bld, SCENARIOS, EXAMPLE, RECOVERY, STOCK, UPSTREAM, STRANGER, live=bld.env.HAS_LIVE)
    _wire(bld)
    suites = bld.path.ant_glob(SUITES, excl=[STRANGER])
    if suites:
        # Half the time to compile, and they are run once.
        _program(bld, "cpp-tests", suites, use=live_build.gate(bld), cxxflags=["-O0"])
    live_build.programs(bld, _program)
    # A file stays with one worker; their order is that of tests/conftest.py. One more than there
    # are cores: some wait, for a browser, or for a kernel's own clock.
    pytest = [sys.executable, "-m", "pytest", "-q", f"-n{bld.jobs + 1}"]
    pytest += ["--dist=loadfile", "--no-loadscope-reorder", *shlex.split(bld.options.pytest_args)]
    commands = [[bld.bldnode.make_node("cpp-tests").abspath()]] if suites else []
    bld.add_post_fun(lambda bld: _run(*commands, pytest))


def sanitize(bld):
    """build with address and undefined-behaviour sanitizers; run the C++ suites and scenarios"""
    _model(bld)
    _program(bld, "cpp-tests", bld.path.ant_glob(SUITES, excl=[STRANGER]), use=live_build.gate(bld))
    own = live_build.sanitized(bld, _program)
    commands = [[bld.bldnode.make_node("cpp-tests").abspath()], *own]
    for name, source in _sources(bld, SCENARIOS).items():
        _program(bld, name, [source])
        made = {flag: bld.bldnode.make_node(flag).abspath() for flag in ("pcap", "segments")}
        files = [f"--{flag}={path}" for flag, path in made.items()]
        program = bld.bldnode.make_node(name).abspath()
        commands.append([program, *sanitizers.RUNS.get(name, []), *files])
    # What ns-3 keeps to the end of the process is not ours to free.
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0"
    bld.add_post_fun(lambda bld: _run(*commands))


def reproduce(bld):
    """build, then run the whole study: the tables and figures in results/"""
    # Whoever waits has a figure while the other scenarios are compiled.
    for group in ("first", "others"):
        bld.add_group(group)
    _build(bld, SCENARIOS)
    command = [*STUDY, "reproduce"]
    if FIRST in _sources(bld, SCENARIOS):
        bld.set_group("first")
        program = bld.bldnode.make_node(FIRST)
        bld(rule=lambda task: begin([*command, "--first"]), source=program, always=True)
    bld.add_post_fun(lambda bld: _run(command))


def extras(ctx):
    """fetch what sweeps on a cluster, Latin hypercubes and xarray need"""  # set-up does it


def contrib(ctx):
    """lay the models and their tests out as a module for ns-3's own build: --to=DIR"""
    contrib_module.make(Options.options.to)


def robustness(bld):
    """build, then try what may not break the study: docs/results/robustness.md"""
    _build(bld, SCENARIOS, live=bld.env.HAS_LIVE)
    live_build.programs(bld, _program)
    bld.add_post_fun(lambda bld: _run([sys.executable, "-m", "robustness"]))


def report(bld):
    """build, bring results/ up to date, and make one document of the study, HTML and PDF"""
    _build(bld, SCENARIOS)
    bld.add_post_fun(lambda bld: _run([*STUDY, "report"]))


def release(bld):
    """build, then make the files of a release in dist/: wheel, sources, class page, checksums"""
    if bld.env.LIB_NS3:
        gsl = "the wheel's ns-3 contains GSL, GPL-3.0-or-later, and cannot be handed on with it"
        set_up.stop(f"release: {gsl}; `./waf ns3` builds one without, then `./waf release` works.")
    _build(bld, SCENARIOS)
    bld.add_post_fun(lambda bld: _run([sys.executable, "-m", "study.publishing.release"]))


def benchmark(bld):
    """build, then measure the study against plain ns-3 and others: results/benchmarks.csv"""
    _build(bld, SCENARIOS, STOCK)
    bld.add_post_fun(lambda bld: _run([sys.executable, "-m", "benchmarks"]))


def kernel(bld):
    """build the wire, then measure this machine's own TCP over it: results/kernel.csv"""
    _wire(bld)
    bld.add_post_fun(lambda bld: _run([*STUDY, "kernel"]))


def docs(bld):
    """build, then make the site of docs/ in build/docs; a broken link fails"""
    _build(bld, SCENARIOS)
    os.environ["NO_MKDOCS_2_WARNING"] = "1"  # the theme's, of versions that the lock keeps out
    bld.add_post_fun(lambda bld: _run([sys.executable, "-m", "mkdocs", "build", "--strict"]))


def explore(bld):
    """build, then open the what-if explorer as a page in the browser (Ctrl-C ends it)"""
    _build(bld, SCENARIOS)
    bld.add_post_fun(lambda bld: _run([sys.executable, "-m", "study.explorer.serve"]))


def notebooks(bld):
    """build, then open JupyterLab on notebooks/; with --html write them as pages"""
    _build(bld, SCENARIOS)
    command = [*STUDY, "notebooks", *(["--html"] if bld.options.html else [])]
    bld.add_post_fun(lambda bld: _run(command))


def distclean(ctx):
    """remove build/ (set-up stays, in .venv, and results of sweeps, in .store)"""
    Scripting.distclean(ctx)


def _is_news(record):
    """Drop waf's lines about its folders, and its last line where a program of ours spoke last."""
    text = str(record.msg)
    if "finished successfully" in text:
        return record.args[0] in ("configure", "build", "clean") and not Options.options.run
    return not text.startswith("Waf: ")


def _forget_last_configuration(cfg):
    # Otherwise a configuration that fails would leave the last one's lock file beside its own
    # half-made cache, and the next build would trust the two.
    for folder in (cfg.path, cfg.bldnode):
        Path(folder.abspath(), Options.lockfile).unlink(missing_ok=True)


def _configure_again_when_changed(cfg, *names):
    for node in filter(None, map(cfg.path.find_node, names)):
        cfg.hash = Utils.h_list((cfg.hash, node.read("rb")))
        cfg.files.append(node.abspath())


def _build(bld, *patterns, live=False):
    """The programs of these sources. What a user is writing in scratch/ must not stop the study, so
    the other commands leave it out, unless --run asks for it."""
    _model(bld)
    programs = _sources(bld, SCENARIOS, "scratch/*.cc", STOCK, UPSTREAM, STRANGER)
    command = _command_to_run(bld, programs) if bld.options.run else None
    wanted = programs if command else _sources(bld, *patterns)
    for name, source in wanted.items():
        if PLAIN & {source.name, source.parent.name}:
            bld.program(target=name, source=[source], use="PLAIN", idx=1)
        else:
            _program(bld, name, [source])
    if live and not command:
        live_build.live_end(bld, _program)
    system_arguments.write(bld)
    _remove_orphans(bld, programs)
    if command:
        bld.add_post_fun(lambda bld: _run(command, cwd=Context.called_from))


def _sources(bld, *patterns):
    """The programs that these become: name to source."""
    found = {}
    for source in bld.path.ant_glob(list(patterns)):
        name, folder = source.name[: -len(".cc")], source.parent
        if folder.parent.name == "scenarios" and name != folder.name:
            continue  # a class of a scenario
        if name in found:
            both = f"{found[name].srcpath()} and {source.srcpath()}"
            bld.fatal(f"{both} would both be build/{name}: rename")
        found[name] = source
    return found


def _model(bld):
    """What scenarios share, and what each has of its own: objects rather than libraries, for a
    linker drops from a library what only a TypeId's name uses."""
    _group(bld, True)  # before all that it is for
    parts = {"model": bld.path.ant_glob("scenarios/model/*/*.cc")}
    precompiled.headers(bld, parts["model"])
    for name, main in _sources(bld, SCENARIOS).items():
        parts[f"model of {name}"] = [each for each in main.parent.ant_glob("*.cc") if each != main]
    for target, sources in parts.items():
        _group(bld, target in ("model", f"model of {FIRST}"))
        bld.objects(
            target=target,
            source=units.units(bld, target, sources),
            includes="scenarios",
            use="NS3",
            idx=1,
        )


def _objects(bld):
    """Every object that was compiled."""
    made = [made for group in bld.groups for made in group]
    tasks = [task for each in made for task in getattr(each, "compiled_tasks", [])]
    return [node.abspath() for task in tasks for node in task.outputs]


def _group(bld, is_first):
    """Where `reproduce` has two groups, which one the next objects are in."""
    if "first" in bld.group_names:
        bld.set_group("first" if is_first else "others")


def _program(bld, name, sources, use=(), **flags):
    """A scenario has its own classes; a program in scratch/, and the suites, those of all."""
    scenarios = _sources(bld, SCENARIOS)
    owners = [name] if name in scenarios else scenarios
    use = ["NS3", "model", *(f"model of {owner}" for owner in owners), *use]
    _group(bld, name == FIRST)
    # One number for the objects of all: waf's own would depend on what else is built, and a source
    # would be compiled again under the next one.
    made = units.units(bld, name, sources)
    bld.program(target=name, source=made, includes="scenarios .", use=use, idx=1, **flags)


def _wire(bld):
    sources = bld.path.ant_glob(WIRE)
    if sources:
        bld.program(target="wire", source=sources, idx=1)


def _remove_orphans(bld, programs):
    """A program whose .cc is gone goes too, so that nobody runs the old one by mistake."""
    for file in Path(bld.bldnode.abspath()).iterdir():
        is_program = file.is_file() and os.access(file, os.X_OK)
        if is_program and file.name not in {*programs, *live_build.NAMES, "cpp-tests", "wire"}:
            file.unlink()


def _command_to_run(bld, programs):
    name, *flags = shlex.split(bld.options.run) or [""]
    if name not in programs:
        near = difflib.get_close_matches(name, programs) or sorted(programs)
        set_up.stop(f"no {name}.cc in scenarios/ or scratch/ to run; near: {', '.join(near)}")
    template = bld.options.command_template
    if "%s" not in template:
        set_up.stop(f"--command-template={template!r} has no %s, where the program goes")
    program = bld.bldnode.make_node(name).abspath()
    return shlex.split(template.replace("%s", shlex.join([program, *flags])))
