/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_FAST_FORWARD_H
#define TCP_FAST_FORWARD_H

#include "corrected-tcp-socket.h"
#include "host-tcp-socket.h"
#include "model/clocks/share-clock.h"
#include "model/ethernet/link.h"
#include "model/proof/fast-forward.h"

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/tcp-header.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::study
{

/**
 * @brief What fast-forward knows of any transfer over one TCP connection: its two ends, the link
 * between them, and the clock that splits its time.
 *
 * What is on its way is in no object's record. Where it is follows from when it was sent, and that
 * has been repeating for longer than anything takes: twice the longest round trip, at least.
 *
 * The congestion window alone is not carried on. It is larger than anything can use when a cycle is
 * proven, and so is the full run's, which is larger still; should that end, by a retransmission or
 * by a larger window of the peer, the run is in doubt, and to be repeated in full.
 */
class TcpFastForward : public FastForward
{
  public:
    /// @return data segments that an end sent in the cycles taken off
    /// @param ofPeer the end that was connected to
    uint64_t GetSegmentsSkipped(bool ofPeer) const;
    /// @return segments that reached the connecting end in them
    uint64_t GetArrivalsSkipped() const;
    /// @return window probes that the connecting end sent in them
    uint64_t GetProbesSkipped() const;
    /// @return payload of the connecting end acknowledged in them [B]
    uint64_t GetBytesSkipped() const;

  protected:
    /// Watch the socket that is to connect.
    TcpFastForward(Ptr<HostTcpSocket> host,
                   Ptr<Link> link,
                   ShareClock& clock,
                   Time timeLimit,
                   std::function<void(Time)> skipped);
    /// Watch the one at the other end, once there is one.
    void SetPeer(Ptr<CorrectedTcpSocket> peer);

    /// What grows by the same in every cycle; what the link counts and the shares of the clock
    /// come behind, and behind these what an application adds.
    enum Total
    {
        BYTES,
        SEGMENTS,
        PEER_BYTES,
        PEER_SEGMENTS,
        ARRIVALS,
        WINDOW_PROBES,
        RTT_SAMPLES,
        PEER_RTT_SAMPLES,
        FIRST_SHARE,
        FIRST_OF_LINK = FIRST_SHARE + static_cast<int>(Limit::N_LIMITS)
    };

    bool HasMore() const override;
    void Describe(StateRecord& state) const override;
    std::vector<int64_t> GetTotals() const override;
    void Skip(const CycleDetector::Cycle& cycle, uint64_t count) override;
    /// @return true if what is on its way has been repeating, too
    bool RepeatsPath(const CycleDetector::Cycle& cycle) const;
    /// @return the number of totals before an application's
    std::size_t CountOwnTotals() const;

    /// The connecting end was told that new data are acknowledged.
    virtual void Acknowledged();
    /// An end has sent a segment again.
    virtual void Retransmitted(bool byPeer);

  private:
    /// Add what the congestion windows decide.
    virtual void DescribeCongestion(StateRecord& state) const;

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
    void Watch(Ptr<CorrectedTcpSocket> socket, Event sent, Event handled, Event measured);
    /// A segment with a payload of so many bytes was sent or handled.
    void Seen(Event event, uint32_t size, const TcpHeader& header);
    /// @return the round-trip times that an end has measured
    const std::vector<Time>& GetSamples(Event measured) const;

    Ptr<HostTcpSocket> m_host;                 //!< the end that connects
    Ptr<CorrectedTcpSocket> m_peer;            //!< the other, once connected
    Ptr<Link> m_link;                          //!< between the two
    ShareClock& m_clock;                       //!< splits the time
    std::array<uint64_t, N_EVENTS> m_seen{};   //!< how often each has been seen
    std::array<uint64_t, N_EVENTS> m_data{};   //!< of these, with a payload
    std::array<std::vector<Time>, 2> m_rtts{}; //!< round-trip times measured, by end
    std::vector<int64_t> m_skippedTotals;      //!< what the cycles taken off added to each
};

} // namespace ns3::study

#endif /* TCP_FAST_FORWARD_H */
