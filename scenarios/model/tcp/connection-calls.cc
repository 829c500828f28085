/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What an application calls of ConnectionSocket.
 */

#include "connection-socket.h"

#include "ns3/log.h"
#include "ns3/node.h"

#include <algorithm>
#include <sstream>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("ConnectionCalls");

int
ConnectionSocket::Listen()
{
    if (m_connection.GetState() != tcp::State::CLOSED)
    {
        m_errno = ERROR_INVAL;
        return -1;
    }
    m_listening = true;
    return 0;
}

int
ConnectionSocket::Close()
{
    NS_LOG_FUNCTION(this);
    if (m_listening)
    {
        Release();
        return 0;
    }
    m_shutDown = true;
    Drive(tcp::Close{});
    return 0;
}

int
ConnectionSocket::ShutdownSend()
{
    if (!m_listening) // PacketSink says it of a listening socket, which sends nothing anyway
    {
        m_shutDown = true;
        Drive(tcp::Close{.readsOn = true});
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
    NS_LOG_FUNCTION(this << packet << flags);
    if (flags != 0)
    {
        m_errno = ERROR_OPNOTSUPP;
        return -1;
    }
    const tcp::State state = m_connection.GetState();
    const uint32_t size = packet->GetSize();
    const bool open = state == tcp::State::SYN_SENT || state == tcp::State::ESTABLISHED ||
                      state == tcp::State::CLOSE_WAIT;
    if (m_shutDown || !open)
    {
        m_errno = m_shutDown ? ERROR_SHUTDOWN : ERROR_NOTCONN;
        return -1;
    }
    if (!m_connection.MayWrite(size))
    {
        m_errno = ERROR_MSGSIZE;
        return -1;
    }
    m_toSend.Append(packet->Copy());
    Drive(tcp::Write{size});
    return static_cast<int>(size);
}

int
ConnectionSocket::SendTo(Ptr<Packet> packet, uint32_t flags, const Address& /* to */)
{
    return Send(packet, flags);
}

Ptr<Packet>
ConnectionSocket::Recv(uint32_t maxSize, uint32_t flags)
{
    NS_LOG_FUNCTION(this << maxSize << flags);
    if (flags != 0)
    {
        m_errno = ERROR_OPNOTSUPP; // a peek would take the octets off
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
    Drive(tcp::Read{size});
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
    m_connection.On(tcp::Ask{}, Now(), m_actions); // of which nothing follows
    return m_connection.GetSendRoom();
}

uint32_t
ConnectionSocket::GetRxAvailable() const
{
    return m_available;
}

Socket::SocketErrno
ConnectionSocket::GetErrno() const
{
    return m_errno;
}

Socket::SocketType
ConnectionSocket::GetSocketType() const
{
    return NS3_SOCK_STREAM;
}

Ptr<Node>
ConnectionSocket::GetNode() const
{
    return m_node;
}

bool
ConnectionSocket::SetAllowBroadcast(bool allow)
{
    return !allow;
}

bool
ConnectionSocket::GetAllowBroadcast() const
{
    return false;
}

std::string
ConnectionSocket::DescribeWait() const
{
    std::ostringstream text;
    const uint32_t outstanding = m_connection.GetOutstanding();
    const uint32_t waiting =
        m_connection.GetBuffered() - std::min(m_connection.GetBuffered(), outstanding);
    const uint32_t window = m_connection.GetPeersWindow();
    if (m_connection.GetState() < tcp::State::ESTABLISHED)
    {
        text << "no SYN-ACK came back for " << m_connection.CountSyns() << " SYN(s)";
    }
    else if (outstanding > 0)
    {
        text << outstanding << " B are outstanding and nothing acknowledges them";
    }
    else if (waiting > 0 && window == 0)
    {
        text << waiting << " B wait and the peer's window stays closed";
    }
    else if (waiting > 0)
    {
        text << waiting << " B wait, the peer's window is " << window << " B, the MSS "
             << m_connection.GetSegment() << " B, and the sender does not use a window that small";
    }
    else
    {
        text << "all that was written is acknowledged and the peer's application is silent";
    }
    return text.str();
}

// The connection's settings say what TcpSocket's attributes would.

void
ConnectionSocket::Ignore(const std::string& attribute) const
{
    if (m_node) // somebody sets it, and not the constructor
    {
        NS_LOG_WARN(attribute << " has no effect: the settings of the connection say it");
    }
}

void
ConnectionSocket::SetSndBufSize(uint32_t /* size */)
{
    Ignore("SndBufSize");
}

uint32_t
ConnectionSocket::GetSndBufSize() const
{
    return m_settings.sendBuffer;
}

void
ConnectionSocket::SetRcvBufSize(uint32_t /* size */)
{
    Ignore("RcvBufSize");
}

uint32_t
ConnectionSocket::GetRcvBufSize() const
{
    return m_settings.window;
}

void
ConnectionSocket::SetSegSize(uint32_t /* size */)
{
    Ignore("SegmentSize");
}

uint32_t
ConnectionSocket::GetSegSize() const
{
    return m_settings.mss;
}

void
ConnectionSocket::SetInitialSSThresh(uint32_t /* threshold */)
{
    Ignore("InitialSlowStartThreshold");
}

uint32_t
ConnectionSocket::GetInitialSSThresh() const
{
    return CongestionState().threshold;
}

void
ConnectionSocket::SetInitialCwnd(uint32_t /* segments */)
{
    Ignore("InitialCwnd");
}

uint32_t
ConnectionSocket::GetInitialCwnd() const
{
    return m_settings.recovery.initialWindow;
}

void
ConnectionSocket::SetConnTimeout(Time /* timeout */)
{
    Ignore("ConnTimeout");
}

Time
ConnectionSocket::GetConnTimeout() const
{
    return NanoSeconds(m_settings.recovery.timeout.initial.count());
}

void
ConnectionSocket::SetSynRetries(uint32_t /* count */)
{
    Ignore("ConnCount");
}

uint32_t
ConnectionSocket::GetSynRetries() const
{
    return m_settings.synRetries;
}

void
ConnectionSocket::SetDataRetries(uint32_t /* count */)
{
    Ignore("DataRetries");
}

uint32_t
ConnectionSocket::GetDataRetries() const
{
    return m_settings.dataRetries;
}

void
ConnectionSocket::SetDelAckTimeout(Time /* timeout */)
{
    Ignore("DelAckTimeout");
}

Time
ConnectionSocket::GetDelAckTimeout() const
{
    return GetDelayedAckTimeout();
}

void
ConnectionSocket::SetDelAckMaxCount(uint32_t /* count */)
{
    Ignore("DelAckCount");
}

uint32_t
ConnectionSocket::GetDelAckMaxCount() const
{
    return m_settings.acks.frequency;
}

void
ConnectionSocket::SetTcpNoDelay(bool noDelay)
{
    m_settings.nagle = !noDelay;
    m_connection.On(tcp::SetNagle{!noDelay}, Now(), m_actions); // with nothing to do about it
}

bool
ConnectionSocket::GetTcpNoDelay() const
{
    return !m_settings.nagle;
}

void
ConnectionSocket::SetPersistTimeout(Time /* timeout */)
{
    Ignore("PersistTimeout");
}

Time
ConnectionSocket::GetPersistTimeout() const
{
    return NanoSeconds(m_settings.firstPersist.count());
}

} // namespace ns3::study
