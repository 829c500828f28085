/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a connection sends, and when: what is lost first, then new data (RFC 6675, NextSeg()).
 */

#include "connection.h"

#include <algorithm>

namespace ns3::study::tcp
{

void
Connection::SendPending(const Step& step)
{
    while (step.now >= m_busyUntil && IsOpen() && !IsSet(PACED))
    {
        const SentSegments::Segment* lost = m_recovery.GetLost();
        if (lost)
        {
            SendAgain(*lost, step);
        }
        else if (!SendNew(step))
        {
            const bool newData = m_written > m_recovery.GetNext() && GetOutstanding() < m_window;
            if (newData || !m_recovery.GetHole())
            {
                break;
            }
        }
    }
}

bool
Connection::SendNew(const Step& step)
{
    const uint64_t next = m_recovery.GetNext();
    const uint32_t size = next < m_written ? GetSendRule().GetSize() : 0;
    if (size > 0)
    {
        SendData(next, size, m_closing && next + size == m_written, false, step);
    }
    return size > 0;
}

void
Connection::SendAgain(const SentSegments::Segment& lost, const Step& step)
{
    // A FIN counts as an octet of its segment.
    const uint64_t end = std::min(lost.End(), m_written);
    SendData(lost.begin, static_cast<uint32_t>(end - lost.begin), lost.End() > end, true, step);
}

SendRule
Connection::GetSendRule() const
{
    const uint32_t inFlight = m_recovery.GetSegments().GetPipe();
    return {.rule = m_settings.smallWindow,
            .nagle = m_settings.nagle && HoldsSmallSegment() && !m_recovery.IsSendingProbe(),
            .inBurst = m_inBurst,
            .overriding = m_overriding,
            .retransmissionDue = m_recovery.GetSegments().HasLost(),
            .bufferFull = !MayWrite(1),
            .segment = m_segment,
            .unsent = GetUnsent(),
            .outstanding = GetOutstanding(),
            .inFlight = inFlight,
            .window = m_window,
            .largestWindow = m_largestWindow,
            .congestionWindow = inFlight + m_recovery.GetRoom()};
}

uint32_t
Connection::GetWindowRoom() const
{
    return std::min(m_window - std::min(m_window, GetOutstanding()), m_recovery.GetRoom());
}

bool
Connection::HoldsSmallSegment() const
{
    // The end of the stream waits for no ACK, as Linux and BSD have it.
    return GetOutstanding() > 0 && !m_closing &&
           (!m_settings.minshall || m_smallEnd > m_acknowledged);
}

bool
Connection::Pushes(uint64_t end, uint32_t size) const
{
    if (!m_settings.push || size == 0)
    {
        return false;
    }
    const uint64_t left = m_written - end;
    const uint64_t room = GetWindowRoom();
    return left == 0 || (room < size + std::min<uint64_t>(left, m_segment) && m_burst > 0);
}

void
Connection::BoundSegment()
{
    if (!m_settings.halvesSegments || m_wholeSegment == 0)
    {
        return;
    }
    m_segment = std::max(1U, std::min(m_wholeSegment, GetHalfWindow(m_largestWindow)));
    m_recovery.m_window.SetSegment(m_segment);
}

void
Connection::SendData(uint64_t begin, uint32_t size, bool fin, bool again, const Step& step)
{
    const uint64_t end = begin + size;
    if (GetOutstanding() == 0)
    {
        step.Do(Note{Fact::PROGRESS}); // what went before cannot be lost to a timeout of this
    }
    Segment segment;
    segment.sequence = ToNumber(begin);
    segment.flags = ACK;
    segment.payload = size;
    if (Pushes(end, size))
    {
        segment.flags |= PSH;
    }
    if (fin)
    {
        segment.flags |= FIN;
        SentFin(step);
    }
    Transmit(segment, again, step);
    m_acks.DataLeft(step.now);
    const uint64_t unpaced = uint64_t{m_settings.recovery.initialWindow} * m_segment;
    if (m_pace > 0 && m_recovery.GetNext() > unpaced && !IsSet(PACED))
    {
        constexpr uint64_t nanosOfOctet = 8'000'000'000;
        SetTimer(PACED, step.now + Nanos((size * nanosOfOctet + m_pace / 2) / m_pace));
    }
    if (again)
    {
        m_recovery.Resent(step.now);
    }
    else
    {
        m_recovery.Sent(size + (fin ? 1 : 0), step.now);
    }
    ++m_burst;
    m_smallEnd = size < m_segment ? end : m_smallEnd;
    NoteBurst(size);
    m_wait = Wait::CPU;
    if (m_settings.segmentTime > 0ns)
    {
        m_busyUntil = step.now + m_settings.segmentTime;
        SetTimer(NEXT_SEGMENT, m_busyUntil);
    }
}

void
Connection::SendEmpty(uint8_t flags, const Step& step)
{
    Segment segment;
    segment.sequence = ToNumber(std::max<uint64_t>(m_recovery.GetNext(), 1)); // behind the SYN
    segment.flags = flags;
    if ((flags & ACK) && m_sack)
    {
        const std::size_t most = m_timestamps ? SackBlocks::MOST - 1 : SackBlocks::MOST;
        for (const auto& [begin, end] : m_receive.GetNewestRanges())
        {
            if (segment.sack.count < most)
            {
                segment.sack.Add({ToTheirNumber(begin), ToTheirNumber(end)});
            }
        }
    }
    Transmit(segment, false, step);
}

void
Connection::SendAck(const Step& step)
{
    SendEmpty(ACK, step);
}

void
Connection::Transmit(Segment segment, bool again, const Step& step)
{
    if (segment.Has(ACK))
    {
        const uint64_t next = m_receive.GetNext();
        const uint32_t field = m_acks.GetWindow(GetView()) >> m_receiveShift;
        segment.acknowledgment = ToTheirNumber(next);
        segment.window = static_cast<uint16_t>(std::min(field, LARGEST_UNSCALED));
        m_acks.AckLeft(next, uint32_t{segment.window} << m_receiveShift);
        SetTimer(ACK_SOON, Nanos::max());
    }
    if (m_timestamps && !segment.Has(RST))
    {
        segment.timestamps = Timestamps{ToTimestamp(step.now), m_echo};
    }
    step.Do(Send{segment, again});
}

} // namespace ns3::study::tcp
