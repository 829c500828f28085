/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What CorrectedTcpSocket sends, and when: what is lost first, then new data (RFC 6675, NextSeg).
 */

#include "corrected-tcp-socket.h"

#include "ns3/ipv4-end-point.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-rate-ops.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/tcp-tx-item.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("TcpSending");

uint32_t
CorrectedTcpSocket::AvailableWindow() const
{
    return 0; // so that the parent never sends: it walks through all that is outstanding
}

uint32_t
CorrectedTcpSocket::BytesInFlight() const
{
    const uint32_t pipe = m_scoreboard.GetPipe();
    m_tcb->m_bytesInFlight = pipe;
    return pipe;
}

bool
CorrectedTcpSocket::MaySend() const
{
    return true;
}

uint32_t
CorrectedTcpSocket::GetRoom() const
{
    const uint32_t window = m_rWnd;
    const uint32_t congestion = m_tcb->m_cWnd + (m_sendingProbe ? BytesInFlight() : 0);
    return std::min(window - std::min(window, m_scoreboard.GetTotal()),
                    congestion - std::min(congestion, BytesInFlight()));
}

uint32_t
CorrectedTcpSocket::SendPendingData(bool withAck)
{
    NS_LOG_FUNCTION(this << withAck);
    uint32_t sent = 0;
    while (m_txBuffer->Size() > 0 && !IsClosed() && MaySend() &&
           !(IsPacingEnabled() && m_pacingTimer.IsRunning()))
    {
        const bool left = m_scoreboard.HasLost() ? SendLost(withAck) : SendNew(withAck);
        if (!left && !SendHole(withAck))
        {
            break;
        }
        ++sent;
    }
    return sent;
}

bool
CorrectedTcpSocket::SendLost(bool withAck)
{
    const SendScoreboard::Segment& lost = m_scoreboard.GetLost();
    const uint32_t pipe = BytesInFlight();
    if (pipe > 0 && pipe + lost.size > m_tcb->m_cWnd)
    {
        return false;
    }
    if (UsesRack() && lost.begin == m_txBuffer->HeadSequence())
    {
        m_retxEvent.Cancel(); // what runs was meant for what was lost before, as in Linux
    }
    SendDataPacket(lost.begin, lost.size, withAck);
    return true;
}

bool
CorrectedTcpSocket::SendHole(bool withAck)
{
    const uint32_t outstanding = m_scoreboard.GetTotal();
    const bool newData = m_txBuffer->Size() > outstanding && outstanding < m_rWnd;
    if (newData || m_scoreboard.HasLost() || m_tcb->m_congState != TcpSocketState::CA_RECOVERY)
    {
        return false;
    }
    m_scoreboard.MarkAllHoles();
    return m_scoreboard.HasLost() && SendLost(withAck);
}

bool
CorrectedTcpSocket::SendNew(bool withAck)
{
    const uint32_t room = GetRoom();
    const uint32_t outstanding = m_scoreboard.GetTotal();
    const SequenceNumber32 next = m_txBuffer->HeadSequence() + SequenceNumber32(outstanding);
    const uint32_t unsent = m_txBuffer->SizeFromSequence(next);
    const uint32_t whole = m_tcb->m_segmentSize;
    if (room == 0 || unsent == 0 || outstanding >= m_rWnd)
    {
        return false;
    }
    const uint32_t size = std::min({room, whole, m_rWnd.Get() - outstanding});
    if (unsent < room)
    {
        NotifySend(GetTxAvailable());
    }
    const bool silly = room < whole && unsent > room;
    const bool nagle = !m_noDelay && unsent < whole && HoldsSmallSegment();
    if (silly || nagle)
    {
        return false;
    }
    m_tcb->m_nextTxSequence = next;
    if (m_tcb->m_bytesInFlight == 0U)
    {
        m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_TX_START);
    }
    m_tcb->m_nextTxSequence += SendDataPacket(next, size, withAck);
    return true;
}

bool
CorrectedTcpSocket::HoldsSmallSegment() const
{
    return !m_scoreboard.IsEmpty();
}

bool
CorrectedTcpSocket::Pushes(SequenceNumber32 /* seq */, uint32_t /* size */) const
{
    return false;
}

uint32_t
CorrectedTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    NS_LOG_FUNCTION(this << seq << maxSize << withAck);
    if (m_highRxAckMark.Get() < m_txBuffer->HeadSequence())
    {
        // Data that completed the handshake, its ACK lost: the parent forgets to note the ACK.
        m_highRxAckMark = m_txBuffer->HeadSequence();
    }
    const bool starts = BytesInFlight() == 0;
    const bool again = m_scoreboard.HasLost() && m_scoreboard.GetLost().begin == seq;
    TcpTxItem* item =
        again ? m_scoreboard.GetLost().item : m_txBuffer->CopyFromSequence(maxSize, seq);
    m_rateOps->SkbSent(item, starts);
    const Ptr<Packet> data = item->GetPacketCopy();
    const uint32_t size = data->GetSize();
    SendData(data, seq, withAck, again);
    if (again)
    {
        m_scoreboard.Resend(m_scoreboard.GetLost(), m_tcb->m_highTxMark);
    }
    else
    {
        m_scoreboard.Add(seq, size, item);
    }
    m_tcb->m_isCwndLimited = m_tcb->m_cWnd < BytesInFlight() + m_tcb->m_segmentSize;
    UpdateRttHistory(seq, size, again);
    if (m_tcb->m_congState == TcpSocketState::CA_RECOVERY)
    {
        m_recoveryOps->UpdateBytesSent(size);
    }
    if (!again)
    {
        Simulator::ScheduleNow(&CorrectedTcpSocket::NotifyDataSent, this, size);
        m_tcb->m_highTxMark = std::max(seq + size, m_tcb->m_highTxMark.Get());
        if (UsesRack())
        {
            StartProbeTimer();
        }
    }
    return size;
}

void
CorrectedTcpSocket::SendData(Ptr<Packet> data, SequenceNumber32 seq, bool withAck, bool again)
{
    const uint32_t size = data->GetSize();
    if (IsPacingEnabled() && m_pacingTimer.IsExpired())
    {
        m_pacingTimer.SetFunction(&CorrectedTcpSocket::Paced, this);
        m_pacingTimer.Schedule(m_tcb->m_pacingRate.Get().CalculateBytesTxTime(size));
    }
    TcpHeader header;
    header.SetFlags(withAck ? TcpHeader::ACK : TcpHeader::NONE);
    if (Pushes(seq, size))
    {
        header.SetFlags(header.GetFlags() | TcpHeader::PSH);
    }
    header.SetSequenceNumber(seq);
    header.SetAckNumber(m_tcb->m_rxBuffer->NextRxSequence());
    if (withAck)
    {
        m_delAckEvent.Cancel();
        m_delAckCount = 0;
        m_highTxAck = m_timestampEnabled ? header.GetAckNumber() : m_highTxAck;
    }
    if (m_closeOnEmpty && m_txBuffer->SizeFromSequence(seq + SequenceNumber32(size)) == 0)
    {
        header.SetFlags(header.GetFlags() | TcpHeader::FIN);
        if (m_state == ESTABLISHED || m_state == CLOSE_WAIT)
        {
            m_state = m_state == ESTABLISHED ? FIN_WAIT_1 : LAST_ACK;
        }
    }
    AddSocketTags(data, false);
    header.SetWindowSize(AdvertisedWindowSize());
    AddOptions(header);
    if (m_retxEvent.IsExpired())
    {
        m_retxEvent = Simulator::Schedule(m_rto, &CorrectedTcpSocket::ReTxTimeout, this);
    }
    SendSegment(data, header, again);
}

void
CorrectedTcpSocket::SendHeader(TcpHeader header)
{
    if (!(header.GetFlags() & (TcpHeader::SYN | TcpHeader::RST)))
    {
        AddOptions(header); // without its timestamp the peer would drop it
    }
    SendSegment(Create<Packet>(), header, false);
}

void
CorrectedTcpSocket::SendSegment(Ptr<Packet> data, TcpHeader header, bool again)
{
    const auto send = [&](auto* endPoint) {
        header.SetSourcePort(endPoint->GetLocalPort());
        header.SetDestinationPort(endPoint->GetPeerPort());
        const auto from = endPoint->GetLocalAddress();
        const auto to = endPoint->GetPeerAddress();
        m_txTrace(data, header, this);
        if (again)
        {
            m_retransmissionTrace(data, header, from, to, this);
        }
        m_tcp->SendPacket(data, header, from, to, m_boundnetdevice);
    };
    if (m_endPoint)
    {
        send(m_endPoint);
    }
    else
    {
        send(m_endPoint6);
    }
}

void
CorrectedTcpSocket::Paced()
{
    SendPendingData(m_connected);
}

void
CorrectedTcpSocket::UpdateRttHistory(const SequenceNumber32& seq,
                                     uint32_t size,
                                     bool isRetransmission)
{
    if (!isRetransmission)
    {
        m_history.emplace_back(seq, size, Simulator::Now());
        return;
    }
    m_lastResent = Simulator::Now();
    const auto after = std::upper_bound(
        m_history.begin(),
        m_history.end(),
        seq,
        [](SequenceNumber32 sought, const RttHistory& sent) { return sought < sent.seq; });
    if (after != m_history.begin() && seq < std::prev(after)->seq + std::prev(after)->count)
    {
        std::prev(after)->retx = true;
    }
}

} // namespace ns3::study
