# SPDX-License-Identifier: GPL-2.0-only
"""Claims about hosts and devices: any profile goes with any device, whole, and both the study and
the program by itself run the same; `study systems` lists them all, the broken ones too."""

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from conftest import Project
from study import Result, StudyError, System, systems
from study.answers import caveats
from study.base.project import RESULTS, scenario_program
from study.base.units import bits_per_second, seconds
from study.kit.systems import load
from study.kit.wire import wire_time_s
from study.programs.declaration import declaration
from study.system.hosts import hosts, load_host

DEVICE = """\
title = "A device"
scenario = "print-job"
host = "bsd-4.2"
[parameters]
mss = { value = 512, unit = "B", basis = "assumed", source = "a test" }
ack_latency = { value = 1, unit = "ms", basis = "assumed", source = "a test" }
"""


def group(key: str) -> str:
    return declaration("print-job").parameter(key).group


# What their makers publish, and nobody has compared with a capture here.
UNJUDGED = {"freebsd-14", "lwip", "macos-14", "windows-11", "zephyr"}
PATH = {"link": "path", "path_rate": "20Mbps", "rtt": "20ms", "path_queue": "100p"}


@pytest.fixture
def device(program: Path, tmp_path: Path) -> System:
    (tmp_path / "device.toml").write_text(DEVICE)
    return load(tmp_path / "device.toml")


def test_a_system_takes_its_profiles_parameters_and_its_own_win(device: System):
    profile = hosts["bsd-4.2"].settings("print-job")
    assert device.settings["mss"].value == "512" != profile["mss"].value
    assert device.settings["send_buffer"] == profile["send_buffer"]
    assert device.settings.keys() == profile.keys() | {"ack_latency"}


def test_another_host_replaces_the_whole_host_and_nothing_else(hawking: System):
    changed = hawking.with_host("linux-6")
    profile = hosts["linux-6"].settings("print-job")
    of_host = {key: item for key, item in changed.settings.items() if group(key) == "host"}
    others = {key: item for key, item in changed.settings.items() if group(key) != "host"}
    assert of_host == profile  # think_time, of the Hawking's own host, is the default again
    assert others == {key: x for key, x in hawking.settings.items() if group(key) != "host"}
    assert hawking.with_host("linux-6").with_(mss=512).run().parameters["mss"] == "512"


def scales(host: str) -> bool:
    """Whether it offers to scale windows (RFC 7323), as a window beyond 65,535 octets needs."""
    offered = hosts[host].settings("print-job").get("host_window_scale")
    return offered is not None and offered.text != "none"


@pytest.mark.parametrize("host", hosts)
def test_every_profile_runs_before_every_device(program: Path, host: str):
    for system in (each for each in systems.values() if each.scenario == "print-job"):
        behind = system.with_host(host).with_(job_size=50_000)
        if int(behind.parameters()["receive_window"]) > 65535 and not scales(host):
            with pytest.raises(StudyError, match="needs window scaling at both ends"):
                behind.run()
            continue
        result = behind.run()
        assert result.outcome == "finished", (system.name, result.reason)


def test_an_unjudged_profile_rests_on_nothing_measured_and_says_where_each_number_is_from():
    assert {name for name in hosts if hosts[name].unjudged} == UNJUDGED
    for name in UNJUDGED:
        settings = hosts[name].settings("print-job")
        assert {setting.basis for setting in settings.values()} == {"assumed"}, name
        assert all(len(setting.source) > 7 for setting in settings.values()), name
        assert hosts[name].sources, name


@pytest.mark.parametrize("host", sorted(UNJUDGED))
@pytest.mark.parametrize("sender", ["client", "server"])
def test_an_unjudged_profile_sends_and_receives_a_megabyte(host: str, sender: str, program: Path):
    """From a file, at that end of a path, with today's Linux at the other."""
    ends = {sender: host, "server" if sender == "client" else "client": "linux-6"}
    exchange = {end: systems["telnet-xp"].with_profile(end, name) for end, name in ends.items()}
    assert exchange["client"].host == ends["client"] and exchange["server"].peer == ends["server"]
    system = exchange["client"].with_server(ends["server"]).with_(**PATH, commands=1, echo=False)
    for sizes in ({"command_text": 1_000_000}, {"reply_writes": 1, "reply_write": 1_000_000}):
        result = system.with_(**sizes).run()
        assert (result.outcome, result.record["answered"]) == ("finished", 1), result.reason
        assert result.bytes >= 1_000_000


@pytest.mark.parametrize("name", hosts)
def test_a_peer_of_a_host_without_scaling_announces_what_16_bits_hold(name: str, program: Path):
    """The window of the generic system's file is larger, and none of these hosts was run there."""
    system = systems["bulk"].with_host(name).with_(job_size=100_000)
    own = system.parameters()
    unscaled = own["host_window_scale"] == "none"
    assert own["receive_window"] == ("65535" if unscaled else "4000000")
    assert system.run().outcome == "finished"
    if unscaled:
        with pytest.raises(StudyError, match="needs window scaling at both ends"):
            system.with_(receive_window=65536).run()
    for scales in (system.with_host("linux-6"), system.with_(host_window_scale="auto")):
        assert scales.parameters()["receive_window"] == "4000000"
    if unscaled:
        one_end = system.with_(device_window_scale=3).parameters()
        assert one_end["receive_window"] == "65535"


def test_a_run_behind_an_unjudged_profile_says_so(hawking: System):
    system = hawking.with_(job_size=50_000)
    (told,) = caveats.of_hosts(system.with_host("lwip"))
    assert told == f"the host profile lwip is unjudged: {hosts['lwip'].unjudged}"
    assert told in " ".join(str(hawking.what_if(host="lwip", job_size=50_000)).split())
    assert caveats.of_hosts(hawking.with_host("linux-6")) == []


def test_the_host_profile_of_the_article_sends_as_the_hawkings_own_host(hawking: System):
    """Of the profile's parameters only timers that never expire there are not in the system."""
    own, profile = hawking.settings, hosts["linux-2.2"].settings("print-job")
    for key in own.keys() & profile.keys():
        assert (own[key].text, own[key].basis) == (profile[key].text, profile[key].basis), key


def test_the_buffer_of_4_2bsd_is_what_limits_it_before_the_hawking(hawking: System):
    limits_s = hawking.with_host("bsd-4.2").with_(job_size=1_000_000).run().limits_s
    assert max(limits_s, key=limits_s.get) == "send_buffer"


def test_a_profile_for_an_end_that_is_not_there_is_refused(tmp_path: Path, program: Path):
    text = 'title = "An exchange"\nscenario = "request-reply"\nhost = "windows-xp"\n'
    (tmp_path / "exchange.toml").write_text(text)
    said = r"toml:3: a request-reply has no host that takes a profile; ends that do: client, server"
    with pytest.raises(StudyError, match=said):
        load(tmp_path / "exchange.toml")


def test_what_only_another_scenarios_host_has_is_left_out(tmp_path: Path, program: Path):
    """A profile may set what a print job's host has beside its TCP; a misspelling is none's."""
    path = tmp_path / "host.toml"
    think = 'think_time = { value = 1, unit = "ms", basis = "assumed", source = "a test" }\n'
    path.write_text(f'title = "A host"\n[parameters]\n{think}')
    assert load_host(path).settings("print-job").keys() == {"think_time"}
    assert load_host(path).settings("request-reply") == {}
    path.write_text(path.read_text().replace("think_time", "thnik_time"))
    with pytest.raises(StudyError, match=r"host\.toml:3: there is no parameter"):
        load_host(path).settings("request-reply")


def test_a_profile_sets_parameters_of_the_host_only(tmp_path: Path, program: Path):
    path = tmp_path / "odd.toml"
    path.write_text(
        'title = "A host"\n[parameters]\n'
        'link_rate = { value = 1, unit = "Mbps", basis = "assumed", source = "a test" }\n'
    )
    with pytest.raises(StudyError, match=r"odd\.toml:3: link_rate belongs to the link; a host"):
        load_host(path).settings("print-job")


def test_the_program_by_itself_and_the_study_run_the_same(project: Project, program: Path):
    built = sorted(path.stem for path in (program.parent / "systems").glob("*.args"))
    assert built == list(systems), "run ./waf build"
    for name in built:
        own = scenario_program(systems[name].scenario)
        alone = subprocess.run([own, f"--system={name}"], capture_output=True, text=True)
        done = project.study("run", name, "--format", "json")
        assert json.loads(done.stdout) == {"system": name} | json.loads(alone.stdout)


def test_the_list_has_one_line_for_each_system_and_host(project: Project):
    shutil.copy(RESULTS / "reproduction.csv", project.root / "results")
    done = project.study("systems")
    assert done.returncode == 0, done.stderr
    blocks = [block.splitlines()[1:] for block in done.stdout.split("\n\n")]
    of_systems, _, generic, of_hosts = blocks
    assert [line.split()[0] for line in generic] == systems.beside
    assert [line.split()[0] for line in of_systems] == list(systems)
    assert [line.split()[0] for line in of_hosts] == list(hosts)
    assert {line.split()[0] for line in of_hosts if "(unjudged: " in line} == UNJUDGED
    (hawking,) = [line for line in of_systems if line.startswith("hawking-hps1u ")]
    for text in ("24801 B/s", "24810.7 B/s", "+0.04 %", systems["hawking-hps1u"].title):
        assert text in hawking


def test_a_broken_file_has_its_error_in_its_line_and_the_others_are_listed(project: Project):
    folder = project.root / "scenarios" / "systems"
    good = folder / "hawking-hps1u.toml"
    for path in folder.glob("*.toml"):
        if path != good:
            path.unlink()
    (folder / "a-torn.toml").write_text("title = ")
    shutil.copy(good, folder / "b-refused.toml")
    text = good.read_text().replace("value = 2920", "value = 0", 1)
    (folder / "b-refused.toml").write_text(text)
    (project.root / "scenarios" / "hosts" / "z-torn.toml").write_text("[parameters]\n")
    done = project.study("systems")
    assert done.returncode == 2
    assert done.stderr == "study: cannot use a-torn, b-refused, z-torn; see above\n"
    lines = {line.split()[0]: line for line in done.stdout.splitlines() if line}
    assert "scenarios/systems/a-torn.toml:1: not TOML" in lines["a-torn"]
    assert "b-refused.toml" in lines["b-refused"] and "receive_window: 0" in lines["b-refused"]
    assert "scenarios/hosts/z-torn.toml: has no title" in lines["z-torn"]
    assert "24801 B/s" in lines["hawking-hps1u"]
    assert "linux-6" in lines


# Of each its own job, short; its file's host and one of today.
OF_OLD = ("hawking-hps1u", "hp-jetdirect-610n", "netgear-ps101")
HOST_GROUPS = ("host", "job")


def answers(result: Result) -> Counter[float]:
    """How long after the arrival of what it answers each of a device's ACKs of new data leaves, to
    a hundredth of a millisecond, less what its bytes take."""
    parameters = result.parameters
    rate_bps = bits_per_second(parameters["link_rate"])
    byte_s = seconds(parameters["ack_latency_per_byte"])
    found: Counter[float] = Counter()
    arrived_s, line_s, acked = None, 0.0, 1
    for packet in result.packets:
        wire_s = wire_time_s(packet.length, rate_bps)
        if packet.sender == "host" and packet.length:
            line_s = max(line_s, packet.time_s) + wire_s
            arrived_s = line_s if arrived_s is None else arrived_s
        elif packet.sender == "device" and packet.ack is not None and packet.ack > acked:
            if arrived_s is not None and not packet.control:
                own_s = byte_s * (packet.ack - acked)
                found[round((packet.time_s - arrived_s - own_s - wire_s) * 1e5) / 100] += 1
            acked, arrived_s = packet.ack, None
    return found


@pytest.mark.parametrize("name", OF_OLD)
def test_behind_a_host_of_today_an_old_device_keeps_its_own_rules(name: str, program):
    """Only parameters of the host are others; the SYN is answered after the same time with the same
    window, no window is larger, and nine in ten ACKs come after a time that the old host saw."""
    old = systems[name].with_(job_size=100_000)
    new = old.with_host("linux-6")
    declared = declaration(old.scenario)
    changed = [key for key, text in new.parameters().items() if text != old.parameters()[key]]
    assert changed
    assert {declared.parameter(key).group for key in changed} <= set(HOST_GROUPS)
    before, after = old.run(segments=True), new.run(segments=True)
    assert before.outcome == after.outcome == "finished"
    for first, second in zip(before.packets[:2], after.packets[:2], strict=True):
        # Options that the old device does not take up make the SYN's frame a little longer.
        assert second.time_s == pytest.approx(first.time_s, abs=20e-6)
        assert first.flags == second.flags
    assert before.packets[1].window == after.packets[1].window
    largest = [max(p.window for p in r.packets if p.sender == "device") for r in (before, after)]
    assert largest[0] == largest[1]
    seen, found = answers(before), answers(after)
    assert found.most_common(1)[0][0] == seen.most_common(1)[0][0]
    assert sum(found[wait] for wait in found.keys() & seen.keys()) > 0.9 * found.total()


def test_an_imagen_acknowledges_a_host_of_today_by_its_threshold_or_its_timer(program):
    """A host that sends more at a time gets its ACKs at the threshold and no longer from the timer
    alone: what the device does is the same rule."""
    new = systems["imagen-v2"].with_(job_size=100_000).with_host("linux-6")
    result = new.run(segments=True)
    parameters = result.parameters
    least_B = float(parameters["ack_threshold"]) * int(parameters["receive_window"])
    tick_s = seconds(parameters["delayed_ack_timeout"])
    acked, before_s, others = 1, 0.0, 0
    for packet in result.packets:
        if packet.sender == "device" and (packet.ack or 0) > acked and not packet.control:
            ticked = packet.time_s - before_s > tick_s * 0.9
            others += packet.ack - acked <= least_B and not ticked
            acked, before_s = packet.ack, packet.time_s
    assert others <= 3  # the first and the last, by a timer that runs freely
    assert result.throughput_Bps > 10 * systems["imagen-v2"].run().throughput_Bps
