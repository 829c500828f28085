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
BufferMemory::GetRoom(const Course& course) const
{
    const uint32_t last = GetRoomInLast(course.whole);
    if (m_full || (last == 0 && GetMemory() >= m_bound))
    {
        return 0;
    }
    uint64_t room = last > 0 ? last : course.whole;
    const uint32_t refill = GetRefill(static_cast<uint32_t>(room), course);
    const uint64_t memory = GetMemory() + room + (last > 0 ? 0 : m_overhead);
    if (refill > 0)
    {
        room += refill; // and then its writer asks again
    }
    else if (memory < m_bound)
    {
        const uint64_t block = uint64_t{course.whole} + m_overhead;
        room += (m_bound - memory + block - 1) / block * course.whole;
    }
    return static_cast<uint32_t>(std::min<uint64_t>(room, std::numeric_limits<int32_t>::max()));
}

uint32_t
BufferMemory::GetRefill(uint32_t filled, const Course& course) const
{
    const bool first = m_blocks.size() <= m_sentBlocks + (GetRoomInLast(course.whole) > 0);
    const uint64_t written = m_sincePush + filled;
    if (!first || course.burst >= course.whole || written > course.pushed)
    {
        return 0;
    }
    const uint64_t bursts = (course.pushed - written) / course.burst + 1;
    return static_cast<uint32_t>(std::min<uint64_t>(bursts * course.burst, course.leaves));
}

void
BufferMemory::Ask(const Course& course)
{
    m_full = GetRoom(course) == 0;
    if (m_full)
    {
        Push();
    }
}

uint32_t
BufferMemory::GetRoomInLast(uint32_t whole) const
{
    const bool leaving = m_blocks.size() == m_sentBlocks;
    return leaving ? 0 : whole - std::min(whole, m_blocks.back());
}

void
BufferMemory::Write(uint32_t size, const Course& course)
{
    uint32_t leaves = course.leaves;
    while (size > 0)
    {
        uint32_t room = GetRoomInLast(course.whole);
        if (room == 0)
        {
            m_blocks.push_back(0);
            room = course.whole;
        }
        const uint32_t part = std::min(size, room);
        m_held += part;
        m_blocks.back() += part;
        m_sincePush += part;
        size -= part;
        if (part < room)
        {
            return;
        }
        const bool first = m_sentBlocks + 1 == m_blocks.size();
        const bool all = m_sincePush > course.pushed;
        m_sincePush = all ? 0 : m_sincePush;
        const uint32_t leaving = std::min(leaves, all ? GetUnsent() : first ? course.burst : 0);
        leaves -= leaving;
        Leave(GetUnsent() - std::min(leaving, GetUnsent()), course.burst);
    }
}

void
BufferMemory::Push()
{
    m_sincePush = m_sent < m_held ? 0 : m_sincePush;
}

void
BufferMemory::Split(uint32_t size)
{
    const auto block = m_blocks.begin() + m_sentBlocks;
    if (size < *block)
    {
        *block -= size;
        m_blocks.insert(block, size);
    }
    m_sent += size;
    ++m_sentBlocks;
}

void
BufferMemory::Leave(uint64_t unsent, uint32_t burst)
{
    const uint64_t sent = m_held - std::min(unsent, m_held);
    while (m_sent < sent)
    {
        const uint64_t left = std::min<uint64_t>(sent - m_sent, burst);
        Split(static_cast<uint32_t>(std::min<uint64_t>(left, m_blocks[m_sentBlocks])));
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
