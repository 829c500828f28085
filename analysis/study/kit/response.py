# SPDX-License-Identifier: GPL-2.0-only
"""What a congestion control leaves of the window, as closed forms: its response to a fraction p of
packets lost, and the fraction of a line that it keeps busy before a queue of its own losses.
Windows are in segments, b is how many of them an ACK lets the window count as one.

Each is an average over many losses, one at a time, at a window of more than a few segments; where a
job is far from that is its scenario's to say.
"""

from math import sqrt

# Average of additional segments that a window grows by after each loss, where it is counted in
# whole segments: half of the bytes acknowledged towards the next segment are forgotten (1/2 of
# 1/2), and an odd window is halved downwards (1/4).
WHOLE_SEGMENTS = 1 / 2

# CUBIC's constant in segments/s^3, and its window after a loss as a fraction (RFC 9438, 4.1.2,
# 4.6).
CUBIC_C, CUBIC_BETA = 0.4, 0.7


def square_root_window(loss: float, b: float = 1) -> float:
    """Return the average window in segments for random loss. Between two losses the window grows
    from W/2 to W, by a segment in b round trips, and 3/8 b W^2 segments are sent, of which one is
    lost. The average is 3/4 W: C/sqrt(p), C = sqrt(3/2 / b) (Mathis, Semke, Mahdavi, Ott: The
    macroscopic behavior of the TCP congestion avoidance algorithm, CCR 27(3), 1997, equation 3; RFC
    3649, 2, has 1.2)."""
    return sqrt(1.5 / (b * loss))


def sawtooth_window(interval: float, b: float = 1, forgotten: float = 0) -> float:
    """Return the average window if exactly every n-th segment is lost (n is `interval`), with a
    round trip for each recovery (RFC 5681, 3.2), in which half the window is sent and does not
    grow. So 3/8 b W^2 + W/2 segments are sent in b W/2 + 1 rounds, and in b rounds more for each
    segment of growth that a loss has forgotten."""
    tip = (sqrt(0.25 + 1.5 * b * interval) - 0.5) / (0.75 * b)
    return interval / (b * (tip / 2 + forgotten) + 1)


def timeouts_s(loss: float, rto_s: float, b: float = 1) -> float:
    """Return the timeouts' part of the time for one segment, in seconds, which is in addition to a
    round trip for each `square_root_window` (Padhye, Firoiu, Towsley, Kurose: Modeling TCP
    throughput, SIGCOMM 1998; RFC 5348, 3.1)."""
    return rto_s * 3 * sqrt(3 * b * loss / 8) * loss * (1 + 32 * loss**2)


def cubic_window(loss: float, rtt_s: float) -> float:
    """Return CUBIC's average window where it grows with time (RFC 9438, 5.1, equations 5 and 6; RFC
    8312, 5.1). Where `square_root_window` is larger, CUBIC uses that (RFC 9438, 4.3)."""
    growth = CUBIC_C * (3 + CUBIC_BETA) / (4 * (1 - CUBIC_BETA))
    return growth**0.25 * (rtt_s / loss) ** 0.75


def sawtooth_share(pipe: float, queue: float, b: float = 1) -> float:
    """Return the fraction of time that a link is busy if a queue of `queue` segments makes the
    losses and the window is halved after each. The link is idle while the window is below `pipe`,
    the segments that it carries in a round trip. The fraction is 3/4 without a queue, and 1 with
    one as long as the pipe (Villamizar and Song: High performance TCP in ANSNET, CCR 24(5), 1994;
    Appenzeller, Keslassy, McKeown: Sizing router buffers, SIGCOMM 2004, section 2)."""
    least = (pipe + queue) / 2
    if least >= pipe:
        return 1.0
    resting, full = b * (pipe - least), b * queue  # rounds below and above the pipe
    sent_full = (pipe + queue / 2) * full
    sent_resting = (least + pipe) / 2 * resting + least  # the last term: a round of recovery
    return (sent_resting + sent_full) / (pipe * (resting + 1) + sent_full)
