/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What arrives at ConnectionSocket: segments of a connection, of none, and of a new one.
 */

#include "connection-socket.h"
#include "segment-header.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/log.h"
#include "ns3/tcp-l4-protocol.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("ConnectionArrivals");

void
ConnectionSocket::ForwardUp(Ptr<Packet> packet,
                            Ipv4Header header,
                            uint16_t port,
                            Ptr<Ipv4Interface> /* in */)
{
    const Ptr<ConnectionSocket> self(this);
    Receive(packet,
            InetSocketAddress(header.GetSource(), port),
            InetSocketAddress(header.GetDestination(), m_endPoint->GetLocalPort()));
}

void
ConnectionSocket::ForwardUp6(Ptr<Packet> packet,
                             Ipv6Header header,
                             uint16_t port,
                             Ptr<Ipv6Interface> /* in */)
{
    const Ptr<ConnectionSocket> self(this);
    Receive(packet,
            Inet6SocketAddress(header.GetSource(), port),
            Inet6SocketAddress(header.GetDestination(), m_endPoint6->GetLocalPort()));
}

void
ConnectionSocket::Receive(Ptr<Packet> packet, const Address& from, const Address& to)
{
    NS_LOG_FUNCTION(this << packet << from << to);
    const auto segment = ReadSegment(packet);
    if (!segment)
    {
        return; // malformed
    }
    if (!m_rx.IsEmpty())
    {
        Ptr<Packet> octets = packet->Copy();
        TcpHeader header;
        octets->RemoveHeader(header);
        m_rx(octets, header, nullptr);
    }
    if (m_listening)
    {
        Accept(packet, *segment, from, to);
    }
    else if (m_connection.GetState() == tcp::State::CLOSED)
    {
        Refuse(packet, *segment, from, to);
    }
    else
    {
        Take(packet, *segment);
    }
}

void
ConnectionSocket::Take(Ptr<Packet> packet, const tcp::Segment& segment)
{
    ++m_segmentsReceived;
    if (segment.payload > 0 && !segment.Has(tcp::SYN))
    {
        Keep(packet, segment);
    }
    Drive(tcp::Arrive{segment});
}

void
ConnectionSocket::Keep(Ptr<Packet> packet, const tcp::Segment& segment)
{
    const uint64_t next = m_read + m_available;
    const int64_t ahead = m_connection.ToOffset(segment.sequence) - static_cast<int64_t>(next);
    const auto size = static_cast<int64_t>(segment.payload);
    if (ahead + size <= 0 || ahead > static_cast<int64_t>(m_settings.window))
    {
        return; // it was delivered, or nobody has asked for it
    }
    const auto before = static_cast<uint32_t>(std::max<int64_t>(-ahead, 0));
    const uint32_t header = packet->GetSize() - segment.payload;
    packet->RemoveAtStart(header + before);
    m_received.Insert(next + static_cast<uint64_t>(std::max<int64_t>(ahead, 0)), packet);
}

void
ConnectionSocket::Refuse(Ptr<const Packet> packet,
                         const tcp::Segment& segment,
                         const Address& from,
                         const Address& to)
{
    if (segment.Has(tcp::RST))
    {
        return;
    }
    TcpHeader stray;
    packet->PeekHeader(stray);
    TcpHeader reset = MakeTcpHeader(tcp::MakeReset(segment));
    reset.SetSourcePort(stray.GetDestinationPort());
    reset.SetDestinationPort(stray.GetSourcePort());
    const Ptr<Packet> empty = Create<Packet>();
    m_tx(empty, reset, nullptr);
    m_tcp->SendPacket(empty, reset, to, from, m_boundnetdevice);
}

void
ConnectionSocket::Accept(Ptr<Packet> packet,
                         const tcp::Segment& segment,
                         const Address& from,
                         const Address& to)
{
    if (segment.Has(tcp::ACK)) // of a connection that is gone
    {
        Refuse(packet, segment, from, to);
        return;
    }
    if (!segment.Has(tcp::SYN) || segment.Has(tcp::RST) || !NotifyConnectionRequest(from))
    {
        return;
    }
    const Ptr<ConnectionSocket> connection = CopyObject<ConnectionSocket>(this);
    const Ptr<NetDevice> device = GetBoundNetDevice();
    if (InetSocketAddress::IsMatchingType(to))
    {
        const auto own = InetSocketAddress::ConvertFrom(to);
        const auto peer = InetSocketAddress::ConvertFrom(from);
        connection->m_endPoint =
            m_tcp->Allocate(device, own.GetIpv4(), own.GetPort(), peer.GetIpv4(), peer.GetPort());
    }
    else
    {
        const auto own = Inet6SocketAddress::ConvertFrom(to);
        const auto peer = Inet6SocketAddress::ConvertFrom(from);
        connection->m_endPoint6 =
            m_tcp->Allocate6(device, own.GetIpv6(), own.GetPort(), peer.GetIpv6(), peer.GetPort());
    }
    if (connection->Watch() == 0)
    {
        connection->Take(packet, segment);
    }
}

} // namespace ns3::study
