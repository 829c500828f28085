/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a connection does with a segment that has arrived (RFC 9293, 3.10.7).
 */

#include "connection.h"

#include <algorithm>

namespace ns3::study::tcp
{

void
Connection::Arrive(const Segment& segment, const Step& step)
{
    if (m_state == State::CLOSED)
    {
        if (!segment.Has(SYN) || segment.Has(ACK | RST))
        {
            return;
        }
        Become(State::LISTEN, step);
    }
    if (!segment.Has(RST) && IsOutside(segment))
    {
        SendAck(step); // RFC 9293, 3.10.7.4, first
        return;
    }
    const int64_t begin = ToOffset(segment.sequence);
    const bool closes = segment.Has(FIN | RST);
    const bool synchronized = m_state >= State::ESTABLISHED && !segment.Has(SYN);
    const bool probe = synchronized && segment.payload == 0 && !closes &&
                       begin < static_cast<int64_t>(m_receive.GetNext());
    const bool wantsAnswer = segment.payload > 0 || closes || probe;
    const bool waits =
        m_inbox.Queues() ? wantsAnswer && !segment.Has(SYN) : m_settings.replyTime > 0ns;
    // Before the peer's SYN a number has no place, and it would be given one after that.
    const bool hasPlace = m_state >= State::SYN_RECEIVED || segment.Has(SYN);
    if (!waits || !hasPlace)
    {
        Handle(segment, step);
        return;
    }
    m_inbox.Add({.segment = segment,
                 .begin = static_cast<uint64_t>(std::max<int64_t>(begin, 0)),
                 .probe = probe,
                 .arrived = step.now},
                m_receive.GetNext());
    AskForDraw(step);
    m_wait = m_inbox.Queues() ? m_wait : Wait::CPU;
}

bool
Connection::IsOutside(const Segment& segment) const
{
    if (m_state < State::SYN_RECEIVED)
    {
        return false;
    }
    const int64_t begin = ToOffset(segment.sequence);
    const auto next = static_cast<int64_t>(m_receive.GetNext());
    const auto edge = static_cast<int64_t>(m_receive.GetEdge());
    if (segment.payload == 0)
    {
        return begin > std::max(next, edge); // what is older asks a question
    }
    if (m_state == State::CLOSE_WAIT || m_state == State::LAST_ACK || m_state == State::CLOSING)
    {
        return begin != next;
    }
    return begin + segment.payload < next || begin >= edge;
}

void
Connection::Attend(const Step& step)
{
    // One segment after the other: in between the application reads.
    m_toAttend = m_attending ? m_toAttend : m_inbox.Begin();
    m_attending = true;
    --m_toAttend;
    Handle(m_inbox.Take().segment, step);
}

void
Connection::Handle(const Segment& segment, const Step& step)
{
    m_burst = m_ofBlock = 0;
    m_inBurst = m_wroteSince = false;
    m_handled = true;
    switch (m_state)
    {
    case State::CLOSED:
        break;
    case State::LISTEN:
        if (segment.Has(SYN))
        {
            HandleSyn(segment, step);
        }
        break;
    case State::SYN_SENT:
        HandleInSynSent(segment, step);
        break;
    default:
        HandleSynchronized(segment, step);
        break;
    }
}

void
Connection::HandleInSynSent(const Segment& segment, const Step& step)
{
    const bool acceptable = segment.Has(ACK) && segment.acknowledgment == ToNumber(1);
    if (segment.Has(ACK) && !acceptable)
    {
        if (!segment.Has(RST))
        {
            step.Do(Send{MakeReset(segment)});
        }
    }
    else if (segment.Has(RST))
    {
        if (acceptable)
        {
            End(News::FAILED, step);
        }
    }
    else if (segment.Has(SYN))
    {
        acceptable ? HandleSynAck(segment, step) : HandleSyn(segment, step);
    }
}

void
Connection::HandleSynchronized(const Segment& segment, const Step& step)
{
    const int64_t begin = ToOffset(segment.sequence);
    const auto next = static_cast<int64_t>(m_receive.GetNext());
    if (segment.Has(RST))
    {
        HandleReset(begin, step);
        return;
    }
    if (segment.Has(SYN))
    {
        if (m_state == State::SYN_RECEIVED && !segment.Has(ACK) && begin == 0)
        {
            AnswerSyn(step); // the peer lacks the SYN-ACK
        }
        else
        {
            SendAck(step);
        }
        return;
    }
    if (!segment.Has(ACK) || (m_timestamps && !segment.timestamps))
    {
        return; // RFC 9293, 3.10.7.4, fifth; RFC 7323, 3.2
    }
    const bool empty = segment.payload == 0 && !segment.Has(FIN);
    if (empty && begin < next && m_state >= State::ESTABLISHED)
    {
        m_acks.OnQuestion(); // a window probe or keep-alive
    }
    if (m_timestamps)
    {
        TakeTimestamp(segment);
    }
    if (!HandleAck(segment, step))
    {
        return;
    }
    const int64_t fin = begin + segment.payload;
    if (segment.Has(FIN) && fin >= next && fin <= static_cast<int64_t>(m_receive.GetEdge()))
    {
        m_receive.AddFin(static_cast<uint64_t>(fin)); // first: no window is announced beyond it
    }
    if (segment.payload > 0 && m_state != State::TIME_WAIT)
    {
        HandleData(segment, step);
    }
    if (segment.Has(FIN))
    {
        HandleFin(fin, step);
    }
    m_output = true;
}

void
Connection::TakeTimestamp(const Segment& segment)
{
    // RFC 7323, 4.3: not of what lies beyond a hole, nor an older one
    const uint32_t value = segment.timestamps->value;
    const auto acknowledged = static_cast<int64_t>(m_acks.GetLastAck());
    if (static_cast<int32_t>(value - m_echo) >= 0 && ToOffset(segment.sequence) <= acknowledged)
    {
        m_echo = value;
    }
}

void
Connection::UpdateWindow(const Segment& segment, uint64_t acknowledged, const Step& step)
{
    const uint32_t window = uint32_t{segment.window} << m_sendShift;
    const auto begin = static_cast<uint64_t>(std::max<int64_t>(ToOffset(segment.sequence), 0));
    const bool grows = acknowledged == m_acknowledged && window > m_window;
    if (grows || acknowledged > m_acknowledged || begin > m_highestSequence)
    {
        m_window = window;
    }
    m_highestSequence = std::max(m_highestSequence, begin);
    StartPersist(step);
}

bool
Connection::HandleAck(const Segment& segment, const Step& step)
{
    const int64_t ack = ToSentOffset(segment.acknowledgment);
    if (m_state == State::SYN_RECEIVED)
    {
        if (ack != 1)
        {
            step.Do(Send{MakeReset(segment)});
            return false;
        }
        m_window = uint32_t{segment.window} << m_sendShift;
        Establish(segment, step);
        TellNews(News::CONNECTED, step);
    }
    if (ack > static_cast<int64_t>(m_recovery.GetNext()))
    {
        SendAck(step); // it acknowledges what was never sent
        return false;
    }
    if (m_settings.smallWindow == SmallWindowRule::BURST && segment.payload == 0)
    {
        SetTimer(OVERRIDE, Nanos::max()); // each ACK starts it afresh, as in Linux (tcp_ack_probe)
    }
    const bool windowChanged = uint32_t{segment.window} << m_sendShift != m_window;
    const auto acknowledged = static_cast<uint64_t>(std::max<int64_t>(ack, 0));
    const bool persisting = IsSet(PERSIST);
    UpdateWindow(segment, acknowledged, step);
    if (acknowledged >= m_acknowledged)
    {
        TakeAck(segment, acknowledged, windowChanged, step);
    }
    if (persisting && m_window > 0)
    {
        SetTimer(PERSIST, Nanos::max());
    }
    return true;
}

void
Connection::TakeAck(const Segment& segment, uint64_t number, bool windowChanged, const Step& step)
{
    std::array<SentSegments::Block, SackBlocks::MOST> blocks;
    std::size_t count = 0;
    for (const auto& [begin, end] : segment.sack)
    {
        const int64_t from = std::max<int64_t>(ToSentOffset(begin), 0);
        const int64_t to = std::max<int64_t>(ToSentOffset(end), 0);
        blocks[count++] = {static_cast<uint64_t>(from), static_cast<uint64_t>(to)};
    }
    const Nanos echoed = m_timestamps ? ToRoundTrip(*segment.timestamps, step.now) : 0ns;
    const auto news = m_recovery.OnAck({.number = number,
                                        .blocks = {blocks.data(), m_sack ? count : 0},
                                        .data = segment.payload > 0 || segment.Has(FIN),
                                        .windowChanged = windowChanged,
                                        .echoed = echoed},
                                       step.now);
    if (news.rtt > 0ns)
    {
        step.Do(Note{Fact::RTT_SAMPLE, news.rtt.count()});
    }
    if (m_settings.recovery.growth == GrowthRule::EXTERNAL)
    {
        step.Do(Heard{.number = number,
                      .sack = m_sack ? segment.sack : SackBlocks(),
                      .delivered = news.delivered,
                      .lost = news.lost,
                      .inFlight = news.inFlight});
    }
    if (number == m_acknowledged)
    {
        return;
    }
    const uint64_t data = std::min(number, m_written) - std::min(m_acknowledged, m_written);
    m_acknowledged = number;
    step.Do(Acknowledged{segment.acknowledgment, static_cast<uint32_t>(data)});
    step.Do(Note{Fact::PROGRESS});
    if (data > 0 && !m_closing && !m_settings.countsMemory)
    {
        step.Do(TellRoom{GetSendRoom()});
    }
    if (number > m_written)
    {
        FinAcknowledged(step);
    }
}

} // namespace ns3::study::tcp
