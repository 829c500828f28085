/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Timers of LossRecovery: retransmission timeout (RFC 6298), reordering and tail loss probes (RFC
 * 8985); and its small questions.
 */

#include "loss-recovery.h"

#include <algorithm>

namespace ns3::study
{

namespace
{

constexpr int TICKS = 2;               //!< Linux once added so many ticks to both timers
constexpr Nanos MARGIN = 2ms;          //!< and since late 2023 this, in its stable kernels too
constexpr Nanos UNMEASURED_PROBE = 1s; //!< before a round trip is measured (RFC 8985, 7.2)
constexpr int64_t REORDERING_PART = 4; //!< part of the shortest round trip (RFC 8985, 6.2)

} // namespace

Nanos
LossRecovery::GetTimerMargin() const
{
    const TimerClock& clock = m_settings.timeout.clock;
    return clock.HasWheel() ? MARGIN : TICKS * clock.GetTick();
}

uint32_t
LossRecovery::GetAfterIdle(Nanos idle) const
{
    const Nanos tick = m_settings.timeout.clock.GetTick();
    const Nanos timeout = m_timeout.Get() + tick - 1ns;
    return m_window.GetAfterIdle(idle / tick * tick,
                                 timeout / tick * tick,
                                 m_settings.initialWindow);
}

void
LossRecovery::MarkLosses(Nanos now)
{
    if (!UsesRack())
    {
        m_segments.MarkHoles(DUPLICATES, m_window.Get().mss);
        return;
    }
    // On a path that keeps the order no reordering is ever seen (RFC 8985, 6.2, step 4).
    const bool sure = IsRecovering() || m_segments.GetSackedSegments() >= DUPLICATES;
    const Nanos reordering =
        sure ? 0ns : std::min(m_timeout.GetShortest() / REORDERING_PART, m_timeout.GetSmoothed());
    const Nanos wait = m_segments.MarkOvertaken(now, reordering);
    m_reorderingDue = wait > 0ns ? m_settings.timeout.clock.ToNextTick(now, wait + GetTimerMargin())
                                 : Nanos::max();
}

void
LossRecovery::StartTimer(Nanos now)
{
    const bool runs = !m_segments.IsEmpty();
    const TimerClock& clock = m_settings.timeout.clock;
    m_timerDue = runs ? now + m_timeout.Get() : Nanos::max();
    m_timerTick = runs && clock.HasWheel() ? clock.ToNextTick(now, m_timeout.Get()) : m_timerDue;
}

void
LossRecovery::StartProbeTimer(Nanos now)
{
    m_probeDue = Nanos::max();
    if (!UsesRack() || m_segments.IsEmpty() || IsRecovering() ||
        m_segments.GetSackedSegments() > 0 || m_probing) // one at a time; the timeout watches it
    {
        return;
    }
    const TimerClock& clock = m_settings.timeout.clock;
    const Nanos smoothed = m_timeout.GetSmoothed();
    const Nanos margin = m_segments.IsSingle() ? m_settings.peersAckDelay : GetTimerMargin();
    const Nanos wait = smoothed > 0ns ? 2 * smoothed + margin : UNMEASURED_PROBE;
    // The probe goes before the timeout, which it starts afresh; in the wheel the timeout waits.
    const Nanos due = m_timerDue > now ? m_timerDue : m_timerTick;
    const Nanos left = IsWatching() ? due - now : Nanos::max();
    m_probeDue = clock.HasWheel()
                     ? clock.ToNextTick(now, std::min(wait, left))
                     : now + std::min(clock.ToNextTick(now, wait) - now, left - JUST_BEFORE);
    m_probeDue = std::max(m_probeDue, now);
}

Nanos
LossRecovery::GetDeadline() const
{
    const Nanos tail = m_probeDue != Nanos::max() ? m_probeDue : m_timerTick;
    return std::min(tail, m_reorderingDue);
}

LossRecovery::Expired
LossRecovery::OnExpire(Nanos now)
{
    if (m_segments.IsEmpty())
    {
        m_probeDue = m_reorderingDue = Nanos::max();
        return Expired::NOTHING;
    }
    if (m_reorderingDue <= now)
    {
        MarkLosses(now);
        if (m_segments.HasLost())
        {
            m_probeDue = Nanos::max();
            if (!IsRecovering())
            {
                EnterRecovery(0);
            }
            return Expired::REORDERING;
        }
    }
    if (m_probeDue <= now)
    {
        return Expired::PROBE;
    }
    if (m_probeDue == Nanos::max() && m_timerTick <= now)
    {
        TimeOut(now);
        return Expired::TIMEOUT;
    }
    return Expired::NOTHING;
}

void
LossRecovery::TimeOut(Nanos now)
{
    ++m_timeouts;
    m_duplicateAcks = 0;
    m_probing = false;
    m_reorderingDue = m_timerDue = m_timerTick = Nanos::max();
    // Once, as in Linux: a recovery has lowered it, or a timeout since which nothing has come.
    const bool lowered = m_state == State::RECOVERY || (m_state == State::LOSS && m_timeouts > 1);
    m_window.Timeout(!lowered, GetFlightSize(), m_next, now);
    // By time, what left a round trip ago or later may still come (RFC 8985, 6.3).
    m_segments.MarkAll(UsesRack() ? now - m_segments.GetNewestRtt() : Nanos::max());
    m_recover = m_next; // RFC 6582, 4
    m_recoverActive = true;
    m_timeout.BackOff();
    m_state = State::LOSS;
}

void
LossRecovery::BeginProbe()
{
    m_probing = m_sendingProbe = true;
    m_probeIsNew = true;
    m_probeDue = Nanos::max();
}

void
LossRecovery::ProbeWithTail()
{
    m_probeIsNew = false;
    m_segments.MarkTail();
}

void
LossRecovery::EndProbe(Nanos now)
{
    m_sendingProbe = false;
    m_probeEnd = m_next;
    StartTimer(now);
}

void
LossRecovery::ProcessProbeAck(uint64_t ack, bool repeats)
{
    if (!m_probing || ack < m_probeEnd)
    {
        return;
    }
    if (m_probeIsNew || repeats)
    {
        m_probing = false; // nothing was lost, or both have come
    }
    else if (ack > m_probeEnd)
    {
        m_probing = false;
        if (!IsRecovering())
        {
            // It has made good a loss of which nothing else tells (RFC 8985, 7.4.2).
            m_window.LowerAtOnce(GetFlightSize());
        }
    }
}

void
LossRecovery::Shift(Nanos time, uint64_t octets)
{
    m_segments.Shift(time, octets);
    m_window.Shift(time, octets);
    SkipTime(time);
    for (uint64_t* offset : {&m_head, &m_next, &m_recover, &m_probeEnd})
    {
        MoveBack(*offset, octets);
    }
    m_recover = m_recoverActive ? m_recover : 0;
    m_probeEnd = m_probing ? m_probeEnd : 0;
    m_probeIsNew = m_probeIsNew || !m_probing;
    for (Nanos* instant : {&m_lastSent, &m_timerDue, &m_timerTick, &m_probeDue, &m_reorderingDue})
    {
        MoveBack(*instant, time);
    }
}

} // namespace ns3::study
