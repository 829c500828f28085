/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "device-tcp-socket.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DeviceTcpSocket");

NS_OBJECT_ENSURE_REGISTERED(DeviceTcpSocket);

TypeId
DeviceTcpSocket::GetTypeId()
{
    static const Time longest = Hours(1);
    static TypeId tid =
        TypeId("ns3::DeviceTcpSocket")
            .SetParent<CorrectedTcpSocket>()
            .SetGroupName("Study")
            .AddConstructor<DeviceTcpSocket>()
            .AddAttribute("ReceiveWindow",
                          "Receive window the device offers [B]",
                          UintegerValue(32120),
                          MakeUintegerAccessor(&DeviceTcpSocket::m_receiveWindow),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("SynAckLatency",
                          "Time from a SYN's arrival to the SYN-ACK [s]",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&DeviceTcpSocket::m_synAckLatency),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("AckLatency",
                          "Bulk traffic: time from the first segment an ACK covers to that ACK [s]",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&DeviceTcpSocket::m_ackLatency),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("AckLatencyPerByte",
                          "Bulk traffic: what each byte covered adds to the ACK latency [s]",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&DeviceTcpSocket::m_ackLatencyPerByte),
                          MakeTimeChecker(Time(0), Seconds(1)))
            .AddAttribute("InteractiveAckLatency",
                          "Interactive traffic: time each segment takes until its ACK or the "
                          "application's answer [s]",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&DeviceTcpSocket::m_interactiveAckLatency),
                          MakeTimeChecker(NanoSeconds(1), longest));
    return tid;
}

#if NS3_STUDY_NS3_VERSION < 345
TypeId
DeviceTcpSocket::GetInstanceTypeId() const
{
    return GetTypeId();
}
#endif

DeviceTcpSocket::DeviceTcpSocket()
{
    NS_LOG_FUNCTION(this);
}

DeviceTcpSocket::DeviceTcpSocket(const DeviceTcpSocket& sock)
    : CorrectedTcpSocket(sock),
      m_receiveWindow(sock.m_receiveWindow),
      m_synAckLatency(sock.m_synAckLatency),
      m_ackLatency(sock.m_ackLatency),
      m_ackLatencyPerByte(sock.m_ackLatencyPerByte),
      m_interactiveAckLatency(sock.m_interactiveAckLatency)
{
    NS_LOG_FUNCTION(this);
}

DeviceTcpSocket::~DeviceTcpSocket()
{
    m_attentionEvent.Cancel();
    m_ackEvent.Cancel();
    m_synAckEvent.Cancel();
}

int
DeviceTcpSocket::Send(Ptr<Packet> packet, uint32_t flags)
{
    m_bulk = false; // the application has answered
    return CorrectedTcpSocket::Send(packet, flags);
}

void
DeviceTcpSocket::NotifyConstructionCompleted()
{
    CorrectedTcpSocket::NotifyConstructionCompleted();
    SetRcvBufSize(m_receiveWindow);
    SetTcpNoDelay(true);
}

Ptr<TcpSocketBase>
DeviceTcpSocket::Fork()
{
    return CopyObject<DeviceTcpSocket>(this);
}

void
DeviceTcpSocket::DoForwardUp(Ptr<Packet> packet,
                             const Address& fromAddress,
                             const Address& toAddress)
{
    TcpHeader header;
    const uint32_t size = packet->GetSize() - packet->PeekHeader(header);
    const bool opens = header.GetFlags() & TcpHeader::SYN;
    const bool closes = header.GetFlags() & (TcpHeader::FIN | TcpHeader::RST);
    const bool probe =
        size == 0 && !closes && header.GetSequenceNumber() < m_tcb->m_rxBuffer->NextRxSequence();
    if (opens || m_state == LISTEN || (size == 0 && !closes && !probe))
    {
        CorrectedTcpSocket::DoForwardUp(packet, fromAddress, toAddress);
        return;
    }
    m_bulk = m_bulk || IsBulk(header, size);
    m_arrivals.push_back({packet, fromAddress, toAddress, size, probe, Simulator::Now()});
    if (m_attendingBulk && m_ackLatencyPerByte.IsStrictlyPositive())
    {
        m_attentionEvent.Cancel(); // it takes longer now
    }
    if (!m_attentionEvent.IsPending())
    {
        ScheduleAttention();
    }
}

bool
DeviceTcpSocket::IsBulk(const TcpHeader& header, uint32_t size) const
{
    const SequenceNumber32 end = header.GetSequenceNumber() + SequenceNumber32(size);
    return size > 0 && (size >= m_tcb->m_segmentSize || end >= m_tcb->m_rxBuffer->MaxRxSequence());
}

void
DeviceTcpSocket::ScheduleAttention()
{
    m_attendingBulk = m_bulk;
    Time due = Simulator::Now() + m_interactiveAckLatency;
    if (m_bulk)
    {
        uint64_t covered = 0;
        for (const auto& arrival : m_arrivals)
        {
            covered += arrival.size;
        }
        due = m_arrivals.front().arrived + m_ackLatency + covered * m_ackLatencyPerByte;
    }
    m_attentionEvent = Simulator::Schedule(std::max(due - Simulator::Now(), Time(0)),
                                           &DeviceTcpSocket::Attend,
                                           this);
}

void
DeviceTcpSocket::Attend()
{
    NS_LOG_FUNCTION(this << m_arrivals.size());
    Ptr<DeviceTcpSocket> self = this; // what is handled here may be the end of the connection
    std::size_t count = m_attendingBulk ? m_arrivals.size() : 1;
    m_attendingBulk = false;
    m_attending = true;
    m_ackWanted = false;
    for (; count > 0; --count)
    {
        const Arrival arrival = m_arrivals.front();
        m_arrivals.pop_front();
        m_ackWanted = m_ackWanted || arrival.probe || arrival.size > 0;
        CorrectedTcpSocket::DoForwardUp(arrival.segment, arrival.from, arrival.to);
        m_delAckEvent.Cancel(); // when to acknowledge is decided here, not by the parent's timer
    }
    m_attending = false;
    if (m_ackWanted && !IsClosed())
    {
        // What the application wrote just now may leave in a nanosecond, and carries the ACK.
        if (m_sendPendingDataEvent.IsPending())
        {
            m_ackEvent =
                Simulator::Schedule(NanoSeconds(2), &DeviceTcpSocket::AcknowledgeUnlessDone, this);
        }
        else
        {
            SendEmptyPacket(TcpHeader::ACK);
        }
    }
    if (!m_arrivals.empty())
    {
        ScheduleAttention();
    }
}

void
DeviceTcpSocket::AcknowledgeUnlessDone()
{
    if (!IsClosed() && m_ackWanted)
    {
        SendEmptyPacket(TcpHeader::ACK);
    }
}

void
DeviceTcpSocket::SendEmptyPacket(uint8_t flags)
{
    if (flags & TcpHeader::SYN)
    {
        if (!m_synAckEvent.IsPending())
        {
            m_synAckEvent =
                Simulator::Schedule(m_synAckLatency, &DeviceTcpSocket::SendSyn, this, flags);
        }
        return;
    }
    if (flags == TcpHeader::ACK && m_attending)
    {
        m_ackWanted = true;
        return;
    }
    m_ackWanted = m_ackWanted && !(flags & TcpHeader::ACK);
    CorrectedTcpSocket::SendEmptyPacket(flags);
}

uint32_t
DeviceTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    m_ackWanted = m_ackWanted && !withAck;
    return CorrectedTcpSocket::SendDataPacket(seq, maxSize, withAck);
}

} // namespace ns3
