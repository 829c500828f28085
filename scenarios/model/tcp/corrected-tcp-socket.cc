/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "corrected-tcp-socket.h"

#include "segment-fields.h"

#include "ns3/ipv4-end-point.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/log.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-option-rfc793.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("CorrectedTcpSocket");

namespace
{

const Time RTO_AFTER_LOST_SYN = Seconds(3); //!< RFC 6298, 5.7, until a segment has been timed

} // namespace

#if !NS3_STUDY_OBJECT_TELLS_TYPE
TypeId
CorrectedTcpSocket::GetInstanceTypeId() const
{
    return Object::GetInstanceTypeId(); // the children's too; the parent tells its own
}
#endif

CorrectedTcpSocket::~CorrectedTcpSocket()
{
    m_reorderingEvent.Cancel();
    m_probeEvent.Cancel();
}

int64_t
CorrectedTcpSocket::AssignStreams(int64_t /* stream */)
{
    return 0;
}

CongestionControl
CorrectedTcpSocket::GetCongestionControl() const
{
    return CongestionControl::NEWRENO;
}

uint32_t
CorrectedTcpSocket::GetWindowProbes() const
{
    return m_windowProbes;
}

void
CorrectedTcpSocket::NotifyConstructionCompleted()
{
    TcpSocketBase::NotifyConstructionCompleted();
    // The parents' attributes are set after ours, so theirs would win.
    SetSegSize(m_mss);
    m_persistTimeout = m_firstPersistTimeout;
    Offer();
    // Linux's tcp_retries2. With ns-3's longest timeout of 60 s it gives up after about nine
    // minutes, where Linux, with 120 s, takes about fifteen.
    SetDataRetries(15);
}

Ptr<TcpSocketBase>
CorrectedTcpSocket::Fork()
{
    NS_LOG_FUNCTION(this);
    return CopyObject<CorrectedTcpSocket>(this);
}

int
CorrectedTcpSocket::Send(Ptr<Packet> packet, uint32_t flags)
{
    NS_LOG_FUNCTION(this << packet << flags);
    const int sent = TcpSocketBase::Send(packet, flags);
    if (sent > 0 && (m_state == ESTABLISHED || m_state == CLOSE_WAIT) && GetRoom() > 0 &&
        !m_sendPendingDataEvent.IsPending())
    {
        m_sendPendingDataEvent = Simulator::Schedule(TimeStep(1),
                                                     &CorrectedTcpSocket::SendPendingData,
                                                     this,
                                                     m_connected);
    }
    if (m_connected && m_rWnd.Get() == 0 && !m_persistEvent.IsPending() && !IsClosed())
    {
        // The parent starts the timer only when the window closes, not when data come later.
        m_persistTimeout = m_firstPersistTimeout;
        StartPersistTimer();
    }
    return sent;
}

void
CorrectedTcpSocket::DoForwardUp(Ptr<Packet> packet,
                                const Address& fromAddress,
                                const Address& toAddress)
{
    NS_LOG_FUNCTION(this << packet << fromAddress << toAddress);
    if (HandleAtEnd(packet, fromAddress, toAddress))
    {
        return;
    }
    const auto segment = SegmentFields::Of(packet);
    const bool listening = m_state == LISTEN;
    const uint32_t announcedMss = m_mss;
    if (segment.flags & TcpHeader::SYN)
    {
        if (m_connected)
        {
            SendEmptyPacket(TcpHeader::ACK);
            return;
        }
        constexpr uint32_t defaultMss = 536; // RFC 9293, 3.7.1, when the option is absent
        TcpHeader header;
        packet->PeekHeader(header);
        const auto mss = DynamicCast<const TcpOptionMSS>(header.GetOption(TcpOption::MSS));
        HonourPeerMss(header, mss ? mss->GetMSS() : defaultMss);
    }
    const bool connected = m_connected;
    const bool connecting = m_state == SYN_SENT;
    m_windowChanged = uint32_t{segment.window} << m_sndWindShift != m_rWnd.Get();
    if (!m_persistEvent.IsPending())
    {
        m_persistTimeout = m_firstPersistTimeout; // every stall starts from the first interval
    }
    const bool persisting = m_persistEvent.IsPending();
    TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
    if (listening)
    {
        Offer(); // the parent would offer the next peer no more than this one did
        m_mss = announcedMss;
    }
    else if (!m_winScalingEnabled)
    {
        m_rcvWindShift = m_sndWindShift = 0; // the parent goes on with what it has offered
    }
    if (m_connected && !connected && m_backedOff)
    {
        m_rto = RTO_AFTER_LOST_SYN;
    }
    if (!persisting && m_persistEvent.IsPending())
    {
        m_persistEvent.Cancel(); // the parent's does not know of ticks
        StartPersistTimer();
    }
    const bool reopened = persisting && !m_persistEvent.IsPending();
    if (reopened || (connecting && m_state == ESTABLISHED))
    {
        SendPendingData(m_connected);
    }
    WatchOutstandingData();
}

uint32_t
CorrectedTcpSocket::ToWindow(uint16_t field, bool scaled) const
{
    return uint32_t{field} << (scaled ? m_rcvWindShift : 0);
}

void
CorrectedTcpSocket::WatchOutstandingData()
{
    if (m_connected && m_scoreboard.GetTotal() > 0 && m_retxEvent.IsExpired() &&
        !m_persistEvent.IsPending() && !IsClosed())
    {
        m_retxEvent = Simulator::Schedule(m_rto, &CorrectedTcpSocket::ReTxTimeout, this);
    }
}

bool
CorrectedTcpSocket::IsClosed() const
{
    return m_state == CLOSED || (m_endPoint == nullptr && m_endPoint6 == nullptr);
}

void
CorrectedTcpSocket::SendEmptyPacket(uint8_t flags)
{
    if (flags & TcpHeader::SYN)
    {
        SendSyn(flags & (TcpHeader::SYN | TcpHeader::ACK));
        return;
    }
    const Time rto = m_rto;
    const bool watched = m_retxEvent.IsPending();
    TcpSocketBase::SendEmptyPacket(flags);
    KeepBackedOff(rto); // the parent computes it anew, whatever the segment
    if ((flags & TcpHeader::FIN) && !watched && m_retxEvent.IsPending())
    {
        m_retxEvent.Cancel(); // the parent's would send the FIN for ever, and never back off
        m_retxEvent = Simulator::Schedule(m_rto, &CorrectedTcpSocket::ReTxTimeout, this);
    }
}

void
CorrectedTcpSocket::KeepBackedOff(Time rto)
{
    if (m_backedOff)
    {
        m_rto = std::max(m_rto.Get(), rto);
    }
}

bool
CorrectedTcpSocket::IsFinOutstanding() const
{
    return (m_state == FIN_WAIT_1 || m_state == CLOSING || m_state == LAST_ACK) &&
           m_txBuffer->HeadSequence() <= m_tcb->m_highTxMark;
}

void
CorrectedTcpSocket::NewAck(const SequenceNumber32& seq, bool resetRTO)
{
    NS_LOG_FUNCTION(this << seq << resetRTO);
    const Time rto = m_rto;
    TcpSocketBase::NewAck(seq, resetRTO);
    KeepBackedOff(rto);
    if (m_scoreboard.IsEmpty() && !IsFinOutstanding())
    {
        m_retxEvent.Cancel();
    }
    else if (m_scoreboard.IsEmpty() && m_retxEvent.IsExpired())
    {
        // In LAST-ACK the parent stops it with the last data, and the FIN would not come again.
        m_retxEvent = Simulator::Schedule(m_rto, &CorrectedTcpSocket::ReTxTimeout, this);
    }
    if (m_backedOff && m_retxEvent.IsPending())
    {
        m_retxEvent.Cancel();
        m_retxEvent = Simulator::Schedule(m_rto, &CorrectedTcpSocket::ReTxTimeout, this);
    }
}

Time
CorrectedTcpSocket::CalculateRttSample(const TcpHeader& tcpHeader, const RttHistory& sent)
{
    const bool acknowledged = tcpHeader.GetAckNumber() >= sent.seq + SequenceNumber32(sent.count);
    if (acknowledged && !sent.retx)
    {
        return Simulator::Now() - sent.time; // finer than the milliseconds of a timestamp
    }
    return TcpSocketBase::CalculateRttSample(tcpHeader, sent);
}

void
CorrectedTcpSocket::EstimateRtt(const TcpHeader& tcpHeader)
{
    const uint32_t samples = m_rtt->GetNSamples();
    const Time rto = m_rto;
    const Time sample =
        m_history.empty() ? Time() : CalculateRttSample(tcpHeader, m_history.front());
    TcpSocketBase::EstimateRtt(tcpHeader);
    if (m_rtt->GetNSamples() != samples)
    {
        m_leastRtt = std::min(m_leastRtt, sample);
        m_rttSampleTrace(sample);
        m_backedOff = false;
    }
    else
    {
        KeepBackedOff(rto);
    }
}

void
CorrectedTcpSocket::PersistTimeout()
{
    NS_LOG_FUNCTION(this);
    if (IsClosed() || m_txBuffer->Size() == 0)
    {
        return; // nothing left to ask a window for
    }
    TcpHeader header;
    header.SetFlags(TcpHeader::ACK);
    // One below SND.UNA: outside the peer's window, so it must answer (RFC 9293, 3.10.7.4).
    header.SetSequenceNumber(m_txBuffer->HeadSequence() - 1);
    header.SetAckNumber(m_tcb->m_rxBuffer->NextRxSequence());
    header.SetWindowSize(AdvertisedWindowSize());
    SendHeader(header);
    ++m_windowProbes;
    m_persistTimeout = std::min(m_persistTimeout + m_persistTimeout, m_longestPersistTimeout);
    StartPersistTimer();
}

void
CorrectedTcpSocket::StartPersistTimer()
{
    m_persistStarted = Simulator::Now();
    m_persistEvent = Simulator::Schedule(StartTicking(m_persistTimeout),
                                         &CorrectedTcpSocket::PersistTimeout,
                                         this);
}

void
CorrectedTcpSocket::TellAckWithheld(bool withheld)
{
    if (withheld != m_ackWithheld)
    {
        m_ackWithheld = withheld;
        m_ackWithheldTrace(withheld);
    }
}

} // namespace ns3::study
