/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SENT_SEGMENTS_H
#define SENT_SEGMENTS_H

#include "nanos.h"

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <utility>

namespace ns3::study
{

/**
 * @brief Segments that a sender has sent and the peer has not acknowledged, and what it believes of
 * each: the scoreboard of RFC 6675 and RFC 8985, or without SACK RFC 6582's count of what has left.
 *
 * The cost of a segment does not depend on how many are outstanding. Numbers are offsets in the
 * stream.
 */
class SentSegments
{
  public:
    /// A segment that was sent.
    struct Segment
    {
        uint64_t begin{0};   //!< its first octet
        uint32_t size{0};    //!< payload [B]
        Nanos sent{0};       //!< when it last was
        bool sacked{false};  //!< the peer has it
        bool lost{false};    //!< it is believed lost
        bool resent{false};  //!< and was sent again since then
        bool sentOnce{true}; //!< it never was sent again
        bool timed{true};    //!< its ACK measures a round trip (Karn's algorithm)

        /// @return what follows its last octet
        uint64_t End() const
        {
            return begin + size;
        }

        bool operator==(const Segment&) const = default;
    };

    /// Octets that the peer reports to have, from the first to before the second.
    using Block = std::pair<uint64_t, uint64_t>;

    /// What an ACK acknowledges.
    struct Acknowledged
    {
        uint32_t news{0};      //!< octets that no SACK block had reported [B]
        Nanos lastRtt{0};      //!< round trip of the newest segment; 0 if it measures none
        bool lastAgain{false}; //!< the newest one was sent more than once
    };

    /// New data were sent.
    void Add(uint64_t begin, uint32_t size, Nanos now);
    /// All before an offset is acknowledged.
    Acknowledged AcknowledgeUpTo(uint64_t ack, Nanos now);
    /// The peer reports what it has beyond a hole.
    /// @return the octets that are news [B]
    uint32_t Sack(std::span<const Block> blocks, Nanos now);
    /// State how long a round trip takes at least: the ACK of a retransmission that comes sooner
    /// may be for the first transmission.
    void SetShortestRtt(Nanos shortest);

    /// Believe lost what RFC 6675's IsLost() does, and retransmissions that as much has overtaken
    /// that was sent after them. Linux finds these, where RFC 6675 waits for the timeout.
    /// @param threshold duplicate ACKs that prove a loss
    /// @param mss payload of a whole segment [B]
    void MarkHoles(uint32_t threshold, uint32_t mss);
    /// Believe lost what RACK does (RFC 8985): what left before what came last, and should have
    /// come so long ago.
    /// @param reordering how much later than the others a segment may come
    /// @return how long more of it may still come; 0 if there is none
    Nanos MarkOvertaken(Nanos now, Nanos reordering);
    /// Believe lost all below the highest octet that the peer has (RFC 6675, NextSeg(), rule 3).
    void MarkAllHoles();
    /// Believe the first segment lost.
    void MarkHead();
    /// Believe the last segment lost, to probe the tail of a flight.
    void MarkTail();
    /// A timeout: what the peer is not known to have is to be sent again, the first segment anyway,
    /// the others if they left no later than an instant.
    void MarkAll(Nanos latest);

    /// Without SACK: set how much has left the network beyond the first segment [B]
    void SetLeft(uint32_t octets);

    /// @return that number [B]
    uint32_t GetLeft() const
    {
        return m_left;
    }

    /// @return true if a segment is believed lost and not sent again
    bool HasLost() const
    {
        return m_lost > m_resent;
    }

    /// @return the first of these
    const Segment& GetLost() const;
    /// It is sent again. @param next where new data would begin
    void Resend(uint64_t next, Nanos now);

    /// @return true if nothing is outstanding
    bool IsEmpty() const
    {
        return m_segments.empty();
    }

    /// @return true if one segment is outstanding
    bool IsSingle() const
    {
        return m_segments.size() == 1;
    }

    /// @return round trip of the segment sent last of those that have come; 0 before one has
    Nanos GetNewestRtt() const
    {
        return m_newestRtt;
    }

    /// @return the first segment
    const Segment& GetHead() const
    {
        return m_segments.front();
    }

    /// @return all that is outstanding [B]
    uint32_t GetTotal() const
    {
        return m_total;
    }

    /// @return how much of it is believed lost, whether sent again or not [B]
    uint32_t GetLostOctets() const
    {
        return m_lost;
    }

    /// @return how much of it the peer is known to have [B]
    uint32_t GetSackedOctets() const
    {
        return m_sacked;
    }

    /// @return how many segments these are
    uint32_t GetSackedSegments() const
    {
        return m_sackedSegments;
    }

    /// @return how much is believed to be in flight, RFC 6675's pipe [B]
    uint32_t GetPipe() const;

    /// Subtract from all instants and offsets.
    void Shift(Nanos time, uint64_t octets);

    bool operator==(const SentSegments&) const = default;

  private:
    /// @return the place of the first segment that does not begin before an offset
    std::size_t Find(uint64_t from) const;
    /// @return the retransmission in a place of m_again, or null if it has come
    Segment* FindAgain(const std::pair<uint64_t, uint64_t>& again);
    /// Believe the segments before a place lost that were not examined and have not come.
    void MarkBefore(std::size_t end);
    /// Believe retransmissions lost that left before what lies behind an offset.
    void MarkResent(uint64_t behind);
    /// Believe a retransmission lost.
    void MarkResent(Segment& segment);
    /// Believe one lost.
    void Mark(std::size_t place);
    /// The peer has what is in a range, which is news. @return how much that is [B]
    uint32_t Deliver(uint64_t begin, uint64_t end, Nanos now);
    /// Note of a segment that has come when it was sent.
    void NoteArrival(const Segment& segment, Nanos now);
    /// @return true if a segment left before what came last
    bool IsOvertaken(const Segment& segment) const;
    /// Take a segment out of the sums.
    void Discount(const Segment& segment);

    std::deque<Segment> m_segments; //!< in the order of the stream
    std::deque<std::pair<uint64_t, uint64_t>>
        m_again;                           //!< sent again, and where new data began then
    std::map<uint64_t, uint64_t> m_ranges; //!< what the peer has, merged
    mutable std::size_t m_firstLost{0};    //!< before it none is to be sent again
    std::size_t m_examined{0};             //!< before it MarkHoles() has been
    uint32_t m_total{0};                   //!< outstanding [B]
    uint32_t m_sacked{0};                  //!< of it, what the peer has [B]
    uint32_t m_lost{0};                    //!< of it, what is believed lost [B]
    uint32_t m_resent{0};                  //!< of that, what was sent again [B]
    uint32_t m_sackedSegments{0};          //!< segments that the peer has
    Nanos m_newestSent{Nanos::min()};      //!< when what came last was sent
    uint64_t m_newestEnd{0};               //!< and what follows it
    Nanos m_newestRtt{0};                  //!< and how long it took, with its ACK
    Nanos m_shortestRtt{0};                //!< least of those
    uint32_t m_left{0};                    //!< without SACK: what has left the network [B]
};

} // namespace ns3::study

#endif /* SENT_SEGMENTS_H */
