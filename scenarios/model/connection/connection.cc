/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection.h"

#include <algorithm>
#include <utility>

namespace ns3::study::tcp
{

Connection::Connection(const ConnectionSettings& settings)
    : m_settings(settings),
      m_inbox(settings.attention, settings.replyTime),
      m_receiveWindow(settings.firstWindow > 0 ? settings.firstWindow : settings.window,
                      settings.window),
      m_acks(settings.acks),
      m_recovery(settings.recovery),
      m_mss(settings.mss)
{
    StopTimers();
    m_receive.SetBuffer(m_receiveWindow.Get());
    const uint64_t grown = GetBlocks().GetGrownBuffer(m_mss, settings.blockOverhead);
    m_memory = BufferMemory(settings.bufferGrows ? std::min<uint64_t>(grown, settings.sendBuffer)
                                                 : settings.sendBuffer,
                            settings.blockOverhead);
}

void
Connection::SetWindow(const Steer& steer)
{
    m_recovery.m_window.Set(steer.window, steer.threshold);
    m_pace = steer.bitsPerSecond;
}

void
Connection::Become(State state, const Step& step)
{
    m_state = state;
    step.Do(Enter{state});
}

void
Connection::TellNews(News news, const Step& step)
{
    // An application learns of the end once; a reset after the peer's FIN is another one.
    const bool breaks = news == News::BROKEN && m_state == State::CLOSE_WAIT;
    if (news == News::CONNECTED || !m_toldEnd || breaks)
    {
        m_toldEnd = m_toldEnd || news != News::CONNECTED;
        step.Do(Tell{news});
    }
}

void
Connection::Write(uint32_t octets, const Step& step)
{
    NoteWrite(octets, step.now);
    m_inbox.Answered();
    const bool open = m_state == State::ESTABLISHED || m_state == State::CLOSE_WAIT;
    // The answer to a segment takes it along.
    if (open && !m_output && GetSendRule().GetSize() > 0 && !IsSet(SEND_SOON))
    {
        SetTimer(SEND_SOON, step.now + 1ns); // with what else is written at this instant
    }
    if (open)
    {
        StartPersist(step);
    }
    m_judge = true;
}

void
Connection::Resume(const Step& step)
{
    const std::size_t before = step.actions.size();
    // A segment that brings the caller nothing to do leaves it no reason to resume.
    while ((m_output || m_handled) && step.actions.size() == before)
    {
        if (std::exchange(m_output, false))
        {
            SendPending(step);
            SendLoneFin(step);
        }
        if (std::exchange(m_handled, false))
        {
            m_judge = !m_inbox.Queues();
            Handled(step);
        }
    }
    if (m_judge && !m_handled)
    {
        m_judge = false;
        Judge(step);
    }
}

void
Connection::Judge(const Step& step)
{
    m_wait = FindWait(step.now);
    const bool onlyTheTimerHelps = m_wait == Wait::DRAIN && GetOutstanding() == 0 && m_window > 0 &&
                                   m_settings.smallWindow != SmallWindowRule::WHOLE_SEGMENT;
    if (!onlyTheTimerHelps)
    {
        SetTimer(OVERRIDE, Nanos::max());
    }
    else if (!IsSet(OVERRIDE))
    {
        m_overrideStarted = step.now;
        const Nanos wait = GetOverrideWait(m_recovery.m_timeout.Get());
        SetTimer(OVERRIDE, m_settings.clock.ToTick(step.now, wait));
    }
}

Nanos
Connection::GetOverrideWait(Nanos timeout) const
{
    const bool burst = m_settings.smallWindow == SmallWindowRule::BURST; // tcp_probe_timer
    return burst ? timeout : m_settings.overrideTimeout;
}

Wait
Connection::FindWait(Nanos now) const
{
    if (m_state < State::ESTABLISHED)
    {
        return Wait::HANDSHAKE;
    }
    if (now < m_busyUntil)
    {
        return Wait::CPU;
    }
    SendRule rule = GetSendRule();
    rule.congestionWindow = IsSet(PACED) ? rule.inFlight : rule.congestionWindow;
    return rule.FindWait();
}

Sequence
Connection::ToNumber(uint64_t offset) const
{
    return {static_cast<uint32_t>(offset)};
}

Sequence
Connection::ToTheirNumber(uint64_t offset) const
{
    return m_theirs + static_cast<uint32_t>(offset);
}

int64_t
Connection::ToOffset(Sequence theirs) const
{
    const uint64_t next = m_receive.GetNext();
    return static_cast<int64_t>(next) + (theirs - ToTheirNumber(next));
}

int64_t
Connection::ToSentOffset(Sequence ours) const
{
    return static_cast<int64_t>(m_acknowledged) + (ours - ToNumber(m_acknowledged));
}

uint32_t
Connection::GetSendRoom() const
{
    if (m_settings.countsMemory)
    {
        return m_handled ? 0 : m_memory.GetRoom(GetCourse());
    }
    return m_settings.sendBuffer - std::min(m_settings.sendBuffer, GetBuffered());
}

bool
Connection::MayWrite(uint32_t octets) const
{
    return m_settings.countsMemory ? !m_memory.IsFull() : octets <= GetSendRoom();
}

uint32_t
Connection::GetBuffered() const
{
    return static_cast<uint32_t>(m_written - std::clamp<uint64_t>(m_acknowledged, 1, m_written));
}

bool
Connection::IsCongested() const
{
    return IsOpen() && GetSendRule().FindWait() == Wait::CONGESTION_WINDOW;
}

void
Connection::SetTimer(Timer timer, Nanos due)
{
    const bool wasFirst = std::exchange(m_timers[timer], due) == m_firstTimer;
    if (due <= m_firstTimer)
    {
        m_firstTimer = due;
    }
    else if (wasFirst)
    {
        m_firstTimer = *std::min_element(m_timers.begin(), m_timers.end());
    }
}

void
Connection::StopTimers()
{
    m_timers.fill(Nanos::max());
    m_firstTimer = Nanos::max();
}

} // namespace ns3::study::tcp
