/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ipx-protocol.h"

#include "ns3/assert.h"
#include "ns3/log.h"
#include "ns3/node.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("IpxProtocol");

NS_OBJECT_ENSURE_REGISTERED(IpxProtocol);

TypeId
IpxProtocol::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::IpxProtocol")
                            .SetParent<Object>()
                            .SetGroupName("Study")
                            .AddConstructor<IpxProtocol>()
                            .AddTraceSource("Drop",
                                            "A packet was dropped",
                                            MakeTraceSourceAccessor(&IpxProtocol::m_dropTrace),
                                            "ns3::study::IpxProtocol::DropTracedCallback");
    return tid;
}

uint32_t
IpxProtocol::AddInterface(Ptr<NetDevice> device, uint32_t network)
{
    NS_LOG_FUNCTION(this << device << network);
    device->GetNode()->RegisterProtocolHandler([this](Ptr<NetDevice>,
                                                      Ptr<const Packet> frame,
                                                      uint16_t,
                                                      const Address&,
                                                      const Address&,
                                                      NetDevice::PacketType) { Received(frame); },
                                               IpxHeader::ETHER_TYPE,
                                               device);
    // On a frame-relay line there are no addresses: the circuit has one other end.
    const Address address = device->GetAddress();
    const bool hasAddress = Mac48Address::IsMatchingType(address);
    const Mac48Address node = hasAddress ? Mac48Address::ConvertFrom(address) : Mac48Address();
    m_interfaces.push_back({device, network, node});
    return m_interfaces.size() - 1;
}

void
IpxProtocol::AddRoute(uint32_t network, uint32_t interface, Mac48Address nextHop)
{
    NS_ASSERT_MSG(interface < m_interfaces.size(), "there is no interface " << interface);
    m_routes[network] = {interface, nextHop};
}

void
IpxProtocol::Open(uint16_t socket, Receiver receiver)
{
    m_receivers[socket] = std::move(receiver);
}

void
IpxProtocol::Close(uint16_t socket)
{
    m_receivers.erase(socket);
}

void
IpxProtocol::Send(Ptr<Packet> packet, uint16_t socket, const IpxAddress& destination)
{
    NS_LOG_FUNCTION(this << packet << socket << destination.network);
    IpxHeader header;
    header.length = IpxHeader::SIZE + packet->GetSize();
    header.destination = destination;
    const Route route = FindRoute(destination.network, destination.node);
    if (route.interface < m_interfaces.size())
    {
        header.source = GetAddress(route.interface);
    }
    header.source.socket = socket;
    Transmit(packet, header);
}

IpxAddress
IpxProtocol::GetAddress(uint32_t interface) const
{
    const Interface& own = m_interfaces.at(interface);
    return {own.network, own.node, 0};
}

void
IpxProtocol::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_receivers.clear();
    m_interfaces.clear();
    Object::DoDispose();
}

void
IpxProtocol::Received(Ptr<const Packet> frame)
{
    NS_LOG_FUNCTION(this << frame);
    Ptr<Packet> packet = frame->Copy();
    IpxHeader header;
    if (packet->GetSize() < IpxHeader::SIZE || packet->RemoveHeader(header) == 0 ||
        header.length < IpxHeader::SIZE || header.length - IpxHeader::SIZE > packet->GetSize())
    {
        m_dropTrace(frame, DROP_MALFORMED);
        return;
    }
    // By IPX's own count: a short frame is padded by the Ethernet.
    packet->RemoveAtEnd(packet->GetSize() - (header.length - IpxHeader::SIZE));
    const bool own =
        std::any_of(m_interfaces.begin(), m_interfaces.end(), [&](const Interface& each) {
            return each.network == header.destination.network &&
                   each.node == header.destination.node;
        });
    if (!own && ++header.hops >= MAXIMUM_HOPS)
    {
        m_dropTrace(packet, DROP_HOPS);
        return;
    }
    if (!own)
    {
        Transmit(packet, header);
        return;
    }
    const auto receiver = m_receivers.find(header.destination.socket);
    if (receiver == m_receivers.end())
    {
        m_dropTrace(packet, DROP_NO_SOCKET);
        return;
    }
    receiver->second(packet, header);
}

void
IpxProtocol::Transmit(Ptr<Packet> packet, const IpxHeader& header)
{
    NS_LOG_FUNCTION(this << packet << header);
    const Route route = FindRoute(header.destination.network, header.destination.node);
    if (route.interface >= m_interfaces.size())
    {
        m_dropTrace(packet, DROP_NO_ROUTE);
        return;
    }
    packet->AddHeader(header);
    m_interfaces[route.interface].device->Send(packet, route.nextHop, IpxHeader::ETHER_TYPE);
}

IpxProtocol::Route
IpxProtocol::FindRoute(uint32_t network, Mac48Address node) const
{
    for (uint32_t i = 0; i < m_interfaces.size(); ++i)
    {
        if (m_interfaces[i].network == network)
        {
            return {i, node};
        }
    }
    const auto found = m_routes.find(network);
    const Route none{static_cast<uint32_t>(m_interfaces.size()), Mac48Address()};
    return found == m_routes.end() ? none : found->second;
}

} // namespace ns3::study
