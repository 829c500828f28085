/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_DIRECTION_H
#define PATH_DIRECTION_H

#include "model/ethernet/serialization-time.h"
#include "model/proof/state-record.h"

#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/nstime.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <vector>

namespace ns3::study
{

/**
 * @brief One direction of a path: a queue, the line it waits for, and what the line loses.
 *
 * The queue is one of ns-3's queue disciplines, and all that waits is in it: the interface holds
 * the packet alone that is on the line. So the room of the queue is what may wait, and a discipline
 * that goes by the time in the queue sees all of that time. A queue counts IPv4 packets with their
 * header; the line adds the 2 octets of PPP.
 */
class PathDirection
{
  public:
    /// What drops a packet.
    enum QueueKind
    {
        DROP_TAIL, //!< the queue when it is full (FifoQueueDisc)
        CODEL,     //!< packets that wait too long (RFC 8289)
        FQ_CODEL,  //!< the same for each flow by itself (RFC 8290)
        RED        //!< some, before the queue is full (RFC 2309)
    };

    /// What a direction is like.
    struct Settings
    {
        DataRate rate;              //!< of the line
        Time delay;                 //!< propagation; only RED's idle time goes by it
        QueueKind kind;             //!< what drops a packet
        QueueSize queue;            //!< room for packets that wait
        uint16_t mtu;               //!< largest IPv4 packet [B]
        double loss;                //!< fraction of packets that the line loses
        std::vector<uint32_t> lost; //!< packets that it loses, the first on the line being 1
    };

    PathDirection() = default;
    PathDirection(const PathDirection&) = delete;
    PathDirection& operator=(const PathDirection&) = delete;

    /// Give two interfaces that are attached to a channel the direction between them. Their nodes
    /// have IPv4.
    void Install(Ptr<PointToPointNetDevice> from,
                 Ptr<PointToPointNetDevice> to,
                 const Settings& settings);

    /// @return the interface that sends on the line
    Ptr<PointToPointNetDevice> GetLine() const;
    /// @return the queue before the line, with the trace sources PacketsInQueue, BytesInQueue, Drop
    Ptr<QueueDisc> GetQueue() const;
    /// @return packets that the queue has dropped
    uint64_t GetDropped() const;
    /// @return packets lost on the line
    uint64_t GetLost() const;
    /// @return packets that have been put on the line, the lost ones among them
    uint64_t GetSent() const;
    /// @return true while a packet is in flight in the line's interface
    bool IsTransmitting() const;

    /// Fix the streams of the random numbers. @return how many there are, drawn from or not
    int64_t AssignStreams(int64_t stream);
    /// Add what decides what becomes of a packet, but for those in flight.
    void Describe(StateRecord& state) const;

  private:
    /// @return a queue of the kind
    static Ptr<QueueDisc> MakeQueue(const Settings& settings);
    /// The line has begun to send a packet.
    void Begin(Ptr<const Packet> packet);
    /// The line has sent it.
    void End();

    Settings m_settings;                           //!< what it is like
    SerializationTime m_serialization{DataRate()}; //!< at its rate
    Ptr<PointToPointNetDevice> m_line;             //!< sends
    Ptr<NetDeviceQueueInterface> m_flow;           //!< tells the queue whether the line is free
    Ptr<QueueDisc> m_queue;                        //!< before the line
    Ptr<ErrorModel> m_lossModel;                   //!< of the line; null without losses
    uint64_t m_lost{0};                            //!< lost on the line
    uint64_t m_sent{0};                            //!< put on the line
    Time m_free;                                   //!< when the line is or was free
};

} // namespace ns3::study

#endif /* PATH_DIRECTION_H */
