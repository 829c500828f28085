/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a connection receives: octets in sequence, their ACKs, and the window it announces.
 */

#include "connection.h"

#include <algorithm>

namespace ns3::study::tcp
{

void
Connection::HandleData(const Segment& segment, const Step& step)
{
    const int64_t place = ToOffset(segment.sequence); // below 0 where some of it is before the SYN
    const auto begin = static_cast<uint64_t>(std::max<int64_t>(place, 0));
    const auto end = static_cast<uint64_t>(std::max<int64_t>(place + segment.payload, 0));
    const uint64_t next = m_receive.GetNext();
    const bool hadGap = m_receive.HasGap();
    // Without SACK a window that grew would keep an ACK from being a duplicate: Linux leaves it.
    const bool mayGrow = m_sack || begin <= next;
    const bool grown = mayGrow && m_receiveWindow.Take(segment.payload, m_wholeSegment, step.now);
    m_receive.SetBuffer(m_receiveWindow.Get());
    m_roundTrip.Hear(step.now);
    const uint32_t unread = m_receive.GetUnread();
    if (m_timestamps)
    {
        const Nanos passed = (ToTimestamp(step.now) - segment.timestamps->echo) * 1ms;
        m_roundTrip.TakeEcho(segment.payload, segment.timestamps->echo, passed, unread > 0);
    }
    const uint32_t news = m_receive.Add(begin, end);
    if (begin > next)
    {
        m_receiveWindow.Stretch(m_receive.GetBeyond());
    }
    else
    {
        m_roundTrip.TakeNext(segment.payload,
                             m_receive.GetNext(),
                             m_acks.GetLeft(GetView()),
                             step.now);
    }
    // A device without AckPushed withholds the ACK of what fills a gap, too.
    const AckPolicy::Settings& acks = m_settings.acks;
    const bool sees = acks.pushed || acks.count != AckCount::OCTETS;
    const bool joins = begin == next && !segment.Has(FIN);
    m_acks.OnData({.payload = segment.payload,
                   .pushed = segment.Has(PSH),
                   .plain = joins && !(sees && (hadGap || news < segment.payload)),
                   .grown = grown},
                  step.now);
    HalveWindow();
    if (m_receive.GetUnread() > unread)
    {
        step.Do(Deliver{m_receive.GetUnread() - unread});
        TakeFin(step); // that had come before
    }
}

void
Connection::Read(uint32_t octets, const Step& step)
{
    m_receive.Read(octets);
    m_receiveWindow.Read(octets,
                         {.unread = m_receive.GetUnread(), .beyond = m_receive.GetBeyond()},
                         m_roundTrip.Get(),
                         step.now);
    if (IsOpen() && !m_handled && !IsSet(ACK_SOON) && m_acks.IsUpdateDue(GetView()))
    {
        SendAck(step);
    }
}

AckPolicy::View
Connection::GetView() const
{
    uint32_t room = m_receive.GetRoom();
    const uint32_t segment = std::max(m_acks.GetLargest(), 1U);
    const uint32_t begun = m_receive.GetUnread() % segment;
    if (m_settings.acks.count == AckCount::ADAPTIVE && begun > 0)
    {
        // Linux frees the memory of a segment when the last of it is read.
        room -= std::min(room, segment - begun);
    }
    const uint32_t field = std::min(room >> m_receiveShift, LARGEST_UNSCALED);
    return {.next = m_receive.GetNext(),
            .room = field << m_receiveShift,
            .buffer = m_receiveWindow.Get(),
            .unread = m_receive.GetUnread() > 0};
}

void
Connection::Handled(const Step& step)
{
    if (m_toAttend > 0)
    {
        // Who counts segments acknowledges between those that are handled together, and Linux does.
        const AckPolicy::Settings& acks = m_settings.acks;
        const bool between = acks.frequency > 0 || acks.count == AckCount::ADAPTIVE;
        if (between && m_acks.IsDue(GetView()))
        {
            SendAck(step);
        }
        Attend(step);
        return;
    }
    if (IsOpen() || m_state == State::TIME_WAIT)
    {
        // What the application wrote just now may leave in a nanosecond, and carries the ACK.
        const bool waits = m_inbox.Queues() && m_acks.IsOwed() && IsSet(SEND_SOON);
        waits ? SetTimer(ACK_SOON, step.now + 2ns) : AcknowledgeOrWithhold(step);
    }
    if (m_attending)
    {
        m_attending = false;
        m_inbox.End(step.now);
        AskForDraw(step);
    }
    if (m_settings.resetOnFinAck && m_state == State::FIN_WAIT_2)
    {
        SendEmpty(RST, step); // no ACK number and no window, as the trace shows it
        StopTimers();
        Become(State::CLOSED, step);
    }
    m_largestWindow = std::max(m_largestWindow, m_window);
    BoundSegment();
    if (m_settings.countsMemory)
    {
        FreeMemory(step);
    }
}

void
Connection::AcknowledgeOrWithhold(const Step& step)
{
    if (m_acks.IsDue(GetView()))
    {
        SendAck(step);
    }
    else if (m_acks.IsOwed())
    {
        m_acks.Withhold(step.now);
    }
}

void
Connection::AskForDraw(const Step& step)
{
    if (m_inbox.WantsDraw())
    {
        step.Do(WantDraw{});
    }
}

} // namespace ns3::study::tcp
