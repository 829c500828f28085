/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a connection does when one of its timers expires.
 */

#include "connection.h"

#include <algorithm>

namespace ns3::study::tcp
{

Nanos
Connection::GetDeadline() const
{
    Nanos first = std::min(m_firstTimer, m_inbox.GetDue());
    if (IsOpen())
    {
        first = std::min(first, std::min(m_recovery.GetDeadline(), m_acks.GetDeadline()));
    }
    return first;
}

void
Connection::Expire(const Step& step)
{
    // One at a time, for what it does may put the others off; at one instant the longest first.
    const Nanos due = GetDeadline();
    if (due > step.now)
    {
        return;
    }
    if (IsOpen() && m_recovery.GetDeadline() == due)
    {
        RecoveryTimeout(step);
    }
    else if (IsOpen() && m_acks.GetDeadline() == due)
    {
        step.Do(Note{Fact::DELAYED_ACK_EXPIRED});
        SendAck(step);
    }
    else if (m_inbox.GetDue() == due)
    {
        Attend(step);
    }
    else
    {
        const auto first = std::find(m_timers.begin(), m_timers.end(), due);
        const auto timer = static_cast<Timer>(first - m_timers.begin());
        SetTimer(timer, Nanos::max());
        Fire(timer, step);
    }
}

void
Connection::Fire(Timer timer, const Step& step)
{
    switch (timer)
    {
    case SEND_SOON:
        SendPending(step);
        break;
    case NEXT_SEGMENT:
    case PACED:
        m_judge = true;
        SendPending(step);
        break;
    case ACK_SOON:
        AcknowledgeOrWithhold(step);
        break;
    case SYN_ANSWER:
        SendSyn(step);
        break;
    case SYN_AGAIN:
        m_state == State::SYN_RECEIVED ? AnswerSyn(step) : SendSyn(step);
        break;
    case PERSIST:
        ProbeWindow(step);
        break;
    case OVERRIDE:
        if (FindWait(step.now) == Wait::DRAIN && GetOutstanding() == 0)
        {
            m_overriding = true;
            SendPending(step);
            m_overriding = false;
            m_judge = true;
        }
        break;
    case WAIT_2MSL:
        Become(State::CLOSED, step);
        break;
    case N_TIMERS:
        break;
    }
}

void
Connection::RecoveryTimeout(const Step& step)
{
    m_judge = true;
    switch (m_recovery.OnExpire(step.now))
    {
    case LossRecovery::Expired::NOTHING:
        break;
    case LossRecovery::Expired::REORDERING:
        m_output = true; // when a congestion control outside has heard of it
        break;
    case LossRecovery::Expired::PROBE:
        step.Do(Note{Fact::TIMED_OUT});
        m_recovery.BeginProbe();
        if (!SendNew(step))
        {
            m_recovery.ProbeWithTail();
            SendAgain(*m_recovery.GetLost(), step);
        }
        m_recovery.EndProbe(step.now);
        break;
    case LossRecovery::Expired::TIMEOUT:
        if (m_recovery.GetTimeouts() > m_settings.dataRetries)
        {
            End(News::BROKEN, step);
            return;
        }
        step.Do(Note{Fact::TIMED_OUT});
        SetTimer(PACED, Nanos::max());
        SendPending(step);
        break;
    }
}

void
Connection::ProbeWindow(const Step& step)
{
    if (m_acknowledged >= m_written)
    {
        return; // nothing left to ask a window for; a FIN may be acknowledged, too
    }
    // One below SND.UNA: outside the peer's window, so that it must answer (RFC 9293, 3.10.7.4).
    Segment probe;
    probe.sequence = ToNumber(m_acknowledged - 1);
    probe.flags = ACK;
    Transmit(probe, false, step);
    step.Do(Note{Fact::WINDOW_PROBE});
    SetPersist(2 * m_persistInterval, step.now);
}

void
Connection::StartPersist(const Step& step)
{
    if (m_window == 0 && !IsSet(PERSIST))
    {
        SetPersist(m_settings.firstPersist, step.now);
    }
}

void
Connection::SetPersist(Nanos interval, Nanos now)
{
    m_persistInterval = std::min(interval, m_settings.longestPersist);
    m_persistStarted = now;
    SetTimer(PERSIST, m_settings.clock.ToTick(now, m_persistInterval));
}

} // namespace ns3::study::tcp
