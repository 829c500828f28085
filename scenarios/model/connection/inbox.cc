/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "inbox.h"

#include <algorithm>
#include <cmath>

namespace ns3::study::tcp
{

Inbox::Inbox(const Attention& attention, Nanos replyTime)
    : m_attention(attention),
      m_replyTime(replyTime)
{
}

void
Inbox::Add(Item item, uint64_t next)
{
    const Nanos now = item.arrived;
    const uint64_t end = item.begin + item.segment.payload;
    const uint64_t known = std::max(m_arrived, next);
    item.news =
        static_cast<uint32_t>(std::min<uint64_t>(item.segment.payload, end - std::min(end, known)));
    m_arrived = std::max(known, end);
    // No count that grows for ever: what is past the limit makes no difference.
    m_sinceAnswer = std::min(m_sinceAnswer + item.news, m_attention.interactiveBytes + 1);
    m_items.push_back(item);
    const bool longer = m_bulk && m_attention.perByte > 0ns;
    if (!m_handing && (m_due == Nanos::max() || longer))
    {
        Schedule(now);
    }
}

void
Inbox::SetDraw(double fraction)
{
    m_drawn = Nanos(std::llround(static_cast<double>(m_attention.spread.count()) * fraction));
    m_wantsDraw = false;
    m_due += m_bulk ? *m_drawn : 0ns;
}

void
Inbox::Schedule(Nanos now)
{
    const Item& first = m_items.front();
    if (!Queues())
    {
        m_due = first.arrived + m_replyTime;
        return;
    }
    m_bulk = m_attention.interactive == 0ns || m_sinceAnswer > m_attention.interactiveBytes;
    m_wantsDraw = m_bulk && m_attention.spread > 0ns && !m_drawn;
    m_due = now + m_attention.interactive;
    if (first.probe)
    {
        m_bulk = false;
        m_due = first.arrived + m_attention.probe;
    }
    else if (m_bulk)
    {
        uint64_t covered = 0;
        for (const Item& item : m_items)
        {
            covered += item.news;
        }
        m_due = first.arrived + m_attention.bulk + covered * m_attention.perByte;
        m_due += m_drawn.value_or(0ns); // however often bytes that follow put the ACK off
    }
    m_due = std::max(now, m_due);
}

uint32_t
Inbox::Begin()
{
    const std::size_t count = m_bulk ? m_items.size() : 1;
    m_handing = true;
    m_bulk = false;
    m_drawn.reset();
    m_due = Nanos::max();
    return static_cast<uint32_t>(count);
}

Inbox::Item
Inbox::Take()
{
    const Item item = m_items.front();
    m_items.pop_front();
    return item;
}

void
Inbox::End(Nanos now)
{
    m_handing = false;
    if (!m_items.empty())
    {
        Schedule(now);
    }
}

void
Inbox::Shift(Nanos time, uint64_t sent, uint64_t received)
{
    for (Item& item : m_items)
    {
        item.segment.Shift(time, received, sent);
        MoveBack(item.begin, received);
        MoveBack(item.arrived, time);
    }
    m_arrived = std::max<uint64_t>(m_arrived, received + 1) - received;
    MoveBack(m_due, time);
}

void
Inbox::SetTimestamps(const Timestamps& timestamps)
{
    for (Item& item : m_items)
    {
        item.segment.timestamps = timestamps;
    }
}

} // namespace ns3::study::tcp
