# SPDX-License-Identifier: GPL-2.0-only
"""Claims about figures of one's own systems and tables: what is known appears by itself, nothing is
drawn that is not so, and files fit the place they go to."""

import csv
import html
import json
import re
from pathlib import Path

import pytest
from study import StudyError, plot, systems
from study.base.project import RESULTS
from study.commands.main import main
from study.diagnosis.diagnosis import diagnose
from study.drawing import axes_of, files, sizes, tex_table
from study.drawing.kinds import curve
from study.system.system import System

WINDOWS = {"receive_window": [1460, 2920, 5840]}


@pytest.fixture(scope="module")
def short(program) -> System:
    return systems["hawking-hps1u"].with_(job_size=100_000)


def legend(drawn) -> list[str]:
    return [text.get_text() for each in drawn.figure.legends for text in each.get_texts()]


def test_a_curve_s_numbers_are_those_of_runs(short: System):
    drawn = short.figure("curve", vary=WINDOWS, by={"ack_latency": ["1ms", "20ms"]})
    for row in drawn.table.itertuples():
        changed = short.with_(
            receive_window=row.receive_window_B, ack_latency=f"{row.ack_latency_s}s"
        )
        result = changed.run()
        assert row.throughput_Bps == result.throughput_Bps
        assert row.limit == max(result.limits_s, key=result.limits_s.get)
    assert legend(drawn)[:2] == ["1 ms", "20 ms"]
    rates = drawn.table[drawn.table.ack_latency_s == 0.001].set_index("receive_window_B")
    least = rates.throughput_Bps.idxmin()  # no value that was asked for: between two it falls
    assert f"is least, {rates.throughput_Bps[least] / 1000:.4g} kB/s at {least} B" in drawn.title


def course(ys: list[float]) -> str:
    """Of the title, what a curve over windows of 1, 2, 3 ... kB does that has these."""
    import pandas as pd

    xs = [1000 * place for place in range(1, len(ys) + 1)]
    table = pd.DataFrame({"receive_window_B": xs, "throughput_Bps": ys})
    axes = [axes_of.axis_of(table, column) for column in table]
    return curve._course(list(zip(xs, ys, strict=True)), *axes)


def test_a_curve_s_title_says_what_it_does():
    """Of one that goes up and down its ends say nothing."""
    assert course([20.0, 30.0, 60.0]) == "grows 3-fold from 1000 B to 3000 B of receive window"
    assert course([60.0, 30.0, 29.9, 30.0]) == (
        "falls 2-fold from 1000 B to 4000 B of receive window"
    )
    assert course([14.0, 58.0, 20.0, 59.0, 35.0]) == (
        "is least, 14 B/s at 1000 B, and most, 59 B/s at 4000 B of receive window"
    )
    assert course([30.0, 60.0, 30.0]) == (
        "is least, 30 B/s at 1000 B, and most, 60 B/s at 2000 B of receive window"
    )
    assert course([0.0, 60.0]).startswith("is least, 0 B/s at 1000 B")
    assert course([30.0, 30.1]) == "does not change with the receive window"
    assert course([30.0]) == "is 30 B/s at 1000 B of receive window"


def test_closed_form_and_stars_are_there_where_they_are_known_and_only_there(program):
    hawking = systems["hawking-hps1u"]
    drawn = hawking.figure("curve", vary=WINDOWS)
    assert "as measured" in legend(drawn)
    assert "24801 B/s" in drawn.caption and "closed form" in drawn.caption
    assert "closed_form_throughput_Bps" in drawn.table
    # The Hawking's cycle and its whole job would hide each other.
    (star,) = (line for line in drawn.figure.axes[0].lines if line.get_marker() == "*")
    assert drawn.caption.count("/s") > 1
    assert [star.get_xdata()[0], star.get_ydata()[0]] == pytest.approx([2920 / 1024, 24.801])
    # Measured was the system's own job, and no formula knows the host's SACK.
    other = hawking.with_(job_size=100_000).figure("curve", vary=WINDOWS)
    assert "as measured" not in legend(other) and "as the source has" not in other.caption
    unknown = hawking.with_(host_sack=True, job_size=100_000)
    without = unknown.figure("curve", vary=WINDOWS)
    assert "closed_form_throughput_Bps" not in without.table
    assert "closed form" not in without.caption


def test_a_job_that_did_not_finish_is_not_drawn_and_the_caption_says_so(short: System):
    table = short.sweep(receive_window=[1460, 2920, 5840], progress=False)
    table.loc[1, "outcome"] = "stalled"
    drawn = plot(table, "receive_window_B", "throughput_Bps")
    (jobs,) = (each for each in drawn.figure.axes[0].lines if each.get_marker() != "None")
    assert list(jobs.get_xdata() * 1024) == [1460, 5840]
    assert "1 rows have no throughput or did not finish" in drawn.caption


def test_a_curve_of_which_no_job_finished_is_named(program, capsys, tmp_path: Path):
    system = ["bulk", "--window", "1MB", "--job-size", "100kB"]
    lists = ["--vary", "rtt=10ms,20ms", "--by", "host=linux-6,lwip"]
    assert main(["figure", "curve", *system, *lists, "-o", str(tmp_path)]) == 0
    assert "study: Not drawn, by host: lwip (no job finished).\n" in capsys.readouterr().err
    behind = json.loads((tmp_path / "curve-bulk.json").read_text())
    assert "lwip (no job finished)" in behind["caption"]


def test_a_map_has_every_job_and_the_measured_point(program):
    lists = {"receive_window": [1460, 2920, 5840], "ack_latency": ["50ms", "116407.4us", "200ms"]}
    drawn = systems["hawking-hps1u"].figure("map", vary=lists)
    assert len(drawn.table) == 9
    assert "as measured" in legend(drawn)
    with pytest.raises(StudyError, match="3 or more values of each"):
        systems["hawking-hps1u"].figure("map", vary=lists | {"ack_latency": ["1ms", "2ms"]})


@pytest.mark.parametrize(
    ("text", "wanted_in", "arranged"),
    [
        ("85mm", (85 / 25.4, None), "column"),
        ("88mm x 60mm", (88 / 25.4, 60 / 25.4), "column"),
        ("18 cm", (18 / 2.54, None), "page"),
        ("poster", (sizes.PAGE_IN, None), "page"),
    ],
)
def test_a_figure_has_the_size_that_was_asked_for(text, wanted_in, arranged, short: System):
    assert sizes.size(text).arranged == arranged
    drawn = short.figure("curve", vary=WINDOWS, size=text)
    width_in, height_in = drawn.figure.get_size_inches()
    assert width_in == pytest.approx(wanted_in[0])
    assert wanted_in[1] is None or height_in == pytest.approx(wanted_in[1])


@pytest.mark.parametrize("text", ["85", "5mm", "3m", "wide", "88mm x 1mm", "x 60mm"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(StudyError, match="size"):
        sizes.size(text)


def colours(drawn) -> list[tuple]:
    from matplotlib.colors import to_rgb

    axes = drawn.figure.axes[0]
    parts = [line.get_color() for line in axes.lines] + [axes.xaxis.label.get_color()]
    marked = [line for line in axes.lines if line.get_marker() == "o"]
    assert marked
    parts += [line.get_markerfacecolor() for line in marked]
    parts += [text.get_color() for text in [*axes.get_xticklabels(), *drawn.figure.texts]]
    return [to_rgb(part) for part in [*parts, drawn.figure.get_facecolor()]]


def test_grey_has_no_colour_and_dark_has_light_letters(short: System):
    by = {"ack_latency": ["1ms", "20ms", "50ms"]}
    grey = short.figure("curve", vary=WINDOWS, by=by, dress="grey")
    assert all(max(each) - min(each) < 0.01 for each in colours(grey))
    *letters, page = colours(short.figure("curve", vary=WINDOWS, by=by, dress="dark"))
    assert max(page) < 0.15
    assert all(max(each) > 0.5 for each in letters)
    with pytest.raises(StudyError, match="no dress 'blue'"):
        short.figure("curve", vary=WINDOWS, dress="blue")


def test_a_map_in_another_dress_is_filled_between_its_lines_and_not_in_them(program):
    from matplotlib.collections import Collection
    from matplotlib.colors import to_rgba_array

    lists = {"receive_window": [1460, 2920, 5840], "ack_latency": ["50ms", "100ms", "200ms"]}
    for dressed in ("light", "dark", "grey"):
        drawn = systems["hawking-hps1u"].figure("map", vary=lists, dress=dressed)
        drawn.figure.draw_without_rendering()
        found = [each for each in drawn.figure.axes[0].collections if isinstance(each, Collection)]
        filled = [any(to_rgba_array(each.get_facecolor())[:, 3] > 0) for each in found]
        assert filled.count(True) == 1 < len(filled)
        colours = [each.get_edgecolor() for each in found] + [
            each.get_facecolor() for each in found
        ]
        if dressed == "grey":
            for row in (row for each in colours for row in to_rgba_array(each)):
                assert max(row[:3]) - min(row[:3]) < 0.01


def test_every_format_comes_from_one_call_and_says_where_it_is_from(program, tmp_path, capsys):
    arguments = ["figure", "curve", "hawking-hps1u", "--job-size", "50000"]
    lists = ["--vary", "receive-window=1460,2920", "--size", "88mm x 60mm", "--dress", "grey"]
    chosen = ["--as", ",".join(files.ALL), "-o", str(tmp_path)]
    assert main([*arguments, *lists, *chosen]) == 0
    stem = tmp_path / "curve-hawking-hps1u-88mmx60mm-grey"
    assert {path.suffix[1:] for path in tmp_path.iterdir()} == {*files.ALL, "json"}
    versions = json.loads(Path(f"{stem}.json").read_text())["versions"]
    for suffix in ("svg", "pdf", "pgf", "png"):
        assert (
            f"matplotlib {versions['matplotlib']}".encode() in Path(f"{stem}.{suffix}").read_bytes()
        )
    pgf = Path(f"{stem}.pgf").read_text()
    assert "\\begin{pgfpicture}" in pgf and "receive window (B)" in pgf


def test_numbers_for_latex_have_siunitx_s_units_and_no_commands(short: System):
    import pandas as pd

    table = pd.DataFrame({"ack_latency_ms": [1.5, 20.0], "host_name": ["a_b & c%", "{x}"]})
    text = tex_table.as_tex(table, "A caption.")
    assert r"\begin{tabular}{S l}" in text
    assert r"{ACK latency (\si{\milli\second})} & {host name} \\" in text
    assert r"1.5 & a\_b \& c\% \\" in text and r"20 & \{x\} \\" in text
    drawn = short.figure("curve", vary=WINDOWS)
    rows = re.findall(r"^(\S+) & finished", tex_table.as_tex(drawn.table, ""), re.MULTILINE)
    assert [float(each) for each in rows] == list(drawn.table.receive_window_B)


def test_a_drawing_saves_itself(short: System, tmp_path: Path):
    drawn = short.figure("curve", vary=WINDOWS)
    assert drawn.save(tmp_path / "mine.pdf") == [tmp_path / "mine.pdf"]
    assert [path.suffix[1:] for path in drawn.save(tmp_path / "all")] == [*files.USUAL]


def test_a_table_of_a_file_is_drawn_by_its_columns_without_their_units(program, tmp_path, capsys):
    out = tmp_path / "t.csv"
    small = ["hawking-hps1u", "--job-size", "20000", "-o", str(out)]
    assert (
        main(["sweep", *small, "--vary", "receive-window=1460,2920", "--vary", "nagle=true,false"])
        == 0
    )
    wanted = ["--x", "receive-window", "--y", "throughput", "--by", "nagle", "--as", "svg"]
    assert main(["plot", str(out), *wanted, "-o", str(tmp_path)]) == 0
    svg = (tmp_path / "t.svg").read_text()
    assert "throughput (kB/s)" in svg and "receive window (B)" in svg
    assert out.read_text().count("\n") == 5  # the table is still there
    assert main(["plot", "none.csv", *wanted, "-o", str(tmp_path / "none")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_a_curve_over_two_lists_of_differences_has_a_curve_for_each_pair(short: System):
    by = {"ack_latency": ["1ms", "20ms"], "mss": [536, 1460]}
    drawn = short.figure("curve", vary=WINDOWS, by=by)
    assert drawn.figure.legends[0].get_title().get_text() == "ACK latency and MSS"
    pairs = ["1 ms, 536 B", "1 ms, 1460 B", "20 ms, 536 B", "20 ms, 1460 B"]
    assert legend(drawn)[:4] == pairs
    lines = [line for line in drawn.figure.axes[0].lines if line.get_label() in pairs]
    assert [len(line.get_xdata()) for line in lines] == [3, 3, 3, 3]


def test_a_capture_stands_in_the_place_of_a_system(program, tmp_path: Path):
    """It is the system that `study diagnose` makes of it."""
    (capture,) = (RESULTS / "captures").glob("small-receive-window.before.*.pcap.gz")
    lists = ["--vary", "receive-window=4096,8192,16384", "--as", "csv", "-o", str(tmp_path)]
    assert main(["figure", "curve", str(capture), *lists]) == 0
    (file,) = tmp_path.glob("curve-*.csv")
    rates = [float(row["throughput_Bps"]) for row in csv.DictReader(file.open())]
    own = diagnose(capture).system().with_(receive_window=8192)
    assert rates[1] == pytest.approx(own.run().throughput_Bps)


def test_a_figure_s_files_name_the_source_with_its_date(program, tmp_path: Path):
    assert main(["figure", "limits", "imagen-v2", "--as", "svg", "-o", str(tmp_path)]) == 0
    text = html.unescape((tmp_path / "limits-imagen-v2.svg").read_text())
    (source,) = systems["imagen-v2"].sources
    assert "1986" in source.title
    assert f"quotes {source.title}" in text


def test_a_generic_system_is_called_by_its_name(program):
    drawn = systems["bulk"].figure("curve", vary={"receive_window": "2048,4096"})
    assert "Generic" not in drawn.caption
    assert "throughput of bulk" in drawn.figure.texts[0].get_text().replace("\n", " ")
