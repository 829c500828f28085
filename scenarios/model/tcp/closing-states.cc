/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What CorrectedTcpSocket does with a segment when its connection is about to end, or is gone
 * (RFC 9293, 3.10.7). The parent takes a FIN that comes again, and an ACK of data, for the ACK of
 * its own FIN; loses count of a FIN that comes with data, or before them, to an end that has sent
 * its own; answers a reset that carries an ACK by one; and leaves a FIN in TIME-WAIT and what a
 * listening socket knows no connection of without an answer. The peer then waits for ever.
 */

#include "corrected-tcp-socket.h"
#include "segment-fields.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-rx-buffer.h"
#include "ns3/tcp-tx-buffer.h"

#include <utility>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("ClosingStates");

namespace
{

/// Take flags off a segment's header.
void
TakeOff(Ptr<Packet> segment, uint8_t flags)
{
    TcpHeader header;
    segment->RemoveHeader(header);
    header.SetFlags(header.GetFlags() & ~flags);
    segment->AddHeader(header);
}

} // namespace

bool
CorrectedTcpSocket::HandleAtEnd(Ptr<Packet> packet, const Address& from, const Address& to)
{
    const auto segment = SegmentFields::Of(packet);
    if (segment.flags & TcpHeader::RST)
    {
        const bool withAck = segment.flags & TcpHeader::ACK;
        if (withAck && m_state != LISTEN && m_state != SYN_SENT) // where it matters what of
        {
            TakeOff(packet, TcpHeader::ACK); // with it the parent would answer by a reset
            const bool breaksOff = m_state == SYN_RCVD || m_state == ESTABLISHED ||
                                   m_state == FIN_WAIT_1 || m_state == FIN_WAIT_2 ||
                                   m_state == CLOSE_WAIT;
            if (breaksOff && !IsClosed())
            {
                m_closeNotified = true; // not as an end in order
                NotifyErrorClose();
            }
        }
        return false;
    }
    if (m_state == LISTEN)
    {
        return (segment.flags & TcpHeader::ACK) && Refuse(packet, from, to);
    }
    if (segment.flags & TcpHeader::SYN)
    {
        return false;
    }
    const bool fin = segment.flags & TcpHeader::FIN;
    if (m_state == FIN_WAIT_1 || m_state == FIN_WAIT_2)
    {
        return fin && HandleFinInFinWait(packet);
    }
    const bool finHasCome =
        m_state == CLOSE_WAIT || m_state == CLOSING || m_state == LAST_ACK || m_state == TIME_WAIT;
    if (finHasCome && fin)
    {
        AcknowledgeFinAgain(packet);
        return true;
    }
    return (m_state == CLOSING || m_state == LAST_ACK) && HandleLastAcks(packet);
}

bool
CorrectedTcpSocket::Refuse(Ptr<const Packet> packet, const Address& from, const Address& to)
{
    NS_LOG_FUNCTION(this << packet << from << to);
    const TcpHeader stray = TraceReceived(packet);
    TcpHeader reset;
    reset.SetFlags(TcpHeader::RST);
    reset.SetSequenceNumber(stray.GetAckNumber());
    reset.SetSourcePort(stray.GetDestinationPort());
    reset.SetDestinationPort(stray.GetSourcePort());
    reset.SetWindowSize(0);
    Ptr<Packet> empty = Create<Packet>();
    m_txTrace(empty, reset, this);
    m_tcp->SendPacket(empty, reset, to, from, m_boundnetdevice);
    return true;
}

TcpHeader
CorrectedTcpSocket::TraceReceived(Ptr<const Packet> packet)
{
    Ptr<Packet> data = packet->Copy();
    TcpHeader header;
    data->RemoveHeader(header);
    m_rxTrace(data, header, this);
    return header;
}

bool
CorrectedTcpSocket::HandleFinInFinWait(Ptr<Packet> packet)
{
    const auto segment = SegmentFields::Of(packet);
    const SequenceNumber32 fin = segment.sequence + SequenceNumber32(segment.payload);
    const bool inWindow =
        fin >= m_tcb->m_rxBuffer->NextRxSequence() && fin <= m_tcb->m_rxBuffer->MaxRxSequence();
    if (segment.payload == 0 && !inWindow)
    {
        TraceReceived(packet);
        SendEmptyPacket(TcpHeader::ACK);
        return true;
    }
    if (segment.payload > 0)
    {
        if (inWindow)
        {
            m_tcb->m_rxBuffer->SetFinSequence(fin);
        }
        TakeOff(packet, TcpHeader::FIN); // the parent would look for it before the data
    }
    return false;
}

void
CorrectedTcpSocket::ReceivedData(Ptr<Packet> packet, const TcpHeader& header)
{
    const bool finSent = m_state == FIN_WAIT_1 || m_state == FIN_WAIT_2;
    if (!finSent)
    {
        TcpSocketBase::ReceivedData(packet, header);
        return;
    }
    // Where these data complete what comes before the peer's FIN the parent goes to CLOSE-WAIT,
    // as if this end had yet to close; the application is told in TIME-WAIT, as of any other FIN.
    const bool notified = std::exchange(m_closeNotified, true);
    const bool shutdown = std::exchange(m_shutdownSend, false);
    TcpSocketBase::ReceivedData(packet, header);
    m_closeNotified = notified || IsClosed();
    m_shutdownSend = m_shutdownSend || shutdown;
    if (m_state != CLOSE_WAIT)
    {
        return;
    }
    if (m_txBuffer->HeadSequence() <= m_tcb->m_highTxMark)
    {
        m_state = CLOSING;
    }
    else
    {
        TimeWait();
    }
}

void
CorrectedTcpSocket::AcknowledgeFinAgain(Ptr<const Packet> packet)
{
    NS_LOG_FUNCTION(this);
    TraceReceived(packet);
    SendEmptyPacket(TcpHeader::ACK);
    const auto segment = SegmentFields::Of(packet);
    const SequenceNumber32 end = segment.sequence + SequenceNumber32(segment.payload + 1);
    if (m_state == TIME_WAIT && end == m_tcb->m_rxBuffer->NextRxSequence())
    {
        m_timewaitEvent.Cancel();
        m_timewaitEvent =
            Simulator::Schedule(Seconds(2 * m_msl), &CorrectedTcpSocket::CloseAndNotify, this);
    }
}

bool
CorrectedTcpSocket::HandleLastAcks(Ptr<const Packet> packet)
{
    Ptr<Packet> data = packet->Copy();
    TcpHeader header;
    data->RemoveHeader(header);
    const SequenceNumber32 end = m_tcb->m_highTxMark.Get() + SequenceNumber32(1); // of the FIN
    const bool all = header.GetAckNumber() == end;
    if (!(header.GetFlags() & TcpHeader::ACK) || (all && m_state == LAST_ACK))
    {
        return false; // the parent drops the one, and ends at the other
    }
    m_rxTrace(data, header, this);
    if (header.GetAckNumber() > end)
    {
        SendEmptyPacket(TcpHeader::ACK); // of what was never sent
        return true;
    }
    if (m_timestampEnabled)
    {
        if (!header.HasOption(TcpOption::TS))
        {
            return true; // RFC 7323, 3.2
        }
        ProcessOptionTimestamp(header.GetOption(TcpOption::TS), header.GetSequenceNumber());
    }
    EstimateRtt(header);
    UpdateWindowSize(header);
    if (m_rWnd.Get() > 0)
    {
        m_persistEvent.Cancel(); // or else no retransmission timer would watch what is outstanding
    }
    ReceivedAck(data, header);
    WatchOutstandingData();
    if (all)
    {
        TimeWait(); // the parent, in CLOSING, forgets what comes after its FIN
    }
    return true;
}

} // namespace ns3::study
