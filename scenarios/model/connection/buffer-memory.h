/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BUFFER_MEMORY_H
#define BUFFER_MEMORY_H

#include <cstdint>
#include <deque>

namespace ns3::study
{

/**
 * @brief The send buffer as Linux counts it: memory, in blocks.
 *
 * What is written goes into blocks (the kernel's sk_buff), each of which takes some memory beyond
 * its data. There is room for more as long as the last block has not begun to leave and is not
 * whole, or else if the memory of all blocks is below the bound: so the last block may take the
 * buffer far beyond it. What leaves together leaves as a block: one of which only a part may leave
 * is split, and its rest waits. Acknowledged data take no memory any more, and no block when all
 * of it is acknowledged. A writer that found no room goes on only when what is free is at
 * least half of what is not, a third of the bound (sk_stream_write_space).
 *
 * Source: man 7 tcp and man 7 socket (SO_SNDBUF), and the kernel's own tcp_sendmsg_locked,
 * sk_stream_memory_free and tso_fragment, read for their rules.
 */
class BufferMemory
{
  public:
    /// @param bound of the memory [B]
    /// @param overhead what each block takes beyond its data [B]
    explicit BufferMemory(uint64_t bound = 0, uint32_t overhead = 0);

    /// Raise the bound to so much memory, if that is more [B]
    void Raise(uint64_t bound);

    /// @return that bound [B]
    uint64_t GetBound() const
    {
        return m_bound;
    }

    /// @param whole how much a block takes at most [B]
    /// @return how much can be written now [B]
    uint32_t GetRoom(uint32_t whole) const;
    /// The same for a writer, who waits if there is none.
    uint32_t Ask(uint32_t whole);

    /// @return true while a writer waits
    bool IsFull() const
    {
        return m_full;
    }

    /// @return the memory that the buffer takes [B]
    uint64_t GetMemory() const
    {
        return m_held + m_blocks.size() * m_overhead;
    }

    /// So much is written, into blocks of at most so much.
    void Write(uint32_t size, uint32_t whole);
    /// All but the last octets has left, at most so many at a time.
    void Leave(uint64_t unsent, uint32_t burst);
    /// All but the last octets is acknowledged.
    void Keep(uint64_t unacknowledged);

    bool operator==(const BufferMemory&) const = default;

  private:
    /// @return how much the last block still takes, if none of it has left [B]
    uint32_t GetRoomInLast(uint32_t whole) const;

    uint64_t m_bound;              //!< of the memory [B]
    uint32_t m_overhead;           //!< what each block takes beyond its data [B]
    uint64_t m_held{0};            //!< octets written and not acknowledged
    uint64_t m_sent{0};            //!< of them, octets that have left
    std::deque<uint32_t> m_blocks; //!< what each block holds of them [B]
    uint32_t m_sentBlocks{0};      //!< how many of these have left
    bool m_full{false};            //!< a writer waits
};

} // namespace ns3::study

#endif /* BUFFER_MEMORY_H */
