/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "receive-queue.h"

#include "nanos.h"

#include <algorithm>

namespace ns3::study::tcp
{

void
ReceiveQueue::Promise(uint64_t edge)
{
    m_promised = edge > GetEdge() ? edge : m_promised;
}

uint32_t
ReceiveQueue::Add(uint64_t begin, uint64_t end)
{
    begin = std::max(begin, m_next);
    end = std::min(end, GetEdge());
    if (begin >= end)
    {
        return 0;
    }
    // The ranges that it meets grow together with it.
    auto news = static_cast<uint32_t>(end - begin);
    Range grown{begin, end};
    std::erase_if(m_ranges, [&](const Range& range) {
        if (range.end < begin || range.begin > end)
        {
            return false;
        }
        const uint64_t known = std::min(end, range.end) - std::max(begin, range.begin);
        news -= static_cast<uint32_t>(known);
        grown = {std::min(grown.begin, range.begin), std::max(grown.end, range.end)};
        return true;
    });
    if (grown.begin > m_next)
    {
        m_ranges.insert(m_ranges.begin(), grown);
        return news;
    }
    m_unread += static_cast<uint32_t>(grown.end - m_next);
    m_next = grown.end;
    m_promised = m_promised > m_next ? m_promised : 0;
    if (m_fin == m_next)
    {
        ++m_next;
    }
    return news;
}

void
ReceiveQueue::AddFin(uint64_t place)
{
    if (!m_fin)
    {
        m_lastRoom = GetRoom();
        m_fin = place;
        m_next += m_next == place;
    }
}

void
ReceiveQueue::Read(uint32_t octets)
{
    m_unread -= std::min(octets, m_unread);
}

void
ReceiveQueue::Shift(uint64_t octets)
{
    m_next -= octets;
    m_promised -= m_promised > 0 ? octets : 0;
    for (Range& range : m_ranges)
    {
        range = {range.begin - octets, range.end - octets};
    }
    if (m_fin)
    {
        MoveBack(*m_fin, octets);
    }
}

uint64_t
ReceiveQueue::GetEdge() const
{
    return m_fin ? *m_fin : std::max(m_next + GetRoom(), m_promised);
}

uint64_t
ReceiveQueue::GetBeyond() const
{
    uint64_t end = m_next;
    for (const Range& range : m_ranges)
    {
        end = std::max(end, range.end);
    }
    return end - m_next;
}

bool
ReceiveQueue::IsFinished() const
{
    return m_fin && *m_fin < m_next;
}

} // namespace ns3::study::tcp
