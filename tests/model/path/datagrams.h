/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_DATAGRAMS_H
#define PATH_DATAGRAMS_H

/*
 * Datagrams over a path, without TCP: when each arrives, and whether it does.
 */

#include "model/path/path-link.h"

#include "ns3/inet-socket-address.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/udp-socket-factory.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::study
{

constexpr uint32_t HEADERS = 28; // IPv4 and UDP [B]

/// Attributes of a path, as texts.
using Attributes = std::vector<std::pair<std::string, std::string>>;

/// Two nodes that send each other datagrams over a path.
class Datagrams
{
  public:
    /// A datagram that arrived, known by the size of its IPv4 packet.
    struct Arrival
    {
        uint32_t size; //!< of the IPv4 packet [B]
        int64_t ns;    //!< when
    };

    /// Join the two by a path, its random numbers from a stream on.
    explicit Datagrams(const Attributes& attributes, int64_t stream = 0)
        : link(CreateObject<PathLink>())
    {
        for (const auto& [name, value] : attributes)
        {
            link->SetAttribute(name, StringValue(value));
        }
        Ptr<Node> host = CreateObject<Node>();
        Ptr<Node> device = CreateObject<Node>();
        link->Join(host, device);
        link->AssignStreams(stream);
        const auto count = [this](Link::FrameEvent event) {
            underWay += event == Link::FrameEvent::SENT ? +1 : -1;
        };
        link->WatchFrames(count, count);
        m_host = MakeSocket(host, atHost);
        m_device = MakeSocket(device, atDevice);
    }

    ~Datagrams()
    {
        Simulator::Destroy();
    }

    /// Send an IPv4 packet of a size at an instant.
    void Send(bool toDevice, uint32_t size, Time at)
    {
        const Ipv4Address to = toDevice ? link->GetDeviceAddress() : Ipv4Address("10.0.0.1");
        Simulator::Schedule(at, [this, toDevice, size, to]() {
            (toDevice ? m_host : m_device)
                ->SendTo(Create<Packet>(size - HEADERS), 0, InetSocketAddress(to, 9));
        });
    }

    /// @return the sizes of the packets that a burst leaves at the device
    std::vector<uint32_t> Burst(const std::vector<uint32_t>& sizes)
    {
        for (const uint32_t size : sizes)
        {
            Send(true, size, Seconds(1));
        }
        Simulator::Run();
        std::vector<uint32_t> arrived;
        for (const Arrival& each : atDevice)
        {
            arrived.push_back(each.size);
        }
        return arrived;
    }

    Ptr<PathLink> link;            //!< between the two
    std::vector<Arrival> atDevice; //!< in their order
    std::vector<Arrival> atHost;   //!< in their order
    int underWay{0};               //!< what the link says is in flight

  private:
    /// @return a socket of a node that notes what comes
    static Ptr<Socket> MakeSocket(Ptr<Node> node, std::vector<Arrival>& arrivals)
    {
        node->AggregateObject(CreateObject<UdpL4Protocol>()); // a link gives its ends TCP only
        Ptr<Socket> socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        socket->SetRecvCallback(Callback<void, Ptr<Socket>>([&arrivals](Ptr<Socket> from) {
            while (Ptr<Packet> packet = from->Recv())
            {
                arrivals.push_back(
                    {packet->GetSize() + HEADERS, Simulator::Now().GetNanoSeconds()});
            }
        }));
        return socket;
    }

    Ptr<Socket> m_host;   //!< the host's end
    Ptr<Socket> m_device; //!< the device's
};

} // namespace ns3::study

#endif /* PATH_DATAGRAMS_H */
