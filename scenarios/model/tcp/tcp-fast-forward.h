/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_FAST_FORWARD_H
#define TCP_FAST_FORWARD_H

#include "connection-socket.h"
#include "model/clocks/share-clock.h"
#include "model/ethernet/link.h"
#include "model/proof/fast-forward.h"

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/tcp-header.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace ns3::study
{

/**
 * @brief What fast-forward knows of any transfer over one TCP connection: its two ends, the link
 * between them, and the clock that splits its time.
 *
 * What is in flight is part of the state: each segment with the time since it was sent, from which
 * follows where it is.
 *
 * A congestion window that grows with every ACK is not carried on: the full run's is larger still.
 * Where it was large enough all along, that changes nothing. Should it not be later on, or is
 * anything sent again, the run is in doubt, and to be repeated in full.
 */
class TcpFastForward : public FastForward
{
  public:
    /// What grows by the same in every cycle; what the link counts and the fractions of the clock
    /// come behind, and behind these what an application adds.
    enum Total
    {
        BYTES,            //!< of the connecting end, acknowledged [B]
        SEGMENTS,         //!< that it sent with data
        PEER_BYTES,       //!< of the other end
        PEER_SEGMENTS,    //!< that the other one sent with data
        ARRIVALS,         //!< segments that reached the connecting end
        WINDOW_PROBES,    //!< that it sent
        RTT_SAMPLES,      //!< round trips that it measured
        PEER_RTT_SAMPLES, //!< that the other one did
        FIRST_SHARE,
        FIRST_OF_LINK = FIRST_SHARE + static_cast<int>(Limit::N_LIMITS)
    };

    /// @return by how much the cycles taken off let it grow
    int64_t GetSkipped(Total total) const;

  protected:
    /// Watch the socket that is to connect.
    TcpFastForward(Ptr<ConnectionSocket> host,
                   Ptr<Link> link,
                   ShareClock& clock,
                   Time timeLimit,
                   std::function<void(Time)> skipped);
    /// Watch the one at the other end, once there is one.
    void SetPeer(Ptr<ConnectionSocket> peer);

    bool HasMore() const override;
    void Describe(StateRecord& state) const override;
    void DescribeInFlight(StateRecord& state) const override;
    std::size_t CountInFlight() const override;
    std::vector<int64_t> GetTotals() const override;
    void Skip(const CycleDetector::Cycle& cycle, uint64_t count) override;
    /// @return the number of totals before an application's
    std::size_t CountOwnTotals() const;

    /// The connecting end was told that new data are acknowledged.
    virtual void Acknowledged() = 0;

    /// @return true if a cycle may have segments that are sent again
    virtual bool MayResend() const
    {
        return false;
    }

    /// @return true if the connecting end only sends what is in its buffer: nobody writes any more
    virtual bool IsDraining() const
    {
        return false;
    }

  private:
    /// A segment that is in flight.
    struct Flying
    {
        /// @return true if both are the same segment, whenever they were sent
        bool IsSame(const Flying& other) const;

        uint32_t sequence; //!< of its first octet
        uint32_t ack;      //!< acknowledges
        uint32_t size;     //!< of its payload [B]
        uint16_t window;   //!< announces
        uint8_t flags;     //!< SYN, ACK, FIN ...
        Time sent;         //!< when
    };

    /// What is kept of an end.
    struct End
    {
        Ptr<ConnectionSocket> socket; //!< the end; null before it is connected
        std::vector<Nanos> samples{}; //!< round-trip times measured
        Nanos shortest{Nanos::max()}; //!< the shortest
        Nanos resent{Nanos::min()};   //!< when it last sent something again
        uint64_t shorts{0};           //!< how often its congestion window was short
        std::deque<Flying> flying{};  //!< sent, and not handled by the other end
        uint64_t sentSum{0};          //!< of the instants when these were sent; it may wrap
    };

    /// Who has seen a segment.
    enum Event : int64_t
    {
        HOST_SENT,
        PEER_HANDLED,
        PEER_SENT,
        HOST_HANDLED,
        HOST_RTT,
        PEER_RTT,
        N_EVENTS
    };

    /// Watch an end: what its sending a segment is, its handling one, its measuring a round trip.
    void Watch(End& end, Event sent, Event handled, Event measured);
    /// Add what shows at once that an end is not as before, and whether it can be in a cycle.
    /// @param drains if nobody writes there any more
    static void DescribeOutline(StateRecord& state, const End& end, bool drains);
    /// Add what decides the course of an end. @param peer the other one
    /// @param drains if nobody writes there any more, and a cycle's end of the buffer is far
    static void DescribeEnd(StateRecord& state, const End& end, const End& peer, bool drains);
    /// Add what an end has in flight. @param peer the other one
    static void DescribeFlying(StateRecord& state, const End& end, const End& peer);
    /// A segment with a payload of so many bytes was sent or handled.
    void Seen(Event event, uint32_t size, const TcpHeader& header);
    /// An end has sent a segment again.
    void Retransmitted(End& end);

    End m_host;                              //!< the end that connects
    End m_peer;                              //!< the other
    Ptr<Link> m_link;                        //!< between the two
    ShareClock& m_clock;                     //!< splits the time
    std::array<uint64_t, N_EVENTS> m_seen{}; //!< how often each has been seen
    std::array<uint64_t, N_EVENTS> m_data{}; //!< of these, with a payload
    std::vector<int64_t> m_skippedTotals;    //!< what the cycles taken off added to each
};

} // namespace ns3::study

#endif /* TCP_FAST_FORWARD_H */
