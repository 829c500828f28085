/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "device-tcp-socket.h"

#include "segment-fields.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("DeviceTcpSocket");

int64_t
DeviceTcpSocket::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_spread.SetStream(stream);
    return 1;
}

DeviceTcpSocket::~DeviceTcpSocket()
{
    m_attentionEvent.Cancel();
    m_ackEvent.Cancel();
    m_synAckEvent.Cancel();
    m_delayedAckEvent.Cancel();
}

int
DeviceTcpSocket::Send(Ptr<Packet> packet, uint32_t flags)
{
    NS_LOG_FUNCTION(this << packet << flags);
    m_sinceAnswer = 0; // the application has answered
    return CorrectedTcpSocket::Send(packet, flags);
}

void
DeviceTcpSocket::NotifyConstructionCompleted()
{
    CorrectedTcpSocket::NotifyConstructionCompleted();
    SetRcvBufSize(m_receiveWindow);
    SetTcpNoDelay(true);
    m_quickAcksLeft = m_quickAcks;
}

TcpOffer
DeviceTcpSocket::GetOffer() const
{
    return {.windowScale = m_windowScale,
            .sack = m_sack,
            .timestamps = m_timestamps,
            .window = m_receiveWindow};
}

void
DeviceTcpSocket::LearnPeerMss(uint32_t mss)
{
    if (m_deviceMss > 0)
    {
        m_mss = m_deviceMss;
    }
    else if (mss > ETHERNET_MSS)
    {
        m_mss = mss; // an interface made for such a path
    }
}

Ptr<TcpSocketBase>
DeviceTcpSocket::Fork()
{
    return CopyObject<DeviceTcpSocket>(this);
}

Time
DeviceTcpSocket::GetDelayedAckTimeout() const
{
    return m_delayedAckTimeout;
}

void
DeviceTcpSocket::DoForwardUp(Ptr<Packet> packet,
                             const Address& fromAddress,
                             const Address& toAddress)
{
    NS_LOG_FUNCTION(this << packet << fromAddress << toAddress);
    const auto segment = SegmentFields::Of(packet);
    const uint32_t size = segment.payload;
    const bool opens = segment.flags & TcpHeader::SYN;
    const bool closes = segment.flags & (TcpHeader::FIN | TcpHeader::RST);
    const bool probe =
        size == 0 && !closes && segment.sequence < m_tcb->m_rxBuffer->NextRxSequence();
    if (opens || m_state == LISTEN || (size == 0 && !closes && !probe))
    {
        CorrectedTcpSocket::DoForwardUp(packet, fromAddress, toAddress);
        return;
    }
    const SequenceNumber32 end = segment.sequence + SequenceNumber32(size);
    const SequenceNumber32 known = std::max(m_arrivedUpTo, m_tcb->m_rxBuffer->NextRxSequence());
    const uint32_t news = end > known ? std::min<uint32_t>(size, end - known) : 0;
    m_arrivedUpTo = std::max(known, end);
    // No count that grows for ever: what is past the limit makes no difference.
    m_sinceAnswer = std::min(m_sinceAnswer + news, m_interactiveBytes + 1);
    m_arrivals.push_back({packet, fromAddress, toAddress, size, news, probe, Simulator::Now()});
    if (m_attendingBulk && m_ackLatencyPerByte.IsStrictlyPositive())
    {
        m_attentionEvent.Cancel(); // it takes longer now
    }
    if (!m_attentionEvent.IsPending())
    {
        ScheduleAttention();
    }
}

void
DeviceTcpSocket::TellHolding()
{
    const bool holds = m_tcb->m_rxBuffer->Available() > 0;
    if (holds != m_holds)
    {
        m_holds = holds;
        m_holdsTrace(holds);
    }
}

bool
DeviceTcpSocket::IsBulk() const
{
    return m_interactiveAckLatency.IsZero() || m_sinceAnswer > m_interactiveBytes;
}

void
DeviceTcpSocket::ScheduleAttention()
{
    NS_LOG_FUNCTION(this);
    m_attendingBulk = IsBulk();
    Time due = Simulator::Now() + m_interactiveAckLatency;
    if (m_attendingBulk)
    {
        uint64_t covered = 0;
        for (const auto& arrival : m_arrivals)
        {
            covered += arrival.news;
        }
        due = m_arrivals.front().arrived + m_ackLatency + covered * m_ackLatencyPerByte;
        if (m_ackLatencySpread.IsStrictlyPositive())
        {
            if (!m_drawn)
            {
                m_drawn = m_ackLatencySpread * m_spread.Get();
            }
            due += *m_drawn; // however often the ACK is put off by the bytes that follow
        }
    }
    if (m_arrivals.front().probe)
    {
        m_attendingBulk = false;
        due = m_arrivals.front().arrived + m_windowProbeLatency;
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
    m_drawn.reset();
    m_attending = true;
    m_mayWithhold = true;
    for (; count > 0; --count)
    {
        const Arrival arrival = m_arrivals.front();
        m_arrivals.pop_front();
        m_ackWanted = m_ackWanted || arrival.probe || arrival.size > 0;
        m_mayWithhold = m_mayWithhold && IsNextData(arrival) && m_quickAcksLeft == 0;
        m_quickAcksLeft -= arrival.size > 0 && m_quickAcksLeft > 0;
        m_largestSegment = std::max(m_largestSegment, arrival.size);
        m_pushed = EndsBurst(arrival);
        const auto& buffer = *m_tcb->m_rxBuffer;
        const bool gap = arrival.size > 0 && buffer.Size() > buffer.Available();
        m_mayWithhold = m_mayWithhold && !(m_ackPushed && gap);
        CorrectedTcpSocket::DoForwardUp(arrival.segment, arrival.from, arrival.to);
        TellHolding();
        m_delAckEvent.Cancel(); // when to acknowledge is decided here, not by the parent's timer
        if (count > 1 && m_ackFrequency > 0)
        {
            AcknowledgeBetween();
        }
    }
    m_attending = false;
    if (m_ackWanted && !IsClosed())
    {
        // What the application wrote just now may leave in a nanosecond, and carries the ACK.
        if (m_sendPendingDataEvent.IsPending())
        {
            m_ackEvent =
                Simulator::Schedule(NanoSeconds(2), &DeviceTcpSocket::AcknowledgeOrWithhold, this);
        }
        else
        {
            AcknowledgeOrWithhold();
        }
    }
    if (!m_arrivals.empty())
    {
        ScheduleAttention();
    }
}

void
DeviceTcpSocket::AcknowledgeBetween()
{
    NS_LOG_FUNCTION(this);
    if (m_ackWanted && !IsClosed() && (!m_mayWithhold || See().EarnsAck()))
    {
        m_attending = false;
        SendEmptyPacket(TcpHeader::ACK);
        m_attending = true;
        m_mayWithhold = true;
    }
}

bool
DeviceTcpSocket::IsNextData(const Arrival& arrival) const
{
    const auto segment = SegmentFields::Of(arrival.segment);
    return arrival.size > 0 && !(segment.flags & TcpHeader::FIN) &&
           segment.sequence == m_tcb->m_rxBuffer->NextRxSequence();
}

bool
DeviceTcpSocket::EndsBurst(const Arrival& arrival) const
{
    return arrival.size > 0 && (SegmentFields::Of(arrival.segment).flags & TcpHeader::PSH ||
                                arrival.size < m_largestSegment);
}

void
DeviceTcpSocket::AcknowledgeOrWithhold()
{
    NS_LOG_FUNCTION(this);
    if (IsClosed() || !m_ackWanted)
    {
        return;
    }
    const ReceiverView view = See();
    const bool pushed = m_ackPushed && m_pushed && m_tcb->m_rxBuffer->Available() == 0;
    if (!m_mayWithhold || pushed || view.EarnsAck() ||
        (view.UpdateGoesFirst() && view.EarnsUpdate()))
    {
        SendEmptyPacket(TcpHeader::ACK);
        return;
    }
    if (!m_delayedAckEvent.IsPending())
    {
        const int64_t period = m_delayedAckTimeout.GetTimeStep();
        const int64_t sinceTick = GetClock().GetTimeStep() % period;
        const Time wait =
            m_delayedAckTimer == ONE_SHOT ? m_delayedAckTimeout : TimeStep(period - sinceTick);
        m_delayedAckStarted = Simulator::Now();
        m_delayedAckEvent = Simulator::Schedule(wait, &DeviceTcpSocket::DelayedAckExpired, this);
        TellAckWithheld(true);
    }
}

void
DeviceTcpSocket::DelayedAckExpired()
{
    NS_LOG_FUNCTION(this);
    if (!IsClosed())
    {
        m_expiredTrace();
        SendEmptyPacket(TcpHeader::ACK);
    }
}

void
DeviceTcpSocket::AckLeaves()
{
    m_ackWanted = false;
    m_lastAck = m_tcb->m_rxBuffer->NextRxSequence();
    m_windowEdge = GetWindowEdge(true);
    m_delayedAckEvent.Cancel();
    TellAckWithheld(false);
}

Ptr<Packet>
DeviceTcpSocket::Recv(uint32_t maxSize, uint32_t flags)
{
    NS_LOG_FUNCTION(this << maxSize << flags);
    Ptr<Packet> packet = CorrectedTcpSocket::Recv(maxSize, flags);
    TellHolding();
    const bool withheld = m_delayedAckEvent.IsPending();
    const bool ackToCome = m_attending || (m_ackWanted && !withheld);
    if (packet && m_connected && !IsClosed() && !ackToCome)
    {
        const ReceiverView view = See();
        if (view.EarnsUpdate() && (!withheld || view.UpdateGoesFirst()))
        {
            SendEmptyPacket(TcpHeader::ACK);
        }
    }
    return packet;
}

ReceiverView
DeviceTcpSocket::See() const
{
    constexpr uint32_t defaultMss = 536; // RFC 9293, 3.7.1: as long as nothing larger has come
    const uint32_t mss = m_tcb->m_segmentSize;
    return {.ackThreshold = m_ackThreshold,
            .ackFrequency = m_ackFrequency,
            .windowUpdates = m_windowUpdates,
            .sillyWindowAvoidance = m_deviceSillyWindowAvoidance,
            .buffer = m_receiveWindow,
            .mss = mss,
            .fullSegment = std::max(m_largestSegment, std::min(mss, defaultMss)),
            .unacknowledged =
                static_cast<uint32_t>(m_tcb->m_rxBuffer->NextRxSequence() - m_lastAck),
            .offered = static_cast<uint32_t>(m_windowEdge - m_lastAck),
            .room = ToWindow(CorrectedTcpSocket::AdvertisedWindowSize(true), true)};
}

SequenceNumber32
DeviceTcpSocket::GetWindowEdge(bool scaled) const
{
    return m_tcb->m_rxBuffer->NextRxSequence() +
           SequenceNumber32(ToWindow(AdvertisedWindowSize(scaled), scaled));
}

uint16_t
DeviceTcpSocket::AdvertisedWindowSize(bool scale) const
{
    const bool told = m_connected && m_windowEdge >= m_tcb->m_rxBuffer->NextRxSequence();
    return told ? static_cast<uint16_t>(See().GetWindow() >> (scale ? m_rcvWindShift : 0))
                : CorrectedTcpSocket::AdvertisedWindowSize(scale);
}

void
DeviceTcpSocket::SendEmptyPacket(uint8_t flags)
{
    NS_LOG_FUNCTION(this << TcpHeader::FlagsToString(flags));
    if (flags & TcpHeader::SYN)
    {
        m_lastAck = m_tcb->m_rxBuffer->NextRxSequence();
        m_arrivedUpTo = m_lastAck; // numbers are compared, and a peer's may begin anywhere
        m_windowEdge = GetWindowEdge(false);
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
    if (flags & (TcpHeader::ACK | TcpHeader::FIN))
    {
        AckLeaves();
    }
    CorrectedTcpSocket::SendEmptyPacket(flags);
}

uint32_t
DeviceTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    if (withAck)
    {
        AckLeaves();
    }
    return CorrectedTcpSocket::SendDataPacket(seq, maxSize, withAck);
}

} // namespace ns3::study
