/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a connection writes and sends in Linux's blocks, and when its send buffer has room.
 */

#include "connection.h"

#include <algorithm>

namespace ns3::study::tcp
{

LinuxBlocks
Connection::GetBlocks() const
{
    const RetransmissionTimeout& timeout = m_recovery.m_timeout;
    return {.congestion = m_recovery.m_window.Get(),
            .largestWindow = m_largestWindow,
            .roundTrip = timeout.GetSmoothed(),
            .shortest = timeout.GetShortest()};
}

BufferMemory::Course
Connection::GetCourse() const
{
    const LinuxBlocks blocks = GetBlocks();
    const uint32_t room = IsOpen() && !IsSet(PACED) ? GetWindowRoom() : 0;
    const uint32_t leaving = GetUnsent() - std::min(GetUnsent(), m_memory.GetUnsent());
    const uint32_t leaves = room - std::min(room, leaving);
    return {.whole = blocks.GetWholeBlock(),
            .burst = blocks.GetBurst(),
            .leaves = leaves - leaves % std::max(m_segment, 1U),
            .pushed = m_largestWindow / 2};
}

uint32_t
Connection::GetUnsent() const
{
    const uint64_t next = std::max<uint64_t>(m_recovery.GetNext(), 1);
    return static_cast<uint32_t>(m_written - std::min(m_written, next));
}

void
Connection::NoteBurst(uint32_t size)
{
    // What is left of a window leaves only as the tail of a block: behind a whole one it would have
    // to begin another. What is written leaves block by block, as each is filled.
    const bool joins = m_settings.smallWindow == SmallWindowRule::BURST;
    const bool ends = joins && ++m_ofBlock % (GetBlocks().GetBlock(m_wroteSince) / m_segment) == 0;
    m_inBurst = (m_inBurst || size >= m_segment) && !ends;
}

void
Connection::Ask()
{
    if (m_settings.countsMemory && !m_handled)
    {
        m_memory.Ask(GetCourse());
    }
}

void
Connection::NoteWrite(uint32_t octets, Nanos now)
{
    m_burst = 0;
    if (m_settings.smallWindow == SmallWindowRule::BURST && now >= m_busyUntil)
    {
        m_wroteSince = true; // or else it only follows what an ACK has let go
        m_ofBlock = 0;
    }
    if (!m_settings.countsMemory)
    {
        m_written += octets;
        return;
    }
    const BufferMemory::Course course = GetCourse();
    const uint32_t room = m_memory.GetRoom(course);
    m_written += octets;
    m_memory.Write(octets, course);
    if (octets < room)
    {
        m_memory.Push(); // or else it goes on writing
    }
    NoteLeaving();
    if (room == 0)
    {
        m_memory.Ask(GetCourse()); // a writer that does not ask first waits from its next one on
    }
}

uint32_t
Connection::NoteLeaving()
{
    const uint32_t unsent = GetUnsent();
    const uint32_t room = IsOpen() && !IsSet(PACED) ? GetWindowRoom() : 0;
    const uint32_t segment = std::max(m_segment, 1U);
    uint32_t leaves = std::min(room, unsent) / segment * segment;
    const bool rest = unsent - leaves < segment && unsent <= room;
    if (rest && !(m_settings.nagle && HoldsSmallSegment()))
    {
        leaves = unsent;
    }
    m_memory.Leave(unsent - leaves, GetBlocks().GetBurst());
    return leaves;
}

void
Connection::FreeMemory(const Step& step)
{
    const LinuxBlocks blocks = GetBlocks();
    const uint32_t leaving = NoteLeaving();
    const uint32_t inFlight = m_recovery.GetSegments().GetPipe();
    const bool windowFull = inFlight + leaving + m_segment > blocks.congestion.window;
    if (m_settings.bufferGrows && m_memory.IsFull() && !windowFull)
    {
        const uint64_t grown = blocks.GetGrownBuffer(m_mss, m_settings.blockOverhead);
        m_memory.Raise(std::min<uint64_t>(grown, m_settings.sendBuffer));
    }
    m_memory.Keep(GetBuffered());
    const uint32_t room = m_memory.GetRoom(GetCourse());
    if (room > 0 && IsOpen() && !m_closing)
    {
        step.Do(TellRoom{room});
    }
}

} // namespace ns3::study::tcp
