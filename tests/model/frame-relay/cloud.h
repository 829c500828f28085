/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLOUD_H
#define CLOUD_H

#include "model/core/trace-listener.h"
#include "model/frame-relay/frame-relay-channel.h"
#include "model/frame-relay/frame-relay-header.h"
#include "model/frame-relay/frame-relay-net-device.h"
#include "model/frame-relay/frame-relay-switch.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <memory>

namespace ns3::study
{

constexpr uint16_t IPX = 0x8137; //!< a protocol that travels under a SNAP header

/// A contract that no frame of these tests breaks.
inline TrafficContract
Anything()
{
    return {DataRate("1Gbps"), 1e12, 0};
}

/// A switch, and stations on lines of their own.
class Cloud
{
  public:
    /// A station on a line of the switch.
    struct Station
    {
        Ptr<FrameRelayNetDevice> device;     //!< the station's end
        Ptr<FrameRelayNetDevice> port;       //!< the switch's end
        std::vector<FrameRelayHeader> heard; //!< address fields of what arrived
    };

    /// @param threshold frames that wait at a congested port
    explicit Cloud(uint32_t threshold = 1000)
    {
        network = CreateObjectWithAttributes<FrameRelaySwitch>("CongestionThreshold",
                                                               UintegerValue(threshold));
        m_node->AggregateObject(network);
    }

    ~Cloud()
    {
        Simulator::Destroy();
    }

    /**
     * @param rate of the line
     * @param queue frames that may wait at the port
     * @return a new station
     */
    std::shared_ptr<Station> Add(DataRate rate, uint32_t queue = 1000)
    {
        auto station = std::make_shared<Station>();
        station->device = MakeEnd(CreateObject<Node>(), rate, 1000);
        station->port = MakeEnd(m_node, rate, queue);
        Ptr<FrameRelayChannel> line = CreateObject<FrameRelayChannel>();
        station->device->Attach(line);
        station->port->Attach(line);
        network->AddPort(station->port);
        Listen(station->device, "PhyRxEnd", [raw = station.get()](Ptr<const Packet> frame) {
            FrameRelayHeader address;
            frame->PeekHeader(address);
            raw->heard.push_back(address);
        });
        return station;
    }

    Ptr<FrameRelaySwitch> network = nullptr; //!< the switch

  private:
    /// @return an end of a line with a queue
    static Ptr<FrameRelayNetDevice> MakeEnd(Ptr<Node> node, DataRate rate, uint32_t queue)
    {
        Ptr<FrameRelayNetDevice> end = CreateObject<FrameRelayNetDevice>();
        end->SetAttribute("DataRate", DataRateValue(rate));
        Ptr<DropTailQueue<Packet>> frames = CreateObject<DropTailQueue<Packet>>();
        frames->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, queue));
        end->SetQueue(frames);
        node->AddDevice(end);
        return end;
    }

    Ptr<Node> m_node = CreateObject<Node>(); //!< the switch's
};

} // namespace ns3::study

#endif /* CLOUD_H */
