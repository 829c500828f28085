/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "buffer-memory.h"

#include <algorithm>
#include <limits>

namespace ns3::study
{

BufferMemory::BufferMemory(uint64_t bound, uint32_t overhead)
    : m_bound(bound),
      m_overhead(overhead)
{
}

void
BufferMemory::Raise(uint64_t bound)
{
    m_bound = std::max(m_bound, bound);
}

uint32_t
BufferMemory::GetRoom(uint32_t whole) const
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
BufferMemory::Ask(uint32_t whole)
{
    const uint32_t room = GetRoom(whole);
    m_full = room == 0;
    return room;
}

uint32_t
BufferMemory::GetRoomInLast(uint32_t whole) const
{
    const bool leaving = m_blocks.size() == m_sentBlocks;
    return leaving ? 0 : whole - std::min(whole, m_blocks.back());
}

void
BufferMemory::Write(uint32_t size, uint32_t whole)
{
    while (size > 0)
    {
        uint32_t room = GetRoomInLast(whole);
        if (room == 0)
        {
            m_blocks.push_back(0);
            room = whole;
        }
        const uint32_t part = std::min(size, room);
        m_held += part;
        m_blocks.back() += part;
        size -= part;
    }
}

void
BufferMemory::Leave(uint64_t unsent, uint32_t burst)
{
    const uint64_t sent = m_held - std::min(unsent, m_held);
    while (m_sent < sent)
    {
        const auto block = m_blocks.begin() + m_sentBlocks;
        const auto leaves =
            static_cast<uint32_t>(std::min<uint64_t>({sent - m_sent, burst, *block}));
        if (leaves < *block)
        {
            *block -= leaves;
            m_blocks.insert(block, leaves);
        }
        m_sent += leaves;
        ++m_sentBlocks;
    }
}

void
BufferMemory::Keep(uint64_t unacknowledged)
{
    uint64_t gone = m_held - std::min(unacknowledged, m_held);
    m_held -= gone;
    m_sent -= std::min(m_sent, gone);
    while (gone > 0)
    {
        const auto part = static_cast<uint32_t>(std::min<uint64_t>(gone, m_blocks.front()));
        gone -= part;
        m_blocks.front() -= part;
        if (m_blocks.front() == 0)
        {
            m_blocks.pop_front();
            m_sentBlocks -= m_sentBlocks > 0;
        }
    }
    m_full = m_full && 3 * GetMemory() > 2 * m_bound;
}

} // namespace ns3::study
