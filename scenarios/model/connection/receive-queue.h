/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECEIVE_QUEUE_H
#define RECEIVE_QUEUE_H

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::study::tcp
{

/// What a receiver has of the peer's stream: the octets in sequence that the application has not
/// read, ranges beyond a hole, and where the peer's FIN is. Numbers are offsets in the stream.
class ReceiveQueue
{
  public:
    /// Octets from the first to before the second.
    struct Range
    {
        uint64_t begin{0};
        uint64_t end{0};

        bool operator==(const Range&) const = default;
    };

    /// Set the size of the receive buffer [B]
    void SetBuffer(uint32_t octets)
    {
        m_buffer = octets;
    }

    /// What was announced up to an offset is accepted, however small the buffer has become.
    void Promise(uint64_t edge);
    /// A segment's octets have come. @return how many of the queue are new, 0 for none [B]
    uint32_t Add(uint64_t begin, uint64_t end);
    /// The peer's FIN has come.
    void AddFin(uint64_t place);
    /// The application has read.
    void Read(uint32_t octets);

    /// @return the next octet expected, RCV.NXT; behind the FIN when that is in sequence
    uint64_t GetNext() const
    {
        return m_next;
    }

    /// @return octets in sequence that are not read [B]
    uint32_t GetUnread() const
    {
        return m_unread;
    }

    /// @return first offset that is not accepted: the window's edge, or the FIN's place
    uint64_t GetEdge() const;

    /// @return octets of the buffer that are free; behind a FIN, where none come, those before it
    uint32_t GetRoom() const
    {
        return m_fin ? m_lastRoom : m_buffer - std::min(m_buffer, m_unread);
    }

    /// @return from the next octet expected to the last one beyond a hole; 0 without a hole [B]
    uint64_t GetBeyond() const;

    /// @return true if octets beyond a hole have come
    bool HasGap() const
    {
        return !m_ranges.empty();
    }

    /// @return true if the peer's FIN has come, in sequence
    bool IsFinished() const;

    /// @return the ranges beyond a hole, the one that grew last first (RFC 2018, 4)
    const std::vector<Range>& GetNewestRanges() const
    {
        return m_ranges;
    }

    /// Subtract from all offsets.
    void Shift(uint64_t octets);

    bool operator==(const ReceiveQueue&) const = default;

  private:
    uint32_t m_buffer{0};          //!< receive buffer [B]
    uint64_t m_next{1};            //!< RCV.NXT; 0 is the SYN
    uint64_t m_promised{0};        //!< the edge does not move to the left of it; 0 for none
    uint32_t m_unread{0};          //!< in sequence, not read [B]
    std::vector<Range> m_ranges;   //!< beyond a hole, merged, the newest first
    std::optional<uint64_t> m_fin; //!< place of the peer's FIN
    uint32_t m_lastRoom{0};        //!< octets free when it came [B]
};

} // namespace ns3::study::tcp

#endif /* RECEIVE_QUEUE_H */
