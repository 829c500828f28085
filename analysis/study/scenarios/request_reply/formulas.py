# SPDX-License-Identifier: GPL-2.0-only
"""Closed forms of an exchange of commands and replies, from the same parameters.

A command is two writes: its text, which the server echoes at once, and the end of its line. The
reply is several small writes. Times run from the client's first write unless they say otherwise. A
reply is short when all behind its first write fits one segment; a longer one is taken to have one
whole segment behind its first write and less than another two.
"""

from dataclasses import replace
from math import ceil

from study.kit.terms import Cycle, Term
from study.kit.wire import wire_time_s
from study.scenarios.request_reply.exchange_parameters import (
    Exchange,
    mss_B,
    to_client_s,
    to_server_s,
)
from study.scenarios.request_reply.replies import reply_arrives_s, slow_start_s


def client_ack_wait_s(x: Exchange, at_once: bool) -> float:
    """Return how long the client withholds the ACK of a single segment, in seconds."""
    return 0 if at_once or x.client_ack_frequency == 1 else x.client_delayed_ack_s


def server_ack_wait_s(x: Exchange) -> float:
    """Return how long the server withholds the ACK of a single segment, in seconds."""
    return 0 if x.server_ack_frequency == 1 else x.server_delayed_ack_s


def text_acknowledged_s(x: Exchange) -> float:
    """Return when the client has the ACK of the command's text, in seconds: on the echo, or without
    an echo alone, after the server's delayed ACK."""
    if x.echo == "true":
        return to_server_s(x, x.command_text_B) + to_client_s(x, x.command_text_B)
    return to_server_s(x, x.command_text_B) + server_ack_wait_s(x) + to_client_s(x, 0)


def end_sent_s(x: Exchange) -> float:
    """Return when the end of the line is sent, in seconds: Nagle's algorithm withholds it until the
    text is acknowledged."""
    if x.client_nagle == "true":
        return max(x.command_write_time_s, text_acknowledged_s(x))
    return max(x.command_write_time_s, x.client_segment_time_s)


def reply_begins_s(x: Exchange) -> float:
    """Return when the server writes the first part of its reply, in seconds."""
    if x.command_end_B == 0 or (x.command_text_B >= mss_B(x) and x.echo != "true"):
        return block_arrives_s(x) + x.server_time_s
    return end_sent_s(x) + to_server_s(x, x.command_end_B) + x.server_time_s


def echo_acknowledged_s(x: Exchange, at_once: bool) -> float:
    """Return when the server has the ACK of its echo, in seconds. The end of the line carries it if
    the echo came first, else it comes alone, after the client's delayed ACK."""
    if x.echo != "true":
        return 0
    echoed_s = to_server_s(x, x.command_text_B) + to_client_s(x, x.command_text_B)
    if x.command_end_B > 0 and end_sent_s(x) >= echoed_s:
        return end_sent_s(x) + to_server_s(x, x.command_end_B)
    return echoed_s + client_ack_wait_s(x, at_once) + to_server_s(x, 0)


def reply_ends_s(x: Exchange, at_once: bool) -> float:
    """Return when the client has the whole reply, in seconds. `at_once`: while the client
    acknowledges every segment at once, as Linux does at the start.

    With Nagle's algorithm at the server the first write is sent when the echo is acknowledged, and
    the others when the first is: after the client's delayed ACK. If the echo's ACK is late, all of
    a short reply is written by then and leaves in one segment: also one delay.
    """
    begins_s, written_s = reply_begins_s(x), (x.reply_writes - 1) * x.reply_write_time_s
    last_s = begins_s + written_s
    if x.server_nagle == "false" or (
        x.reply_writes == 1 and echo_acknowledged_s(x, at_once) <= begins_s
    ):
        return last_s + reply_arrives_s(x, x.reply_write_B)
    rest_B = (x.reply_writes - 1) * x.reply_write_B
    first_s = max(begins_s, echo_acknowledged_s(x, at_once))
    if first_s >= last_s and rest_B < mss_B(x):
        return first_s + to_client_s(x, x.reply_write_B + rest_B)
    wait_s = client_ack_wait_s(x, at_once)
    acknowledged_s = first_s + to_client_s(x, x.reply_write_B) + wait_s + to_server_s(x, 0)
    if rest_B < mss_B(x) or wait_s == 0:
        tail_B = min(rest_B, mss_B(x)) if wait_s else x.reply_write_B
        return max(acknowledged_s, last_s) + to_client_s(x, tail_B)
    return _long_reply_ends_s(x, first_s)


def _long_reply_ends_s(x: Exchange, first_s: float) -> float:
    """Return when a long reply ends, in seconds. A full segment does not wait for Nagle's
    algorithm, and as the client's second it is acknowledged at once. What is written by then is
    sent, again alone: its ACK is delayed, and only then the last part follows. A reply of any
    length has one delay."""
    writes_of_segment = ceil(mss_B(x) / x.reply_write_B)
    segment_s = first_s + writes_of_segment * x.reply_write_time_s
    free_s = segment_s + to_client_s(x, mss_B(x)) + to_server_s(x, 0)
    total_B = x.reply_writes * x.reply_write_B
    sent_B = x.reply_write_B + mss_B(x)
    written_B = min(total_B, ((free_s - first_s) // x.reply_write_time_s + 1) * x.reply_write_B)
    if written_B == total_B:
        return free_s + to_client_s(x, total_B - sent_B)
    alone_B = written_B - sent_B
    acknowledged_s = free_s + to_client_s(x, alone_B) + x.client_delayed_ack_s + to_server_s(x, 0)
    return acknowledged_s + to_client_s(x, total_B - sent_B - alone_B)


def command_s(x: Exchange, at_once: bool = False) -> float:
    """Return the time from the reply before to this command's reply, in seconds. With a
    free-running timer every stalled command ends with a tick, which hides the other times."""
    exchange_s = x.client_time_s + reply_ends_s(x, at_once)
    without_s = x.client_time_s + reply_ends_s(x, True)
    stalled = exchange_s - without_s > x.client_delayed_ack_s / 2
    if x.client_ack_timer == "heartbeat" and stalled:
        return ceil(without_s / x.client_delayed_ack_s) * x.client_delayed_ack_s
    return exchange_s


def quick_commands(x: Exchange) -> int:
    """Return for how many commands the client's initial quick ACKs last. A command has three
    segments, echo and first and second part of the reply, of which the second matters; without an
    echo it is the first of two."""
    return min(x.commands, (x.client_quick_acks + 1) // (3 if x.echo == "true" else 2))


def operation_s(x: Exchange) -> float:
    """Return the time of all commands from the connection on, in seconds."""
    quick = quick_commands(x)
    return quick * command_s(x, at_once=True) + (x.commands - quick) * command_s(x)


def reply_s(x: Exchange, seq: float) -> float:
    """Return the time in seconds from the command whose first byte has that number to the last byte
    of its reply, at the client's interface."""
    before = (seq - 1) // (x.command_text_B + x.command_end_B)
    return reply_ends_s(x, before < quick_commands(x)) - x.client_reply_time_s


def command_B(x: Exchange) -> float:
    """Return a command's bytes in both directions: its writes, the first one's echo, the reply."""
    echoed_B = x.command_text_B if x.echo == "true" else 0.0
    return x.command_text_B + x.command_end_B + echoed_B + x.reply_writes * x.reply_write_B


def command_cycle(x: Exchange) -> Cycle | str:
    """Return a command of a long session by part, or why there is no closed form. A part is the
    time saved if in turn the client's ACKs, the server's ACKs, the server's and the client's
    program take no time; the rest is transmission and handling. A free-running timer hides all
    other parts."""
    if x.turns:
        return "no closed form for a list of turns, of which each is another"
    if x.echo == "true" and x.command_text_B > mss_B(x):
        return "no closed form for a command whose echo is more than a segment"
    sent_B = x.command_text_B + x.command_end_B
    if sent_B > x.server_window_B or (x.link == "path" and sent_B > mss_B(x)):
        return "no closed form for a command of several segments over a path, or of several windows"
    at_once = quick_commands(x) == x.commands
    parts = (
        ("the client's delayed ACK", {"client_delayed_ack_s": 0.0}),
        ("the server's delayed ACK", {"server_delayed_ack_s": 0.0}),
        ("the server's program", {"server_time_s": 0.0}),
        ("the client's program", {"client_time_s": 0.0}),
    )
    if x.client_ack_timer == "heartbeat" and command_s(x, at_once) > command_s(x, True):
        return Cycle(command_B(x), (Term("ticks of the client's timer", command_s(x, at_once)),))
    terms, left_s = [], command_s(x, at_once)
    for name, less in parts:
        x = replace(x, **less)
        terms.append(Term(name, left_s - command_s(x, at_once)))
        left_s = command_s(x, at_once)
    terms.append(Term("slow start", slow_start_s(x) / x.commands))
    return Cycle(command_B(x), (*terms, Term("the frames and their handling", left_s)))


def block_arrives_s(x: Exchange) -> float:
    """Return when the server has all of a command of any length, in seconds, if the congestion
    window holds it: its text in one write, and the end, which joins the rest if the text is a full
    segment or more.

    Full segments leave one after the other. With Nagle's algorithm the rest of the block waits for
    the ACK of all of them. The server acknowledges every n-th at once, so the rest waits for its
    delayed ACK if their number is no multiple of n.
    """
    whole, rest_B = divmod(x.command_text_B + x.command_end_B, mss_B(x))
    segment_s = max(wire_time_s(mss_B(x), x.link_rate_bps), x.client_segment_time_s)
    at_server_s = max(whole - 1, 0) * segment_s
    at_server_s += to_server_s(x, mss_B(x)) if whole else 0
    if rest_B:
        tail_s = whole * x.client_segment_time_s
        if whole and x.client_nagle == "true":
            delayed = whole % x.server_ack_frequency != 0
            tail_s = at_server_s + delayed * x.server_delayed_ack_s + to_client_s(x, 0)
        line_free_s = whole * segment_s
        at_server_s = max(tail_s, line_free_s) + to_server_s(x, rest_B)
    return at_server_s


def block_s(x: Exchange) -> float:
    """Return the time from one confirmation to the next in seconds, for blocks in one write that
    the server's application confirms with a small one, which carries the last ACK."""
    confirmed_s = x.server_time_s + to_client_s(x, x.reply_write_B)
    return x.client_time_s + block_arrives_s(x) + confirmed_s
