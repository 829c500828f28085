/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-tcp-socket.h"

#include "segment-fields.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <limits>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("HostTcpSocket");

HostTcpSocket::~HostTcpSocket()
{
    m_nextSegmentEvent.Cancel();
    m_overrideEvent.Cancel();
}

int
HostTcpSocket::Connect(const Address& address)
{
    NS_LOG_FUNCTION(this << address);
    m_clock.Start();
    return CorrectedTcpSocket::Connect(address);
}

bool
HostTcpSocket::IsRecovering() const
{
    return IsGettingOverLoss();
}

bool
HostTcpSocket::IsRetransmitting() const
{
    return m_retxEvent.IsPending();
}

LimitClock&
HostTcpSocket::GetLimitClock()
{
    return m_clock;
}

std::string
HostTcpSocket::DescribeWait() const
{
    return m_connected ? See().DescribeWait()
                       : "no SYN-ACK came back for " + std::to_string(m_synRetries - m_synCount) +
                             " SYN(s)";
}

void
HostTcpSocket::NotifyConstructionCompleted()
{
    CorrectedTcpSocket::NotifyConstructionCompleted();
    const uint32_t window = m_firstWindow > 0 ? m_firstWindow : m_hostWindow;
    m_window.Begin(window, m_hostWindow);
    SetRcvBufSize(m_window.Get());
    BeginSendBuffer();
    SetTcpNoDelay(!m_nagle);
    SetInitialCwnd(m_initialWindow);
    SetMinRto(m_minimumRto);
    if (m_rtoRule == LINUX_RTO)
    {
        SetClockGranularity(m_minimumRto); // RFC 6298, 2: SRTT + max(G, 4 RTTVAR)
    }
    SetConnTimeout(m_initialRto);
    SetDelAckMaxCount(std::numeric_limits<uint32_t>::max()); // HostAcks decides
    m_acks.Begin({.rule = m_ackRule,
                  .frequency = m_ackFrequency,
                  .quickAcks = m_quickAcks,
                  .window = m_window.Get(),
                  .patience = m_delayedAckTimeout});
}

Ptr<TcpSocketBase>
HostTcpSocket::Fork()
{
    return CopyObject<HostTcpSocket>(this);
}

void
HostTcpSocket::DoForwardUp(Ptr<Packet> packet, const Address& fromAddress, const Address& toAddress)
{
    if (m_state != LISTEN)
    {
        SetLimit(Limit::CPU);
    }
    Simulator::Schedule(m_replyTime,
                        &HostTcpSocket::HandleSegment,
                        Ptr<HostTcpSocket>(this),
                        packet,
                        fromAddress,
                        toAddress);
}

void
HostTcpSocket::HandleSegment(Ptr<Packet> packet,
                             const Address& fromAddress,
                             const Address& toAddress)
{
    NS_LOG_FUNCTION(this << packet);
    if (m_state == LISTEN)
    {
        CorrectedTcpSocket::DoForwardUp(packet, fromAddress, toAddress); // and learns nothing
        return;
    }
    const SequenceNumber32 acknowledged = m_highRxAckMark;
    m_inBurst = m_written = false;
    m_burst = m_ofBlock = 0;
    const auto segment = SegmentFields::Of(packet);
    const bool data = segment.payload > 0;
    if (data)
    {
        // The parent would begin with a full count, and acknowledge the first segment at once.
        const uint32_t waiting = m_delAckEvent.IsPending() ? m_delAckCount : 0;
        const bool pushed = segment.flags & TcpHeader::PSH;
        const bool grown = m_window.Take(segment.payload, m_negotiatedMss, GetRoundTrip());
        if (grown)
        {
            m_tcb->m_rxBuffer->SetMaxBufferSize(m_window.Get());
        }
        const bool atOnce = m_acks.Take(waiting, segment.payload, pushed, grown);
        m_delAckCount = atOnce ? m_delAckMaxCount - 1 : waiting;
        m_delAckTimeout = GetAckWait();
    }
    m_handlingData = data;
    m_handling = true;
    CorrectedTcpSocket::DoForwardUp(packet, fromAddress, toAddress);
    m_handling = m_handlingData = false;
    if (m_ackDue && !IsClosed())
    {
        SendEmptyPacket(TcpHeader::ACK);
    }
    TellAckWithheld(m_delAckEvent.IsPending());
    m_largestWindow = std::max(m_largestWindow, m_rWnd.Get());
    BoundSegment();
    if (m_highRxAckMark.Get() > acknowledged)
    {
        m_clock.Progress();
    }
    if (m_resetOnFinAck && m_state == FIN_WAIT_2)
    {
        TcpHeader reset; // no ACK number and no window, as the trace shows it
        reset.SetFlags(TcpHeader::RST);
        reset.SetSequenceNumber(m_tcb->m_nextTxSequence);
        reset.SetWindowSize(0);
        SendHeader(reset);
        m_state = CLOSED;
        DeallocateEndPoint();
    }
    TellRoom();
    Judge();
}

Time
HostTcpSocket::GetAckWait() const
{
    if (m_ackRule == HostAcks::ADAPTIVE)
    {
        return ToNextTick(m_delayedAckTimeout);
    }
    const int64_t period = m_delayedAckTimeout.GetTimeStep();
    return m_ackTimer == ONE_SHOT ? m_delayedAckTimeout
                                  : TimeStep(period - GetClock().GetTimeStep() % period);
}

void
HostTcpSocket::BoundSegment()
{
    if (m_segmentBound == MSS || m_negotiatedMss == 0)
    {
        return;
    }
    constexpr uint32_t defaultMss = 536; // below it Linux takes the whole window
    const uint32_t bound = m_largestWindow > defaultMss ? m_largestWindow / 2 : m_largestWindow;
    m_tcb->m_segmentSize = std::max(1U, std::min(m_negotiatedMss, bound));
    m_txBuffer->SetSegmentSize(m_tcb->m_segmentSize);
}

bool
HostTcpSocket::MaySend() const
{
    return Simulator::Now() >= m_busyUntil;
}

bool
HostTcpSocket::HoldsSmallSegment() const
{
    if (m_nagleRule == RFC896)
    {
        return CorrectedTcpSocket::HoldsSmallSegment();
    }
    return !m_scoreboard.IsEmpty() && m_smallEnd > m_txBuffer->HeadSequence();
}

bool
HostTcpSocket::Pushes(SequenceNumber32 seq, uint32_t size) const
{
    if (!m_push)
    {
        return false;
    }
    const uint32_t left = m_txBuffer->SizeFromSequence(seq + SequenceNumber32(size));
    const uint32_t room = CorrectedTcpSocket::GetRoom();
    const bool endsBurst = room < size + std::min(left, m_tcb->m_segmentSize);
    return left == 0 || (endsBurst && m_burst > 0);
}

uint32_t
HostTcpSocket::GetRoom() const
{
    if (!MaySend())
    {
        return 0;
    }
    const uint32_t room = CorrectedTcpSocket::GetRoom();
    const uint32_t mss = m_tcb->m_segmentSize;
    if (room == 0 || room >= mss || !See().MayFillSmallWindow())
    {
        return room;
    }
    // Into less than one MSS nothing is sent. Shown a whole one it is, cut to the window that the
    // peer really offers.
    return mss;
}

void
HostTcpSocket::SendEmptyPacket(uint8_t flags)
{
    NS_LOG_FUNCTION(this << TcpHeader::FlagsToString(flags));
    if (flags == TcpHeader::ACK && m_handlingData)
    {
        m_ackDue = true; // unless data that this segment lets go carry it
        return;
    }
    m_ackDue = false;
    m_acks.TellAckSent();
    CorrectedTcpSocket::SendEmptyPacket(flags);
    TellAckWithheld(m_delAckEvent.IsPending());
}

uint32_t
HostTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    NS_LOG_FUNCTION(this << seq << maxSize << withAck);
    if (m_scoreboard.IsEmpty())
    {
        m_clock.Progress(); // what went before cannot be lost to a timeout of this
    }
    const uint32_t size = CorrectedTcpSocket::SendDataPacket(seq, maxSize, withAck);
    m_acks.TellDataSent();
    if (withAck)
    {
        m_acks.TellAckSent();
    }
    ++m_burst;
    NoteBurst(size);
    m_smallEnd = size < m_tcb->m_segmentSize ? seq + size : m_smallEnd;
    m_ackDue = m_ackDue && !withAck;
    TellAckWithheld(m_delAckEvent.IsPending());
    m_busyUntil = Simulator::Now() + m_segmentTime;
    m_nextSegmentEvent.Cancel();
    m_nextSegmentEvent = Simulator::Schedule(m_segmentTime, &HostTcpSocket::SendNextSegment, this);
    SetLimit(Limit::CPU);
    return size;
}

void
HostTcpSocket::SendNextSegment()
{
    NS_LOG_FUNCTION(this);
    if (!IsClosed())
    {
        SendPendingData(m_connected);
        Judge();
    }
}

void
HostTcpSocket::Judge()
{
    const Limit limit = FindLimit();
    if (m_buffered != m_txBuffer->Size())
    {
        m_buffered = m_txBuffer->Size();
        m_bufferTrace(m_buffered);
    }
    m_congestionWaits += LacksCongestionWindow();
    m_clock.Outstanding(!m_scoreboard.IsEmpty(), IsRecovering());
    SetLimit(limit);
    const bool onlyTheTimerHelps = limit == Limit::DRAIN && m_scoreboard.IsEmpty() &&
                                   m_rWnd.Get() > 0 &&
                                   m_sillyWindowAvoidance != SillyWindowAvoidance::WHOLE_SEGMENT;
    if (!onlyTheTimerHelps)
    {
        m_overrideEvent.Cancel();
    }
    else if (!m_overrideEvent.IsPending())
    {
        m_overrideStarted = Simulator::Now();
        m_overrideEvent = Simulator::Schedule(StartTicking(m_overrideTimeout),
                                              &HostTcpSocket::OverrideTimeout,
                                              this);
    }
}

void
HostTcpSocket::SetLimit(Limit limit)
{
    if (limit != m_clock.GetSenderLimit())
    {
        NS_LOG_LOGIC("now waits for " << LimitName(limit));
        m_clock.SenderWaitsFor(limit);
        m_limitTrace(limit);
    }
}

Limit
HostTcpSocket::FindLimit() const
{
    return m_connected ? See().FindLimit() : Limit::HANDSHAKE;
}

SenderView
HostTcpSocket::See() const
{
    const bool paced = IsPacingEnabled() && m_pacingTimer.IsRunning();
    const uint32_t inFlight = BytesInFlight();
    const uint32_t outstanding = m_scoreboard.GetTotal();
    return {.rule = m_sillyWindowAvoidance,
            .nagle = m_nagle && HoldsSmallSegment(),
            .building = Simulator::Now() < m_busyUntil,
            .inBurst = m_inBurst,
            .overriding = m_overriding,
            .retransmissionDue = m_scoreboard.HasLost(),
            .bufferFull = IsSendBufferFull(),
            .segment = m_tcb->m_segmentSize,
            .unsent = m_txBuffer->Size() - std::min(m_txBuffer->Size(), outstanding),
            .outstanding = outstanding,
            .inFlight = inFlight,
            .window = m_rWnd,
            .largestWindow = m_largestWindow,
            .congestionWindow =
                paced ? std::min(m_tcb->m_cWnd.Get(), inFlight) : m_tcb->m_cWnd.Get()};
}

void
HostTcpSocket::SetNagle(bool nagle)
{
    m_nagle = nagle;
    SetTcpNoDelay(!nagle);
}

bool
HostTcpSocket::GetNagle() const
{
    return m_nagle;
}

} // namespace ns3::study
