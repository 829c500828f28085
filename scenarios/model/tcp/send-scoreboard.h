/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEND_SCOREBOARD_H
#define SEND_SCOREBOARD_H

#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/sequence-number.h"
#include "ns3/tcp-option-sack.h"

#include <cstdint>
#include <deque>
#include <map>
#include <utility>

namespace ns3
{
class TcpTxItem;
}

namespace ns3::study
{

/**
 * @brief What a sender has sent and the peer has not acknowledged, and what it believes of it.
 *
 * It is the scoreboard of RFC 6675 for a connection with SACK, and NewReno's (RFC 6582) count of
 * duplicate ACKs for one without. ns-3's TcpTxBuffer keeps one as well, and walks through all that
 * is outstanding for every segment sent; here what a segment costs does not depend on that.
 */
class SendScoreboard
{
  public:
    /// A segment that was sent.
    struct Segment
    {
        SequenceNumber32 begin; //!< its first octet
        uint32_t size;          //!< [B]
        TcpTxItem* item;        //!< the transmit buffer's, which lives as long as this
        Time sent;              //!< when it last was
        bool sacked{false};     //!< the peer has it
        bool lost{false};       //!< it is believed lost
        bool resent{false};     //!< and was sent again since then
        bool everResent{false}; //!< it was sent more than once

        /// @return what follows its last octet
        SequenceNumber32 End() const
        {
            return begin + size;
        }
    };

    /// Called with a segment that the peer is found to have.
    using Delivered = Callback<void, TcpTxItem*>;

    /// New data were sent.
    void Add(SequenceNumber32 begin, uint32_t size, TcpTxItem* item);
    /// All before a number is acknowledged.
    void AcknowledgeUpTo(SequenceNumber32 ack);
    /// The peer tells what it has beyond a hole.
    /// @return the octets that are news [B]
    uint32_t Sack(const TcpOptionSack::SackList& blocks, const Delivered& delivered);
    /// Believe what RFC 6675's IsLost() does, and of what was sent again, too, if so much of what
    /// was sent after it has come. So Linux finds a lost retransmission (RFC 8985), where RFC 6675
    /// waits for the timeout.
    /// @param mss payload of a whole segment [B]
    void MarkHoles(uint32_t threshold, uint32_t mss);
    /// Tell how long a round trip takes at least.
    void SetShortestRtt(Time shortest);
    /// Believe what RFC 8985's RACK does: what left before what came last, and should have come so
    /// long ago.
    /// @param reordering how much later than the others a segment may come
    /// @return how long more of it may still come; 0 if there is none
    Time MarkOvertaken(Time reordering);
    /// Believe all below the highest octet that the peer has, as NextSeg()'s third rule does.
    void MarkAllHoles();
    /// Believe the first segment lost, once.
    void MarkHead();
    /// Have the last segment be sent again, to see what becomes of it. @return the segment
    const Segment& MarkTail();
    /// A timeout: all that the peer is not known to have is to be sent again.
    void MarkAll();

    /// Without SACK: another segment has left the network, or some of those were acknowledged.
    void SetLeft(uint32_t octets);
    /// @return that number [B]
    uint32_t GetLeft() const;

    /// @return true if a segment is believed lost and not sent again
    bool HasLost() const;
    /// @return the first of these
    Segment& GetLost();
    /// It is sent again, when new data would begin at a number.
    void Resend(Segment& segment, SequenceNumber32 next);

    /// @return true if nothing is outstanding
    bool IsEmpty() const;
    /// @return the first segment
    const Segment& GetHead() const;
    /// @return all that is outstanding [B]
    uint32_t GetTotal() const;
    /// @return what of it is believed lost, whether sent again or not [B]
    uint32_t GetLostOctets() const;
    /// @return what of it the peer is known to have [B]
    uint32_t GetSackedOctets() const;
    /// @return how many segments these are
    uint32_t GetSackedSegments() const;
    /// @return what of it is believed to be on its way, RFC 6675's pipe [B]
    uint32_t GetPipe() const;

  private:
    /// @return the place of the first segment that does not begin before a number
    std::size_t Find(SequenceNumber32 from) const;
    /// Believe the segments in a range lost that the peer is not known to have.
    void MarkRange(std::size_t first, std::size_t end);
    /// Believe retransmissions lost that left before what lies behind a number.
    void MarkResent(SequenceNumber32 behind);
    /// Believe one lost.
    void Mark(std::size_t place);
    /// The peer has what is in a range, which is news.
    /// @return how much that is [B]
    uint32_t Deliver(SequenceNumber32 begin, SequenceNumber32 end, const Delivered& delivered);
    /// Note of a segment that has come when it was sent.
    void NoteArrival(const Segment& segment);
    /// @return true if a segment left before what came last
    bool IsOvertaken(const Segment& segment) const;
    /// Take a segment out of the sums.
    void Discount(const Segment& segment);

    std::deque<Segment> m_segments; //!< in order
    /// What was sent again, in that order, and where new data began then.
    std::deque<std::pair<SequenceNumber32, SequenceNumber32>> m_again;
    std::map<SequenceNumber32, SequenceNumber32> m_ranges; //!< what the peer has, merged
    uint64_t m_gone{0};                                    //!< segments taken off the front
    uint64_t m_firstLost{0};      //!< before it, counted from the first ever, none is to be resent
    uint64_t m_examined{0};       //!< before it MarkHoles() has been
    uint32_t m_total{0};          //!< outstanding [B]
    uint32_t m_sacked{0};         //!< of it, what the peer has [B]
    uint32_t m_lost{0};           //!< of it, what is believed lost [B]
    uint32_t m_resent{0};         //!< of that, what was sent again [B]
    uint32_t m_sackedSegments{0}; //!< segments that the peer has
    Time m_newestSent;            //!< when what came last was sent
    SequenceNumber32 m_newestEnd; //!< and what follows it
    Time m_newestRtt;             //!< and how long it took, with its ACK
    Time m_shortestRtt;           //!< a retransmission's ACK that comes sooner may be for the first
    uint32_t m_left{0};           //!< without SACK: what has left the network [B]
};

} // namespace ns3::study

#endif /* SEND_SCOREBOARD_H */
