/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * ConnectionSocket and TcpL4Protocol: end points, routes, segments down.
 */

#include "connection-socket.h"
#include "model/program/ns3-version.h"

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
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/tcp-l4-protocol.h"

#include <utility>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("ConnectionEndPoint");

bool
ConnectionSocket::IsBound() const
{
    return m_endPoint || m_endPoint6;
}

int
ConnectionSocket::Bind()
{
    if (IsBound())
    {
        m_errno = ERROR_INVAL;
        return -1;
    }
    m_endPoint = m_tcp->Allocate();
    return Watch();
}

int
ConnectionSocket::Bind6()
{
    if (IsBound())
    {
        m_errno = ERROR_INVAL;
        return -1;
    }
    m_endPoint6 = m_tcp->Allocate6();
    return Watch();
}

int
ConnectionSocket::Bind(const Address& address)
{
    const Ptr<NetDevice> device = GetBoundNetDevice();
    if (IsBound())
    {
        m_errno = ERROR_INVAL;
        return -1;
    }
    if (InetSocketAddress::IsMatchingType(address))
    {
        const auto own = InetSocketAddress::ConvertFrom(address);
        const uint16_t port = own.GetPort();
        const bool any = own.GetIpv4() == Ipv4Address::GetAny();
        m_endPoint = port == 0 ? (any ? m_tcp->Allocate() : m_tcp->Allocate(own.GetIpv4()))
                               : (any ? m_tcp->Allocate(device, port)
                                      : m_tcp->Allocate(device, own.GetIpv4(), port));
    }
    else if (Inet6SocketAddress::IsMatchingType(address))
    {
        const auto own = Inet6SocketAddress::ConvertFrom(address);
        const uint16_t port = own.GetPort();
        const bool any = own.GetIpv6() == Ipv6Address::GetAny();
        m_endPoint6 = port == 0 ? (any ? m_tcp->Allocate6() : m_tcp->Allocate6(own.GetIpv6()))
                                : (any ? m_tcp->Allocate6(device, port)
                                       : m_tcp->Allocate6(device, own.GetIpv6(), port));
    }
    else
    {
        m_errno = ERROR_INVAL;
        return -1;
    }
    return Watch();
}

int
ConnectionSocket::Watch()
{
    const Ptr<ConnectionSocket> self(this);
    if (m_endPoint)
    {
        m_endPoint->BindToNetDevice(m_boundnetdevice);
        m_endPoint->SetRxCallback(MakeCallback(&ConnectionSocket::ForwardUp, self));
        m_endPoint->SetDestroyCallback(Callback<void>([self]() { self->m_endPoint = nullptr; }));
        return 0;
    }
    if (m_endPoint6)
    {
        m_endPoint6->BindToNetDevice(m_boundnetdevice);
        m_endPoint6->SetRxCallback(MakeCallback(&ConnectionSocket::ForwardUp6, self));
        m_endPoint6->SetDestroyCallback(Callback<void>([self]() { self->m_endPoint6 = nullptr; }));
        return 0;
    }
    m_errno = ERROR_ADDRINUSE;
    return -1;
}

void
ConnectionSocket::BindToNetDevice(Ptr<NetDevice> device)
{
    TcpSocket::BindToNetDevice(device);
    if (IsBound())
    {
        Watch();
    }
}

void
ConnectionSocket::Release()
{
    CancelEvents();
    if (m_endPoint)
    {
        m_endPoint->SetDestroyCallback(MakeNullCallback<void>());
        m_tcp->DeAllocate(std::exchange(m_endPoint, nullptr));
    }
    if (m_endPoint6)
    {
        m_endPoint6->SetDestroyCallback(MakeNullCallback<void>());
        m_tcp->DeAllocate(std::exchange(m_endPoint6, nullptr));
    }
}

Ptr<Ipv4Route>
ConnectionSocket::FindRoute(SocketErrno& error) const
{
    const auto routing = m_ipv4 ? m_ipv4->GetRoutingProtocol() : nullptr;
    if (!routing)
    {
        return nullptr;
    }
    Ipv4Header header;
    header.SetSource(m_endPoint->GetLocalAddress());
    header.SetDestination(m_endPoint->GetPeerAddress());
    header.SetProtocol(TCP_PROTOCOL);
    return routing->RouteOutput(nullptr, header, m_boundnetdevice, error);
}

bool
ConnectionSocket::Route()
{
    if (m_endPoint)
    {
        const Ptr<Ipv4Route> route = FindRoute(m_errno);
        if (route)
        {
            m_endPoint->SetLocalAddress(route->GetSource());
        }
        return route != nullptr;
    }
    const Ptr<Packet> none;
    const Ptr<Ipv6> ip = m_node->GetObject<Ipv6>();
    Ipv6Header header;
    header.SetDestination(m_endPoint6->GetPeerAddress());
    const auto routing = ip ? ip->GetRoutingProtocol() : nullptr;
    const auto route =
        routing ? routing->RouteOutput(none, header, m_boundnetdevice, m_errno) : nullptr;
    if (route)
    {
        m_endPoint6->SetLocalAddress(route->GetSource());
    }
    return route != nullptr;
}

int
ConnectionSocket::Connect(const Address& address)
{
    NS_LOG_FUNCTION(this << address);
    if (m_listening || m_connection.GetState() != tcp::State::CLOSED)
    {
        m_errno = ERROR_ISCONN;
        return -1;
    }
    if (InetSocketAddress::IsMatchingType(address))
    {
        if (!m_endPoint && Bind() == -1)
        {
            return -1;
        }
        const auto peer = InetSocketAddress::ConvertFrom(address);
        m_endPoint->SetPeer(peer.GetIpv4(), peer.GetPort());
    }
    else if (Inet6SocketAddress::IsMatchingType(address))
    {
        const auto peer = Inet6SocketAddress::ConvertFrom(address);
        if (peer.GetIpv6().IsIpv4MappedAddress())
        {
            return Connect(
                InetSocketAddress(peer.GetIpv6().GetIpv4MappedAddress(), peer.GetPort()));
        }
        if (!m_endPoint6 && Bind6() == -1)
        {
            return -1;
        }
        m_endPoint6->SetPeer(peer.GetIpv6(), peer.GetPort());
    }
    else
    {
        m_errno = ERROR_INVAL;
        return -1;
    }
    if (!Route())
    {
        return -1;
    }
    Renew();
    m_clock.Start();
    Drive(tcp::Open{});
    return 0;
}

void
ConnectionSocket::SetFieldsOfIp(Ptr<Packet> packet) const
{
    const auto set = [&packet](bool isSet, auto tag, auto setter, uint8_t value) {
        if (isSet)
        {
            (tag.*setter)(value);
            packet->ReplacePacketTag(tag);
        }
    };
    const uint8_t priority = GetPriority();
    set(priority > 0, SocketPriorityTag(), &SocketPriorityTag::SetPriority, priority);
    if (m_endPoint)
    {
        set(GetIpTos() > 0, SocketIpTosTag(), &SocketIpTosTag::SetTos, GetIpTos());
        set(IsManualIpTtl(), SocketIpTtlTag(), &SocketIpTtlTag::SetTtl, GetIpTtl());
        return;
    }
    set(IsManualIpv6Tclass(),
        SocketIpv6TclassTag(),
        &SocketIpv6TclassTag::SetTclass,
        GetIpv6Tclass());
    set(IsManualIpv6HopLimit(),
        SocketIpv6HopLimitTag(),
        &SocketIpv6HopLimitTag::SetHopLimit,
        GetIpv6HopLimit());
}

void
ConnectionSocket::Transmit(Ptr<Packet> packet, TcpHeader header, bool again)
{
    SetFieldsOfIp(packet);
    const auto trace = [&](auto* endPoint) {
        header.SetSourcePort(endPoint->GetLocalPort());
        header.SetDestinationPort(endPoint->GetPeerPort());
        m_tx(packet, header, nullptr);
        if (again)
        {
            m_retransmission(packet,
                             header,
                             endPoint->GetLocalAddress(),
                             endPoint->GetPeerAddress(),
                             nullptr);
        }
    };
    if (m_endPoint)
    {
        trace(m_endPoint);
        const Ipv4Address from = m_endPoint->GetLocalAddress();
        const Ipv4Address to = m_endPoint->GetPeerAddress();
        if (m_boundnetdevice || m_checksums)
        {
            m_tcp->SendPacket(packet, header, from, to, m_boundnetdevice);
            return;
        }
        // What TcpL4Protocol would do, without what a checksum takes.
        SocketErrno error;
        const Ptr<Ipv4Route> route = FindRoute(error);
        packet->AddHeader(header);
        m_tcp->GetDownTarget()(packet, from, to, TCP_PROTOCOL, route);
    }
    else if (m_endPoint6)
    {
        trace(m_endPoint6);
        m_tcp->SendPacket(packet,
                          header,
                          m_endPoint6->GetLocalAddress(),
                          m_endPoint6->GetPeerAddress(),
                          m_boundnetdevice);
    }
}

int
ConnectionSocket::GetSockName(Address& address) const
{
    if (m_endPoint6)
    {
        address = Inet6SocketAddress(m_endPoint6->GetLocalAddress(), m_endPoint6->GetLocalPort());
        return 0;
    }
    address = m_endPoint
                  ? InetSocketAddress(m_endPoint->GetLocalAddress(), m_endPoint->GetLocalPort())
                  : InetSocketAddress(Ipv4Address::GetZero(), 0);
    return 0;
}

int
ConnectionSocket::GetPeerName(Address& address) const
{
    if (m_endPoint)
    {
        address = InetSocketAddress(m_endPoint->GetPeerAddress(), m_endPoint->GetPeerPort());
        return 0;
    }
    if (m_endPoint6)
    {
        address = Inet6SocketAddress(m_endPoint6->GetPeerAddress(), m_endPoint6->GetPeerPort());
        return 0;
    }
    m_errno = ERROR_NOTCONN;
    return -1;
}

} // namespace ns3::study
