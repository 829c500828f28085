/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What CorrectedTcpSocket does with a segment when its connection is about to end, or is gone
 * (RFC 9293, 3.10.7). The parent takes a FIN that comes again, and an ACK of data, for the ACK of
 * its own FIN, and leaves a FIN in TIME-WAIT and what a listening socket knows no connection of
 * without an answer: where segments are lost, the peer then waits for ever.
 */

#include "corrected-tcp-socket.h"
#include "segment-fields.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("ClosingStates");

bool
CorrectedTcpSocket::HandleAtEnd(Ptr<Packet> packet, const Address& from, const Address& to)
{
    const auto segment = SegmentFields::Of(packet);
    if (segment.flags & TcpHeader::RST)
    {
        return false;
    }
    if (m_state == LISTEN)
    {
        return (segment.flags & TcpHeader::ACK) && Refuse(packet, from, to);
    }
    const bool finHasCome =
        m_state == CLOSE_WAIT || m_state == CLOSING || m_state == LAST_ACK || m_state == TIME_WAIT;
    if (!finHasCome || (segment.flags & TcpHeader::SYN))
    {
        return false;
    }
    if (segment.flags & TcpHeader::FIN)
    {
        return AcknowledgeFinAgain(packet);
    }
    return (m_state == CLOSING || m_state == LAST_ACK) && !AcknowledgesFin(packet);
}

bool
CorrectedTcpSocket::Refuse(Ptr<const Packet> packet, const Address& from, const Address& to)
{
    NS_LOG_FUNCTION(this << packet << from << to);
    TcpHeader stray;
    packet->PeekHeader(stray);
    TcpHeader reset;
    reset.SetFlags(TcpHeader::RST);
    reset.SetSequenceNumber(stray.GetAckNumber());
    reset.SetSourcePort(stray.GetDestinationPort());
    reset.SetDestinationPort(stray.GetSourcePort());
    reset.SetWindowSize(0);
    m_tcp->SendPacket(Create<Packet>(), reset, to, from, m_boundnetdevice);
    return true;
}

bool
CorrectedTcpSocket::AcknowledgeFinAgain(Ptr<const Packet> packet)
{
    const auto segment = SegmentFields::Of(packet);
    if (segment.sequence + SequenceNumber32(segment.payload) >= m_tcb->m_rxBuffer->NextRxSequence())
    {
        return false;
    }
    NS_LOG_FUNCTION(this);
    SendEmptyPacket(TcpHeader::ACK);
    if (m_state == TIME_WAIT)
    {
        m_timewaitEvent.Cancel();
        m_timewaitEvent =
            Simulator::Schedule(Seconds(2 * m_msl), &CorrectedTcpSocket::CloseAndNotify, this);
    }
    return true;
}

bool
CorrectedTcpSocket::AcknowledgesFin(Ptr<const Packet> packet)
{
    Ptr<Packet> data = packet->Copy();
    TcpHeader header;
    data->RemoveHeader(header);
    if (!(header.GetFlags() & TcpHeader::ACK))
    {
        return true; // which it does not, but that is dropped by the parent
    }
    const bool all = header.GetAckNumber() > m_tcb->m_highTxMark.Get();
    if (!all)
    {
        m_rxTrace(data, header, this);
        EstimateRtt(header);
        UpdateWindowSize(header);
    }
    if (!all || m_state == CLOSING) // where the parent forgets what comes after its FIN
    {
        ReceivedAck(data, header);
        WatchOutstandingData();
    }
    return all;
}

} // namespace ns3::study
