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
 * is split, and its rest waits. A large write that has filled a block lets one burst of it go and
 * fills the rest up again, without a look at the bound (tcp_push_one): for as long as the windows
 * let bursts go, or until half the largest window is written since all left together
 * (forced_push). Acknowledged data take no memory any more, and no block when all
 * of it is acknowledged. A writer that found no room goes on only when what is free is at
 * least half of what is not, a third of the bound (sk_stream_write_space).
 *
 * Source: man 7 tcp and man 7 socket (SO_SNDBUF), and the kernel's own tcp_sendmsg_locked,
 * sk_stream_memory_free and tso_fragment, read for their rules.
 */
class BufferMemory
{
  public:
    /// What decides how the sender's data leave.
    struct Course
    {
        uint32_t whole;     //!< how much a block takes at most [B]
        uint32_t burst;     //!< how much leaves as one block [B]
        uint32_t leaves{0}; //!< what the windows let go of what has not left, or is written now [B]
        uint32_t pushed{0}; //!< all leaves when more than this is written since it last did [B]
    };

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

    /// @return how much can be written now [B]
    uint32_t GetRoom(const Course& course) const;
    /// A writer asks for room, and waits if there is none.
    void Ask(const Course& course);

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

    /// @return octets written that have not left [B]
    uint32_t GetUnsent() const
    {
        return static_cast<uint32_t>(m_held - m_sent);
    }

    /// So much is written.
    void Write(uint32_t size, const Course& course);
    /// A write has ended: all leaves that may, as one. (tcp_push.)
    void Push();
    /// All but the last octets has left, at most so many at a time.
    void Leave(uint64_t unsent, uint32_t burst);
    /// All but the last octets is acknowledged.
    void Keep(uint64_t unacknowledged);

    bool operator==(const BufferMemory&) const = default;

  private:
    /// @return how much the last block still takes, if none of it has left [B]
    uint32_t GetRoomInLast(uint32_t whole) const;
    /// @return how much a write that has filled the last block fills up again [B]
    uint32_t GetRefill(uint32_t filled, const Course& course) const;
    /// Let so much of the first block that has not left leave. @param size [B]
    void Split(uint32_t size);

    uint64_t m_bound;              //!< of the memory [B]
    uint32_t m_overhead;           //!< what each block takes beyond its data [B]
    uint64_t m_held{0};            //!< octets written and not acknowledged
    uint64_t m_sent{0};            //!< of them, octets that have left
    std::deque<uint32_t> m_blocks; //!< what each block holds of them [B]
    uint32_t m_sentBlocks{0};      //!< how many of these have left
    uint64_t m_sincePush{0};       //!< octets written since all left together
    bool m_full{false};            //!< a writer waits
};

} // namespace ns3::study

#endif /* BUFFER_MEMORY_H */
