/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loss-recovery.h"

#include <algorithm>

namespace ns3::study
{

LossRecovery::LossRecovery(const Settings& settings)
    : m_window(settings.growth),
      m_timeout(settings.timeout),
      m_settings(settings)
{
}

void
LossRecovery::Begin(uint32_t mss, bool sack, uint64_t next, Nanos now)
{
    m_sack = sack;
    m_head = m_next = next;
    m_lastRtt = m_timeout.GetSmoothed();
    m_lastSent = now;
    m_window.Begin(mss, m_settings.initialWindow, next, now);
}

LossRecovery::News
LossRecovery::OnAck(const Ack& ack, Nanos now)
{
    News news{.inFlight = m_segments.GetPipe()};
    if (!m_segments.IsEmpty() && m_segments.GetHead().End() <= ack.number)
    {
        const SentSegments::Segment& oldest = m_segments.GetHead();
        const Nanos timed = oldest.timed ? now - oldest.sent : 0ns;
        news.rtt = oldest.sentOnce ? timed : ack.echoed;
        if (news.rtt > 0ns)
        {
            m_timeout.Measure(news.rtt);
        }
    }
    m_segments.SetShortestRtt(m_timeout.GetShortest());
    const uint32_t sacked = m_sack ? m_segments.Sack(ack.blocks, now) : 0;
    const bool advances = ack.number > m_head;
    const uint32_t told = m_segments.GetLeft();
    const SentSegments::Acknowledged acknowledged = m_segments.AcknowledgeUpTo(ack.number, now);
    // What a queue adds shows in the newest (Linux's ca_rtt_us), a delayed ACK in the oldest.
    const Nanos newest = acknowledged.lastAgain ? ack.echoed : acknowledged.lastRtt;
    m_lastRtt = newest > 0ns ? newest : m_lastRtt;
    news.delivered = sacked + acknowledged.news;
    if (advances && !m_sack && m_state != State::OPEN)
    {
        news.delivered = EatDuplicates(acknowledged.news, told);
    }
    m_head = ack.number;
    const uint32_t lost = m_segments.GetLostOctets();
    MarkLosses(now);
    m_moreLost = m_segments.GetLostOctets() > lost;

    // One that only changes the window is no duplicate (RFC 5681, 2).
    const bool repeats = !advances && ack.number < m_next && !ack.data && !ack.windowChanged;
    const bool duplicate = m_sack ? sacked > 0 : repeats;
    ProcessProbeAck(ack.number, repeats && sacked == 0);
    m_duplicateAcks = advances ? 0 : m_duplicateAcks; // RFC 6675, 5
    if (duplicate && !m_sack && m_state != State::LOSS)
    {
        news.delivered = m_window.Get().mss; // RFC 9937: one has left the network, whichever
    }
    if (duplicate && !(advances && m_state == State::RECOVERY))
    {
        DuplicateAck(news.delivered);
    }
    if (advances)
    {
        NewAck(ack.number, news.delivered, duplicate, now);
    }
    else if (ack.number < m_next && (duplicate || !ack.windowChanged))
    {
        m_window.Sample(ack.number, m_next, m_lastRtt, now);
    }
    // What acknowledges nothing new puts no probe off (RFC 8985, 7.2).
    if (advances || sacked > 0 || IsRecovering())
    {
        StartProbeTimer(now);
    }
    news.lost = m_segments.GetLostOctets() - std::min(lost, m_segments.GetLostOctets());
    return news;
}

void
LossRecovery::DuplicateAck(uint32_t delivered)
{
    if (m_state == State::LOSS)
    {
        return; // it may be for what was sent again needlessly
    }
    const uint32_t mss = m_window.Get().mss;
    if (m_state == State::RECOVERY)
    {
        if (!m_sack)
        {
            m_segments.SetLeft(m_segments.GetLeft() + mss);
        }
        ReduceWindow(delivered, true);
        return;
    }
    ++m_duplicateAcks;
    m_state = State::DISORDER;
    // Without SACK these may be for what the last recovery sent again needlessly, until something
    // beyond it is acknowledged (RFC 6582, 3.2, step 2).
    const bool news = m_sack || !m_recoverActive;
    const bool enough = !UsesRack() && m_duplicateAcks >= DUPLICATES;
    if (news && (enough || m_segments.HasLost()))
    {
        EnterRecovery(delivered);
    }
    else if (!m_sack && m_duplicateAcks < DUPLICATES)
    {
        m_segments.SetLeft(m_segments.GetLeft() + mss); // RFC 3042
    }
}

void
LossRecovery::EnterRecovery(uint32_t delivered)
{
    const uint32_t flight = GetFlightSize();
    if (!UsesRack())
    {
        m_segments.MarkHead();
    }
    if (!m_sack)
    {
        m_segments.SetLeft(DUPLICATES * m_window.Get().mss);
    }
    m_recover = m_next;
    m_recoverActive = true;
    m_state = State::RECOVERY;
    m_window.BeginRecovery(flight);
    m_window.Recover(m_segments.GetPipe(), delivered, true);
    m_force = m_segments.HasLost(); // or it is in flight again since the recovery before
}

void
LossRecovery::ReduceWindow(uint32_t delivered, bool mayBeLoss)
{
    if (delivered > 0)
    {
        m_window.Recover(m_segments.GetPipe(), delivered, mayBeLoss);
    }
}

void
LossRecovery::NewAck(uint64_t ack, uint32_t delivered, bool duplicate, Nanos now)
{
    const uint32_t mss = m_window.Get().mss;
    m_partOfSegment += delivered;
    const uint32_t segments = m_partOfSegment / mss;
    m_partOfSegment %= mss;
    m_timeouts = 0;
    const bool partial = m_recoverActive && ack < m_recover;
    m_recoverActive = m_recoverActive && ack <= m_recover;
    if (partial && IsRecovering())
    {
        PartialAck(ack, delivered, segments, now);
    }
    else if (!m_sack && m_state == State::RECOVERY && m_recoverActive && m_window.IsOfLinux())
    {
        // All is made good, and duplicate ACKs may still come: Linux waits for more (RFC 6582, 4).
        m_segments.SetLeft(0);
        ReduceWindow(delivered, false);
        m_window.Sample(ack, m_next, m_lastRtt, now);
    }
    else
    {
        FullAck(ack, delivered, segments, duplicate, now);
    }
    StartTimer(now);
}

uint32_t
LossRecovery::EatDuplicates(uint32_t acknowledged, uint32_t told)
{
    // One of them is what was sent again, the others had shown themselves.
    const uint32_t mss = m_window.Get().mss;
    const uint32_t left = told + mss;
    m_segments.SetLeft(left - std::min(left, std::max(acknowledged, mss)));
    return std::max(acknowledged - std::min(acknowledged, told), mss);
}

void
LossRecovery::PartialAck(uint64_t ack, uint32_t delivered, uint32_t segments, Nanos now)
{
    if (m_state == State::LOSS)
    {
        m_window.Sample(ack, m_next, m_lastRtt, now);
        m_window.Grow(segments, now);
        return;
    }
    if (!m_sack)
    {
        m_segments.MarkHead();
        m_force = m_segments.HasLost();
    }
    ReduceWindow(delivered, !m_sack || m_moreLost);
    m_window.Sample(ack, m_next, m_lastRtt, now);
}

void
LossRecovery::FullAck(uint64_t ack,
                      uint32_t delivered,
                      uint32_t segments,
                      bool duplicate,
                      Nanos now)
{
    const State state = m_state;
    const uint32_t mss = m_window.Get().mss;
    if (!m_sack)
    {
        m_segments.SetLeft(0);
    }
    m_window.Sample(ack, m_next, m_lastRtt, now);
    if (!(state == State::DISORDER && duplicate))
    {
        m_state = State::OPEN;
    }
    if (state == State::RECOVERY)
    {
        m_window.EndRecovery();
    }
    else if (m_state == State::OPEN)
    {
        m_window.Grow(segments, now);
    }
    const bool over = state == State::RECOVERY || state == State::LOSS;
    if (over && m_sack && m_segments.GetLostOctets() > 0)
    {
        // What was lost of that which left since it began: another window (RFC 6675, 5).
        EnterRecovery(delivered);
    }
    else if (state == State::RECOVERY && m_window.IsOfLinux())
    {
        m_window.Grow(delivered / mss, now);
    }
}

const SentSegments::Segment*
LossRecovery::GetLost() const
{
    if (!m_segments.HasLost())
    {
        return nullptr;
    }
    const SentSegments::Segment& lost = m_segments.GetLost();
    const uint32_t pipe = m_segments.GetPipe();
    const bool room = pipe == 0 || pipe + lost.size <= m_window.Get().window;
    return room || m_force || m_sendingProbe ? &lost : nullptr;
}

bool
LossRecovery::GetHole()
{
    if (m_state != State::RECOVERY || m_segments.HasLost())
    {
        return false;
    }
    m_segments.MarkAllHoles();
    return GetLost() != nullptr;
}

uint32_t
LossRecovery::GetRoom() const
{
    const uint32_t window = m_window.Get().window;
    const uint32_t pipe = m_sendingProbe ? 0 : m_segments.GetPipe();
    return window - std::min(window, pipe);
}

void
LossRecovery::Sent(uint32_t size, Nanos now)
{
    if (m_segments.GetPipe() == 0)
    {
        m_window.StartFromIdle();
    }
    if (m_segments.IsEmpty())
    {
        m_window.Restart(GetAfterIdle(now - m_lastSent));
    }
    m_lastSent = now;
    m_segments.Add(m_next, size, now);
    m_next += size;
    m_window.Sent(size, m_segments.GetPipe(), m_head, m_next);
    if (!IsWatching())
    {
        StartTimer(now);
    }
    StartProbeTimer(now);
}

void
LossRecovery::Resent(Nanos now)
{
    const SentSegments::Segment& lost = m_segments.GetLost();
    // What runs was meant for what was lost before, as in Linux.
    const bool restarts = m_force || (UsesRack() && lost.begin == m_head);
    m_force = false;
    m_lastSent = now;
    m_segments.Resend(m_next, now);
    m_window.Resent(lost.size);
    if (restarts || !IsWatching())
    {
        StartTimer(now);
    }
}

uint32_t
LossRecovery::GetFlightSize() const
{
    // What limited transmit has added does not count (RFC 5681, 3.2, step 2): it is what lies
    // beyond the congestion window, which nothing has lowered yet.
    return std::min(m_segments.GetTotal(), m_window.Get().window);
}

} // namespace ns3::study
