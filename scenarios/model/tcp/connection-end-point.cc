/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * ConnectionSocket, TcpL4Protocol and IP: end points, routes, packets up and down.
 */

#include "connection-socket.h"
#include "model/core/ns3-version.h"
#include "segment-header.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/ipv6-route.h"
#include "ns3/ipv6-routing-protocol.h"
#include "ns3/ipv6.h"
#include "ns3/node.h"
#include "ns3/tcp-l4-protocol.h"

#include <type_traits>
#include <utility>

namespace ns3::study
{

namespace
{

/// @return the route of packets; null if there is none
template <typename Header, typename Ip, typename IpAddress>
auto
FindRoute(const Ptr<Ip>& ip,
          IpAddress from,
          IpAddress to,
          const Ptr<NetDevice>& device,
          Socket::SocketErrno& error)
{
    static Header header; // making one costs as much as half a look for a route
    header.SetDestination(to);
    if constexpr (std::is_same_v<Header, Ipv4Header>)
    {
        header.SetSource(from);
        header.SetProtocol(TCP_PROTOCOL);
    }
    const auto routing = ip ? ip->GetRoutingProtocol() : nullptr;
    return routing ? routing->RouteOutput(nullptr, header, device, error) : nullptr;
}

/// Have a packet carry a tag that IP makes a field of.
template <typename Tag>
void
Attach(Ptr<Packet> packet, void (Tag::*set)(uint8_t), uint8_t value)
{
    Tag tag;
    (tag.*set)(value);
    packet->ReplacePacketTag(tag);
}

} // namespace

int
ConnectionSocket::Watch()
{
    if (m_endPoint)
    {
        WatchAs<Ipv4Header, Ipv4Interface>(m_endPoint);
        return 0;
    }
    if (m_endPoint6)
    {
        WatchAs<Ipv6Header, Ipv6Interface>(m_endPoint6);
        return 0;
    }
    return Fail(ERROR_ADDRINUSE);
}

template <typename Header, typename Interface, typename EndPoint>
void
ConnectionSocket::WatchAs(EndPoint*& endPoint)
{
    const Ptr<ConnectionSocket> self(this);
    endPoint->BindToNetDevice(m_boundnetdevice);
    endPoint->SetRxCallback(Callback<void, Ptr<Packet>, Header, uint16_t, Ptr<Interface>>(
        [self](const Ptr<Packet>& packet, const Header& header, auto...) {
            self->ForwardUp(packet, header.GetDestination(), header.GetSource());
        }));
    endPoint->SetDestroyCallback(Callback<void>([self, &endPoint]() { endPoint = nullptr; }));
}

void
ConnectionSocket::Release()
{
    if (m_expire)
    {
        m_expire->Cancel();
    }
    m_events.clear();
    const auto release = [this](auto*& endPoint) {
        if (endPoint)
        {
            endPoint->SetDestroyCallback(MakeNullCallback<void>());
            m_tcp->DeAllocate(std::exchange(endPoint, nullptr));
        }
    };
    release(m_endPoint);
    release(m_endPoint6);
}

bool
ConnectionSocket::Route()
{
    const auto follow = [this]<typename Header>(Header, const auto& ip, auto* endPoint) {
        const auto from = endPoint->GetLocalAddress();
        const auto to = endPoint->GetPeerAddress();
        const auto route = FindRoute<Header>(ip, from, to, m_boundnetdevice, m_errno);
        if (route)
        {
            endPoint->SetLocalAddress(route->GetSource());
        }
        return route != nullptr;
    };
    return m_endPoint ? follow(Ipv4Header(), m_ipv4, m_endPoint)
                      : follow(Ipv6Header(), m_node->GetObject<Ipv6>(), m_endPoint6);
}

template <typename IpAddress>
void
ConnectionSocket::ForwardUp(const Ptr<Packet>& packet, IpAddress own, IpAddress peer)
{
    const Ptr<ConnectionSocket> self(this);
    const auto segment = ReadSegment(packet);
    if (!segment)
    {
        return; // malformed
    }
    if (!m_rx.IsEmpty())
    {
        const Ptr<Packet> octets = packet->Copy();
        TcpHeader whole;
        octets->RemoveHeader(whole);
        m_rx(octets, whole, nullptr);
    }
    if (m_listening || m_connection.GetState() == tcp::State::CLOSED)
    {
        Greet(packet, *segment, own, peer);
    }
    else
    {
        Take(packet, *segment);
    }
}

template <typename IpAddress>
void
ConnectionSocket::Greet(Ptr<Packet> packet,
                        const tcp::Segment& segment,
                        IpAddress own,
                        IpAddress peer)
{
    TcpHeader header;
    packet->PeekHeader(header);
    const uint16_t port = header.GetDestinationPort();
    const uint16_t peersPort = header.GetSourcePort();
    const Ptr<NetDevice> device = GetBoundNetDevice();
    if (segment.Has(tcp::RST))
    {
        return;
    }
    if (!m_listening || segment.Has(tcp::ACK)) // of a connection that is gone
    {
        TcpHeader reset = MakeTcpHeader(tcp::MakeReset(segment));
        reset.SetSourcePort(port);
        reset.SetDestinationPort(peersPort);
        const Ptr<Packet> empty = Create<Packet>();
        m_tx(empty, reset, nullptr);
        m_tcp->SendPacket(empty, reset, own, peer, device);
        return;
    }
    using Named = std::conditional_t<std::is_same_v<IpAddress, Ipv4Address>,
                                     InetSocketAddress,
                                     Inet6SocketAddress>;
    if (!segment.Has(tcp::SYN) || !NotifyConnectionRequest(Named(peer, peersPort)))
    {
        return;
    }
    const Ptr<ConnectionSocket> connection = CopyObject<ConnectionSocket>(this);
    if constexpr (std::is_same_v<IpAddress, Ipv4Address>)
    {
        connection->m_endPoint = m_tcp->Allocate(device, own, port, peer, peersPort);
    }
    else
    {
        connection->m_endPoint6 = m_tcp->Allocate6(device, own, port, peer, peersPort);
    }
    if (connection->Watch() == 0)
    {
        connection->Take(packet, segment);
    }
}

void
ConnectionSocket::SetFieldsOfIp(Ptr<Packet> packet) const
{
    if (GetPriority() > 0)
    {
        Attach(packet, &SocketPriorityTag::SetPriority, GetPriority());
    }
    if (m_endPoint && GetIpTos() > 0)
    {
        Attach(packet, &SocketIpTosTag::SetTos, GetIpTos());
    }
    if (m_endPoint && IsManualIpTtl())
    {
        Attach(packet, &SocketIpTtlTag::SetTtl, GetIpTtl());
    }
    if (m_endPoint6 && IsManualIpv6Tclass())
    {
        Attach(packet, &SocketIpv6TclassTag::SetTclass, GetIpv6Tclass());
    }
    if (m_endPoint6 && IsManualIpv6HopLimit())
    {
        Attach(packet, &SocketIpv6HopLimitTag::SetHopLimit, GetIpv6HopLimit());
    }
}

void
ConnectionSocket::Transmit(Ptr<Packet> packet, TcpHeader header, bool again)
{
    SetFieldsOfIp(packet);
    const auto transmit = [&](const auto& endPoint, const auto& hand) {
        const auto from = endPoint.GetLocalAddress();
        const auto to = endPoint.GetPeerAddress();
        header.SetSourcePort(endPoint.GetLocalPort());
        header.SetDestinationPort(endPoint.GetPeerPort());
        m_tx(packet, header, nullptr);
        if (again)
        {
            m_retransmission(packet, header, from, to, nullptr);
        }
        hand(from, to);
    };
    const auto byProtocol = [&](const auto& from, const auto& to) {
        m_tcp->SendPacket(packet, header, from, to, m_boundnetdevice);
    };
    // What TcpL4Protocol would do, without what a checksum takes.
    const auto directly = [&](const Ipv4Address& from, const Ipv4Address& to) {
        SocketErrno error;
        const auto route = FindRoute<Ipv4Header>(m_ipv4, from, to, nullptr, error);
        packet->AddHeader(header);
        m_tcp->GetDownTarget()(packet, from, to, TCP_PROTOCOL, route);
    };
    if (m_endPoint6)
    {
        transmit(*m_endPoint6, byProtocol);
    }
    else if (m_endPoint)
    {
        m_boundnetdevice || m_checksums ? transmit(*m_endPoint, byProtocol)
                                        : transmit(*m_endPoint, directly);
    }
}

} // namespace ns3::study
