/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * How a connection opens: SYN, SYN-ACK and their options (RFC 9293, 3.5 and 3.10.7.2 to 3.10.7.4).
 */

#include "connection.h"

#include <algorithm>

namespace ns3::study::tcp
{

void
Connection::Open(const Step& step)
{
    if (m_state != State::CLOSED)
    {
        return;
    }
    m_synsLeft = m_settings.synRetries;
    Become(State::SYN_SENT, step);
    SendSyn(step);
}

void
Connection::HandleSyn(const Segment& segment, const Step& step)
{
    if (m_state == State::SYN_SENT)
    {
        SetTimer(SYN_AGAIN, Nanos::max()); // both ends open at once
    }
    m_theirs = segment.sequence;
    m_synsLeft = m_settings.synRetries;
    Become(State::SYN_RECEIVED, step);
    Negotiate(segment);
    AnswerSyn(step);
}

void
Connection::AnswerSyn(const Step& step)
{
    if (m_settings.attention.syn == 0ns)
    {
        SendSyn(step);
    }
    else if (!IsSet(SYN_ANSWER))
    {
        SetTimer(SYN_ANSWER, step.now + m_settings.attention.syn);
    }
}

void
Connection::HandleSynAck(const Segment& segment, const Step& step)
{
    m_theirs = segment.sequence;
    const uint32_t announced = m_acks.GetLeft(GetView());
    Negotiate(segment);
    m_receive.Promise(m_receive.GetNext() + announced); // none shrinks again (tcp_select_window)
    m_acks.Begin(m_segment, m_receive.GetNext(), announced);
    Establish(segment, step);
    SendAck(step);
    TellNews(News::CONNECTED, step);
    m_output = m_written > 1; // what was written before it; what follows now has its own timer
}

void
Connection::Negotiate(const Segment& segment)
{
    const uint32_t peers = segment.mss.value_or(static_cast<uint16_t>(DEFAULT_MSS));
    if (m_settings.mssFollowsPeer)
    {
        m_mss = std::max(m_settings.mss, peers); // an interface made for such a path
    }
    m_scales = m_settings.windowScale && segment.windowScale;
    m_sack = m_settings.sack && segment.sackPermitted;
    m_timestamps = m_settings.timestamps && segment.timestamps;
    constexpr uint8_t largestShift = 14; // RFC 7323, 2.3
    m_sendShift = m_scales ? std::min(*segment.windowScale, largestShift) : uint8_t{0};
    m_window = segment.window;
    if (m_timestamps)
    {
        m_echo = segment.timestamps->value;
    }
    const uint32_t options = m_timestamps ? TIMESTAMPS_LENGTH : 0;
    m_wholeSegment = std::max(std::min(m_mss, peers), options + 1) - options;
    m_segment = m_wholeSegment;

    const bool grows = m_receiveWindow.IsGrowing();
    if (m_settings.fixedBuffer)
    {
        m_receiveWindow.KeepBack(m_segment);
    }
    if (!m_scales)
    {
        m_receiveWindow.Bound(LARGEST_UNSCALED);
    }
    if (grows && (!m_scales || m_settings.windowScale == 0))
    {
        m_receiveWindow.RoundDown(m_segment);
    }
    m_receive.SetBuffer(m_receiveWindow.Get());
}

void
Connection::HalveWindow()
{
    // Less than two segments: while the first one waits to be read, Linux has room for no second.
    const bool whole = 2 * uint64_t{m_receiveWindow.Get()} > m_settings.firstWindow;
    if (m_settings.fixedBuffer && m_settings.window < 2 * m_wholeSegment && whole)
    {
        const uint64_t edge = m_receive.GetEdge();
        m_receiveWindow.Bound(m_receiveWindow.Get() / 2);
        m_receive.SetBuffer(m_receiveWindow.Get());
        m_receive.Promise(edge);
    }
}

void
Connection::SendSyn(const Step& step)
{
    if (m_synsLeft == 0)
    {
        End(News::FAILED, step);
        return;
    }
    const uint32_t attempt = m_settings.synRetries - m_synsLeft;
    --m_synsLeft;
    m_recovery.m_timeout.StartSyn(attempt);
    m_synSent = step.now;
    m_firstStamp = attempt > 0 ? m_firstStamp : ToTimestamp(step.now);
    const bool answers = m_state == State::SYN_RECEIVED;
    Segment syn;
    syn.sequence = ToNumber(0);
    syn.flags = answers ? SYN | ACK : SYN;
    const uint32_t room = m_receive.GetRoom();
    const uint32_t segment = m_segment > 0 ? m_segment : m_mss; // none is agreed before the SYN
    const bool rounds = m_receiveWindow.IsGrowing();            // as Linux's
    const uint32_t window =
        std::min(rounds ? ToWholeSegments(room, segment) : room, LARGEST_UNSCALED);
    syn.window = static_cast<uint16_t>(window);
    syn.mss = static_cast<uint16_t>(m_mss);
    syn.sackPermitted = answers ? m_sack : m_settings.sack;
    const bool scales = answers ? m_scales : m_settings.windowScale.has_value();
    if (scales)
    {
        syn.windowScale = m_settings.windowScale;
        m_receiveShift = *m_settings.windowScale;
    }
    if (answers ? m_timestamps : m_settings.timestamps)
    {
        syn.timestamps = Timestamps{ToTimestamp(step.now), m_echo};
    }
    if (answers)
    {
        syn.acknowledgment = ToTheirNumber(m_receive.GetNext());
    }
    m_acks.Begin(m_segment, m_receive.GetNext(), window);
    step.Do(Send{syn});
    const Nanos timeout = m_recovery.m_timeout.Get();
    SetTimer(SYN_AGAIN,
             m_settings.clock.HasWheel() ? m_settings.clock.ToTick(step.now, timeout)
                                         : step.now + timeout);
}

void
Connection::Establish(const Segment& segment, const Step& step)
{
    SetTimer(SYN_AGAIN, Nanos::max());
    SetTimer(SYN_ANSWER, Nanos::max());
    if (!m_scales)
    {
        m_receiveShift = 0;
    }
    const bool again = CountSyns() > 1;
    const bool timed = segment.timestamps && m_timestamps;
    if (!again || timed)
    {
        const Nanos rtt = again ? ToRoundTrip(*segment.timestamps, step.now) : step.now - m_synSent;
        m_recovery.m_timeout.Measure(rtt);
        step.Do(Note{Fact::RTT_SAMPLE, rtt.count()});
    }
    m_recovery.m_timeout.Connect(again);
    m_acknowledged = 1;
    m_recovery.Begin(m_segment, m_sack, 1, step.now);
    // After a loss it begins with one segment (RFC 5681, 3.1). Linux wants two losses, and no echo
    // of the first SYN (tcp_init_transfer).
    CongestionWindow& window = m_recovery.m_window;
    const bool arrived = timed && segment.timestamps->echo == m_firstStamp;
    if (CountSyns() > (window.IsOfLinux() ? 2 : 1) && !arrived)
    {
        window.Set(m_segment, window.Get().threshold);
    }
    Become(State::ESTABLISHED, step);
    step.Do(Acknowledged{ToNumber(1), 0});
}

} // namespace ns3::study::tcp
