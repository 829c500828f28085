/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What an application calls of ConnectionSocket.
 */

#include "connection-socket.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv6-end-point.h"

#include <algorithm>

namespace ns3::study
{

int
ConnectionSocket::Fail(SocketErrno error) const
{
    m_errno = error;
    return -1;
}

int
ConnectionSocket::Bind()
{
    return Bind(InetSocketAddress(Ipv4Address::GetAny(), 0));
}

int
ConnectionSocket::Bind6()
{
    return Bind(Inet6SocketAddress(Ipv6Address::GetAny(), 0));
}

int
ConnectionSocket::Bind(const Address& address)
{
    if (m_endPoint || m_endPoint6)
    {
        return Fail(ERROR_INVAL);
    }
    const Ptr<NetDevice> device = GetBoundNetDevice();
    if (InetSocketAddress::IsMatchingType(address))
    {
        const auto own = InetSocketAddress::ConvertFrom(address);
        m_endPoint = own.GetPort() == 0 ? m_tcp->Allocate(own.GetIpv4())
                                        : m_tcp->Allocate(device, own.GetIpv4(), own.GetPort());
    }
    else if (Inet6SocketAddress::IsMatchingType(address))
    {
        const auto own = Inet6SocketAddress::ConvertFrom(address);
        m_endPoint6 = own.GetPort() == 0 ? m_tcp->Allocate6(own.GetIpv6())
                                         : m_tcp->Allocate6(device, own.GetIpv6(), own.GetPort());
    }
    else
    {
        return Fail(ERROR_INVAL);
    }
    return Watch();
}

void
ConnectionSocket::BindToNetDevice(Ptr<NetDevice> device)
{
    TcpSocket::BindToNetDevice(device);
    if (m_endPoint || m_endPoint6)
    {
        Watch();
    }
}

int
ConnectionSocket::Connect(const Address& address)
{
    if (m_listening || m_connection.GetState() != tcp::State::CLOSED)
    {
        return Fail(ERROR_ISCONN);
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
        const Ipv6Address ip = peer.GetIpv6();
        if (ip.IsIpv4MappedAddress())
        {
            return Connect(InetSocketAddress(ip.GetIpv4MappedAddress(), peer.GetPort()));
        }
        if (!m_endPoint6 && Bind6() == -1)
        {
            return -1;
        }
        m_endPoint6->SetPeer(ip, peer.GetPort());
    }
    else
    {
        return Fail(ERROR_INVAL);
    }
    if (!Route())
    {
        return -1;
    }
    m_connection = tcp::Connection(m_connection.GetSettings()); // there may have been one before
    m_passive = m_shutDown = false;
    m_toSend = m_received = ByteQueue();
    m_acknowledged = 0;
    m_read = 1;
    m_available = 0;
    m_bbr.reset();
    m_clock.Start();
    Drive(&tcp::Connection::Open);
    return 0;
}

int
ConnectionSocket::Listen()
{
    m_listening = m_connection.GetState() == tcp::State::CLOSED;
    return m_listening ? 0 : Fail(ERROR_INVAL);
}

int
ConnectionSocket::Close()
{
    if (m_listening)
    {
        Release();
        return 0;
    }
    m_shutDown = true;
    Drive(&tcp::Connection::Close);
    return 0;
}

int
ConnectionSocket::ShutdownSend()
{
    if (!m_listening) // PacketSink says it of a listening socket, which sends nothing anyway
    {
        m_shutDown = true;
        Drive(&tcp::Connection::CloseSending);
    }
    return 0;
}

int
ConnectionSocket::ShutdownRecv()
{
    SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    return 0;
}

int
ConnectionSocket::Send(Ptr<Packet> packet, uint32_t flags)
{
    return flags == 0 ? Write(packet->GetSize(), packet->Copy()) : Fail(ERROR_OPNOTSUPP);
}

int
ConnectionSocket::Write(uint32_t size, Ptr<Packet> octets)
{
    const tcp::State state = m_connection.GetState();
    if (m_shutDown)
    {
        return Fail(ERROR_SHUTDOWN);
    }
    if (state != tcp::State::SYN_SENT && state != tcp::State::ESTABLISHED &&
        state != tcp::State::CLOSE_WAIT)
    {
        return Fail(ERROR_NOTCONN);
    }
    if (!m_connection.MayWrite(size))
    {
        return Fail(ERROR_MSGSIZE);
    }
    if (m_bbr)
    {
        m_bbr->Write(m_connection);
    }
    m_toSend.Append(size, octets);
    Drive(&tcp::Connection::Write, size);
    return static_cast<int>(size);
}

Ptr<Packet>
ConnectionSocket::Recv(uint32_t maxSize, uint32_t flags)
{
    if (flags != 0)
    {
        Fail(ERROR_OPNOTSUPP); // a peek would take the octets off
        return nullptr;
    }
    const uint32_t size = std::min(maxSize, m_available);
    if (size == 0)
    {
        const bool over = m_connection.GetState() == tcp::State::CLOSE_WAIT && m_available == 0;
        return over ? Create<Packet>() : nullptr;
    }
    const Ptr<Packet> packet = m_received.Take(m_read, size);
    m_read += size;
    m_available -= size;
    Drive(&tcp::Connection::Read, size);
    return packet;
}

Ptr<Packet>
ConnectionSocket::RecvFrom(uint32_t maxSize, uint32_t flags, Address& from)
{
    GetPeerName(from);
    return Recv(maxSize, flags);
}

uint32_t
ConnectionSocket::GetTxAvailable() const
{
    // A writer that finds no room is noted, of which nothing follows.
    const_cast<tcp::Connection&>(m_connection).Ask();
    return m_connection.GetSendRoom();
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
    return Fail(ERROR_NOTCONN);
}

} // namespace ns3::study
