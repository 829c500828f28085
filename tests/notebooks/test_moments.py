# SPDX-License-Identifier: GPL-2.0-only
"""A film's stills are of the run: what moves, what is in flight and who waits at each of them; in
the words of the page's player, and as a picture that prints."""

import pytest
from study import systems
from study.front import words
from study.notebooks import moments, pages

# Each with when it is looked at, and with the wait that its notebook is about.
WAITS = {
    "hawking-hps1u": ("20s", "receive_window"),
    "imagen-v2": ("10s", "delayed_ack"),
    "telnet-xp": ("1s", "delayed_ack"),
}


@pytest.mark.parametrize("name", WAITS)
def test_three_moments_have_a_packet_a_silence_and_what_ends_it(name: str, program):
    begin, limit = WAITS[name]
    system = systems[name]
    picture = moments(system, begin)
    before, silence, after = picture.drawing.table.to_dict("records")
    assert before["packets_moving"] >= 1 and after["packets_moving"] == 1
    assert silence["packets_moving"] == 0 and silence["waits_for"] == limit
    result = system.run(segments=True, waits=True)
    for each in (before, silence, after):
        at_s = each["at_s"]
        assert at_s >= float(begin.removesuffix("s"))
        now = [wait for wait in result.waits if wait.from_s <= at_s][-1]
        assert (each["waits_for"], each["who_waits"]) == (now.limit, now.end)
    # All that the far end sent is stamped when it came, so that of the silence nothing is guessed.
    around = [p.time_s for p in result.packets]
    assert not [at for at in around if before["at_s"] + 0.02 < at < after["at_s"] - 0.02]


def test_what_ends_a_silence_is_shown_alone_also_on_a_long_line(program):
    """The far end sent it the line's delay before it came. A still at a later moment would show
    what it releases, too."""
    far = systems["hawking-hps1u"].with_(link_rate="100Mbps", link_delay="25us")
    assert moments(far, "20s").drawing.table.packets_moving.tolist()[1:] == [0, 1]


def test_what_is_in_flight_is_what_the_segment_table_says(program):
    result = systems["hawking-hps1u"].run(segments=True)
    for each in moments(systems["hawking-hps1u"], "20s").drawing.table.to_dict("records"):
        earlier = [p for p in result.packets if p.time_s <= each["at_s"]]
        end = max(p.seq + p.length for p in earlier if p.sender == "host")
        answers = [p for p in earlier if p.sender == "device"]
        assert each["in_flight_B"] == end - max(p.ack for p in answers)
        assert each["window_B"] == answers[-1].window


def test_a_full_pipe_has_one_moment_and_a_request_is_called_so(program):
    pipe = moments(systems["http2-go"], "3s").drawing
    assert len(pipe.table) == 1 and pipe.table.packets_moving[0] > 40
    read = moments(systems["netware"], "1s").drawing
    said = [text.get_text() for axes in read.figure.axes for text in axes.texts]
    assert "a request for 1,436 B" in said and any("asked for" in each for each in said)
    assert not any("window" in each for each in said)


def test_they_say_it_in_the_player_s_words_and_print(program):
    picture = moments(systems["telnet-xp"], "1s")
    said = [text.get_text() for axes in picture.drawing.figure.axes for text in axes.texts]
    waits = words.text("limits.delayed_ack")
    assert f"server: {waits}" in said and "nothing moves" in said
    assert picture.png().startswith(b"\x89PNG")


def test_the_notebooks_that_show_exchanges_have_them():
    texts = {path.stem: path.read_text() for path in pages.FOLDER.glob("[0-9]*.md")}
    having = {name for name, text in texts.items() if "\nmoments(" in text}
    assert {name.partition("-")[0] for name in having} == {"1", "2", "3", "4"}
