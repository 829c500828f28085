/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "send-memory.h"

#include <algorithm>
#include <limits>

namespace ns3::study
{

void
SendMemory::Begin(uint32_t bound, uint32_t overhead)
{
    m_bound = bound;
    m_overhead = overhead;
}

void
SendMemory::Raise(uint64_t bound)
{
    m_bound = std::max(m_bound, bound);
}

uint64_t
SendMemory::GetBound() const
{
    return m_bound;
}

uint32_t
SendMemory::GetRoom(uint32_t whole) const
{
    if (m_full)
    {
        return 0;
    }
    uint64_t room = GetRoomInLast(whole);
    const uint64_t memory = GetMemory() + room;
    if (memory < m_bound)
    {
        const uint64_t block = uint64_t{whole} + m_overhead;
        room += (m_bound - memory + block - 1) / block * whole;
    }
    return static_cast<uint32_t>(std::min<uint64_t>(room, std::numeric_limits<int32_t>::max()));
}

uint32_t
SendMemory::Ask(uint32_t whole)
{
    const uint32_t room = GetRoom(whole);
    m_full = room == 0;
    return room;
}

uint32_t
SendMemory::GetRoomInLast(uint32_t whole) const
{
    if (m_ends.size() == m_sentBlocks)
    {
        return 0;
    }
    const uint64_t begin = m_ends.size() > 1 ? *(m_ends.end() - 2) : m_acknowledged;
    return whole - static_cast<uint32_t>(std::min<uint64_t>(whole, m_written - begin));
}

bool
SendMemory::IsFull() const
{
    return m_full;
}

uint64_t
SendMemory::GetMemory() const
{
    return m_written - m_acknowledged + m_ends.size() * m_overhead;
}

void
SendMemory::Write(uint32_t size, uint32_t whole)
{
    while (size > 0)
    {
        uint32_t room = GetRoomInLast(whole);
        if (room == 0)
        {
            m_ends.push_back(m_written);
            room = whole;
        }
        const uint32_t part = std::min(size, room);
        m_written += part;
        m_ends.back() = m_written;
        size -= part;
    }
}

void
SendMemory::Leave(uint64_t unsent, uint32_t burst)
{
    const uint64_t sent = m_written - std::min(unsent, m_written);
    while (m_sent < sent)
    {
        const auto block = m_ends.begin() + static_cast<std::ptrdiff_t>(m_sentBlocks);
        m_sent = std::min({sent, *block, m_sent + burst});
        if (m_sent < *block)
        {
            m_ends.insert(block, m_sent);
        }
        ++m_sentBlocks;
    }
}

void
SendMemory::Keep(uint64_t unacknowledged)
{
    m_acknowledged = m_written - std::min(unacknowledged, m_written);
    while (!m_ends.empty() && m_ends.front() <= m_acknowledged)
    {
        m_ends.pop_front();
        m_sentBlocks -= std::min<std::size_t>(m_sentBlocks, 1);
    }
    m_sent = std::max(m_sent, m_acknowledged);
    m_full = m_full && 3 * GetMemory() > 2 * m_bound;
}

void
SendMemory::Describe(StateRecord& state) const
{
    for (const uint64_t end : m_ends)
    {
        state.Add(static_cast<int64_t>(end - m_acknowledged));
    }
    state.Add(static_cast<int64_t>(m_ends.size()));
    state.Add(static_cast<int64_t>(m_written - m_acknowledged));
    state.Add(static_cast<int64_t>(m_sent - m_acknowledged));
    state.Add(static_cast<int64_t>(m_sentBlocks));
    state.Add(m_full);
    state.Add(static_cast<int64_t>(m_bound));
}

} // namespace ns3::study
