/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "limit-clock.h"

#include <algorithm>

namespace ns3::study
{

namespace
{

/// Data that had lain unread for more than this fraction of the time for which an ACK is withheld
/// then show a reader who is waited for.
constexpr int64_t UNREAD_SHARE = 10;

} // namespace

bool
LimitClock::HoldsFrames() const
{
    return m_busFrames > 0 ||
           std::any_of(m_frames.begin(), m_frames.end(), [](int held) { return held > 0; });
}

bool
LimitClock::IsHostBusy() const
{
    return m_work || m_reads;
}

void
LimitClock::SenderWaitsFor(Limit limit)
{
    if (limit != m_limit)
    {
        Charge();
        m_limit = limit;
    }
}

void
LimitClock::InterfaceFrames(std::size_t interface, int change)
{
    Charge();
    if (interface >= m_frames.size())
    {
        m_frames.resize(interface + 1);
    }
    m_frames[interface] += change;
}

void
LimitClock::BusFrames(int change)
{
    Charge();
    m_busFrames += change;
}

void
LimitClock::OnTheWay(int change)
{
    Charge();
    m_onTheWay += change;
    ForgetHeldBack();
}

void
LimitClock::ApplicationWorks(bool works)
{
    Charge();
    m_works = works;
    m_withheldAtEnd = works ? Time() : m_withheldAtEnd;
}

void
LimitClock::Outstanding(bool outstanding, bool recovering)
{
    if (outstanding != m_outstanding || recovering != m_recovering)
    {
        Charge();
        m_outstanding = outstanding;
        m_recovering = recovering;
    }
}

void
LimitClock::PeerHolds(bool holds)
{
    Charge();
    m_peerHolds = holds;
    m_holdsSince = Simulator::Now();
}

void
LimitClock::AckWithheldAtMost(Time time)
{
    m_longestUnread = std::max(m_longestUnread, time / UNREAD_SHARE + TimeStep(1));
}

void
LimitClock::AckWithheld(bool withheld)
{
    Charge();
    m_ackWithheld = withheld;
    m_withheld = Time();
    m_keepsBack = m_keepsBack || withheld;
    m_unreadBefore = GetUnread();
    ForgetHeldBack();
}

void
LimitClock::DelayedAckExpired()
{
    Charge();
    m_withheldAtEnd += m_withheld;
    const Time keptBack = Simulator::Now() - m_heldBackSince;
    if (IsHeldBack() && !m_peerHolds && UNREAD_SHARE * m_unreadBefore <= keptBack)
    {
        Recharge(Limit::DRAIN, Limit::DELAYED_ACK, m_heldBackSince, m_heldDrain);
        Recharge(Limit::WINDOW_UPDATE, Limit::DELAYED_ACK, m_heldBackSince, m_heldUpdate);
        ForgetHeldBack();
    }
}

Time
LimitClock::GetWithheldAtEnd() const
{
    return m_withheldAtEnd;
}

Time
LimitClock::GetUnread() const
{
    return m_peerHolds ? std::min(Simulator::Now() - m_holdsSince, m_longestUnread) : Time();
}

bool
LimitClock::IsHeldBack() const
{
    return m_ackWithheld && m_onTheWay == 0;
}

void
LimitClock::ForgetHeldBack()
{
    m_heldBackSince = Simulator::Now();
    m_heldDrain = m_heldUpdate = Time();
}

void
LimitClock::Charged(Limit limit, Time time)
{
    // Nagle's algorithm holds the last segment for an ACK that may be withheld; the host's own work
    // on an ACK ends nothing.
    const bool isEnd = !m_works && (m_limit == Limit::APPLICATION || m_limit == Limit::NAGLE ||
                                    m_limit == Limit::CPU);
    if (!isEnd)
    {
        m_withheld = m_withheldAtEnd = Time();
    }
    else if (limit == Limit::DELAYED_ACK)
    {
        m_withheld += time;
    }
    if (IsHeldBack())
    {
        m_heldDrain += limit == Limit::DRAIN ? time : Time();
        m_heldUpdate += limit == Limit::WINDOW_UPDATE ? time : Time();
    }
}

void
LimitClock::ProcessorWorks(std::optional<Limit> on)
{
    Charge();
    m_work = on;
}

void
LimitClock::ApplicationReads(bool waits)
{
    Charge();
    m_reads = waits;
}

void
LimitClock::Describe(StateRecord& state) const
{
    state.Add(static_cast<int64_t>(m_limit));
    for (const int held : m_frames)
    {
        state.Add(held);
    }
    state.Add(m_busFrames);
    for (const int held : {m_pathQueue, m_pathLine, m_onTheWay})
    {
        state.Add(held);
    }
    for (const bool holds : {m_works, m_outstanding, m_recovering, m_peerHolds})
    {
        state.Add(holds);
    }
    state.Add(m_work ? static_cast<int64_t>(*m_work) : -1);
    state.Add(m_reads);
    state.Add(IsLossless());
    state.Add(m_ackWithheld);
    state.Add(IsRunning() ? GetUncharged().GetTimeStep() : 0); // not charged yet
    state.Add(m_keepsBack ? GetUnread().GetTimeStep() : 0);
    state.Add(m_unreadBefore.GetTimeStep());
    state.Add(m_heldDrain.GetTimeStep());
    state.Add(m_heldUpdate.GetTimeStep());
}

Limit
LimitClock::GetHoldingLimit() const
{
    if (IsAllSent() && m_pathQueue > 0)
    {
        return Limit::PATH_QUEUE;
    }
    if (std::any_of(m_frames.begin(), m_frames.end(), [](int held) { return held > 1; }))
    {
        return Limit::LINK;
    }
    if (m_busFrames > 1)
    {
        return Limit::BUS;
    }
    if (m_work)
    {
        return *m_work;
    }
    // The rest of a buffer that Nagle's algorithm holds would go with the bytes that come next.
    if (m_reads && (m_limit == Limit::APPLICATION || m_limit == Limit::NAGLE))
    {
        return Limit::DISK;
    }
    return IsAllSent() ? GetReasonOfSilence() : GetReasonOfWait();
}

bool
LimitClock::IsAllSent() const
{
    return m_limit == Limit::APPLICATION && !m_works;
}

Limit
LimitClock::GetReasonOfSilence() const
{
    if (m_outstanding && m_ackWithheld)
    {
        return Limit::DELAYED_ACK; // what is withheld is no loss
    }
    if (m_outstanding && m_recovering && !IsLossless())
    {
        return Limit::LOSS_RECOVERY;
    }
    if (m_onTheWay > 0)
    {
        const bool onLine =
            m_pathLine > 0 ||
            std::any_of(m_frames.begin(), m_frames.end(), [](int held) { return held > 0; });
        return onLine ? Limit::LINK : Limit::ROUND_TRIP;
    }
    return m_outstanding ? Limit::LAST_ACK
                         : Limit::APPLICATION; // the peer's: its answer is to come
}

Limit
LimitClock::GetReasonOfWait() const
{
    const bool ackWouldHelp = m_limit == Limit::RECEIVE_WINDOW ||
                              m_limit == Limit::CONGESTION_WINDOW ||
                              m_limit == Limit::SEND_BUFFER || m_limit == Limit::NAGLE;
    // Queues of data are in the interfaces' frames, and come first: these are ACKs.
    if (m_pathQueue > 0 && ackWouldHelp)
    {
        return Limit::LINK;
    }
    // On a long way others are travelling meanwhile, and let it go on before this one is sent.
    if (m_ackWithheld && ackWouldHelp && m_onTheWay == 0)
    {
        return Limit::DELAYED_ACK;
    }
    if (m_recovering && !IsLossless() && (ackWouldHelp || m_limit == Limit::DRAIN))
    {
        return Limit::LOSS_RECOVERY;
    }
    return m_limit == Limit::DRAIN && !m_peerHolds ? Limit::WINDOW_UPDATE : m_limit;
}

} // namespace ns3::study
