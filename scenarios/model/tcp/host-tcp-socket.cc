/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-tcp-socket.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HostTcpSocket");

NS_OBJECT_ENSURE_REGISTERED(HostTcpSocket);

TypeId
HostTcpSocket::GetTypeId()
{
    static const Time longest = Hours(1);
    static TypeId tid =
        TypeId("ns3::HostTcpSocket")
            .SetParent<CorrectedTcpSocket>()
            .SetGroupName("Study")
            .AddConstructor<HostTcpSocket>()
            .AddAttribute("HostWindow",
                          "Receive window the host offers; RcvBufSize has no effect [B]",
                          AT_BIRTH,
                          UintegerValue(32120),
                          MakeUintegerAccessor(&HostTcpSocket::m_hostWindow),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute(
                "SendBuffer",
                "Send buffer: data written and not yet acknowledged; SndBufSize has no effect [B]",
                AT_BIRTH,
                UintegerValue(65536),
                MakeUintegerAccessor(&HostTcpSocket::m_sendBuffer),
                MakeUintegerChecker<uint32_t>(1, 16777216))
            .AddAttribute("Nagle",
                          "Nagle's algorithm: a small segment waits while data are outstanding; "
                          "TcpNoDelay has no effect",
                          BooleanValue(true),
                          MakeBooleanAccessor(&HostTcpSocket::SetNagle, &HostTcpSocket::GetNagle),
                          MakeBooleanChecker())
            .AddAttribute("InitialWindow",
                          "Congestion window at the start of the connection, in segments; "
                          "InitialCwnd has no effect [1]",
                          AT_BIRTH,
                          UintegerValue(2),
                          MakeUintegerAccessor(&HostTcpSocket::m_initialWindow),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("MinimumRto",
                          "Lower bound of the retransmission timeout; MinRto has no effect [s]",
                          AT_BIRTH,
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&HostTcpSocket::m_minimumRto),
                          MakeTimeChecker(NanoSeconds(1), Minutes(1))) // ns-3's longest RTO
            .AddAttribute("HostDelayedAck",
                          "Longest time the host keeps back its own ACK of the peer's data; "
                          "DelAckTimeout has no effect [s]",
                          AT_BIRTH,
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&HostTcpSocket::m_delayedAckTimeout),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("HostAckFrequency",
                          "The host acknowledges every n-th data segment at once; 1 delays no ACK "
                          "(TcpAckFrequency of Windows); DelAckCount has no effect [1]",
                          AT_BIRTH,
                          UintegerValue(2),
                          MakeUintegerAccessor(&HostTcpSocket::m_ackFrequency),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute("HostAckTimer",
                          "Whether the host's delayed-ACK time runs from the first segment not yet "
                          "acknowledged, or beats freely",
                          AT_BIRTH,
                          EnumValue(DelayedAckPolicy::ONE_SHOT),
                          MakeEnumAccessor<DelayedAckPolicy::Timer>(&HostTcpSocket::m_ackTimer),
                          MakeEnumChecker(DelayedAckPolicy::ONE_SHOT,
                                          "one-shot",
                                          DelayedAckPolicy::HEARTBEAT,
                                          "heartbeat"))
            .AddAttribute("QuickAcks",
                          "How many of the peer's first data segments the host acknowledges at "
                          "once, delaying ACKs only then [1]",
                          AT_BIRTH,
                          UintegerValue(1),
                          MakeUintegerAccessor(&HostTcpSocket::m_quickAcks),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("ReplyTime",
                          "Time from a segment's arrival at the host to its first reaction [s]",
                          TimeValue(MicroSeconds(15)),
                          MakeTimeAccessor(&HostTcpSocket::m_replyTime),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("SegmentTime",
                          "Time between two segments the host sends back to back [s]",
                          TimeValue(MicroSeconds(7)),
                          MakeTimeAccessor(&HostTcpSocket::m_segmentTime),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute(
                "SillyWindowAvoidance",
                "What the sender does with a window below one MSS",
                EnumValue(RFC1122),
                MakeEnumAccessor<SillyWindowAvoidance>(&HostTcpSocket::m_sillyWindowAvoidance),
                MakeEnumChecker(RFC1122,
                                "rfc1122",
                                WHOLE_SEGMENT,
                                "whole-segment",
                                NONE,
                                "none",
                                BURST,
                                "burst"))
            .AddAttribute("SegmentBound",
                          "Largest segment the sender makes: the MSS, or at most half the largest "
                          "window it has seen",
                          EnumValue(MSS),
                          MakeEnumAccessor<SegmentBound>(&HostTcpSocket::m_segmentBound),
                          MakeEnumChecker(MSS, "mss", HALF_WINDOW, "half-window"))
            .AddAttribute("OverrideTimeout",
                          "Longest wait with data to send, a window too small to use, and nothing "
                          "outstanding whose ACK could open it [s]",
                          TimeValue(MilliSeconds(500)),
                          MakeTimeAccessor(&HostTcpSocket::m_overrideTimeout),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("ResetOnFinAck",
                          "Answer the ACK of the host's FIN with a reset, instead of waiting for "
                          "the peer's FIN",
                          BooleanValue(false),
                          MakeBooleanAccessor(&HostTcpSocket::m_resetOnFinAck),
                          MakeBooleanChecker())
            .AddTraceSource("Limit",
                            "What the sender waits for from now on",
                            MakeTraceSourceAccessor(&HostTcpSocket::m_limitTrace),
                            "ns3::HostTcpSocket::LimitTracedCallback")
            .AddTraceSource("DelayedAckExpired",
                            "The delayed-ACK timer has expired; the ACK leaves next",
                            MakeTraceSourceAccessor(&HostTcpSocket::m_delayedAckTrace),
                            "ns3::TracedCallback::Void");
    return tid;
}

#if NS3_STUDY_NS3_VERSION < 345
TypeId
HostTcpSocket::GetInstanceTypeId() const
{
    return GetTypeId();
}
#endif

HostTcpSocket::HostTcpSocket()
{
    NS_LOG_FUNCTION(this);
}

HostTcpSocket::~HostTcpSocket()
{
    m_nextSegmentEvent.Cancel();
    m_overrideEvent.Cancel();
}

int
HostTcpSocket::Connect(const Address& address)
{
    m_clock.Start();
    return CorrectedTcpSocket::Connect(address);
}

int
HostTcpSocket::Send(Ptr<Packet> packet, uint32_t flags)
{
    const int sent = CorrectedTcpSocket::Send(packet, flags);
    Judge();
    return sent;
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
    std::ostringstream text;
    if (!m_connected)
    {
        text << "no SYN-ACK came back for " << m_synRetries - m_synCount << " SYN(s)";
    }
    else if (UnAckDataCount() > 0)
    {
        text << UnAckDataCount() << " B are outstanding and nothing acknowledges them";
    }
    else if (UnsentData() > 0 && m_rWnd.Get() == 0)
    {
        text << UnsentData() << " B wait and the peer's window stays closed";
    }
    else if (UnsentData() > 0)
    {
        text << UnsentData() << " B wait, the peer's window is " << m_rWnd.Get() << " B, the MSS "
             << m_tcb->m_segmentSize << " B, and the sender does not use a window that small";
    }
    else
    {
        text << "all that was written is acknowledged and the peer's application is silent";
    }
    return text.str();
}

void
HostTcpSocket::Describe(StateRecord& state) const
{
    CorrectedTcpSocket::Describe(state);
    state.AddInstant(m_busyUntil);
    state.AddTimer(m_nextSegmentEvent);
    state.Add(m_inBurst);
    state.Add(m_largestWindow);
    m_delayedAckPolicy.Describe(state);
    DescribeTickTimer(state, m_overrideEvent, m_overrideStarted, m_overrideTimeout);
    m_clock.Describe(state);
    if (!IsCongestionWindowAmple())
    {
        state.SetUnsettled();
    }
}

bool
HostTcpSocket::IsCongestionWindowAmple() const
{
    const uint64_t mss = m_negotiatedMss;
    return m_tcb->m_cWnd.Get() >= std::min<uint64_t>(m_largestWindow, m_sendBuffer + mss) + mss;
}

void
HostTcpSocket::NotifyConstructionCompleted()
{
    CorrectedTcpSocket::NotifyConstructionCompleted();
    SetRcvBufSize(m_hostWindow);
    SetSndBufSize(m_sendBuffer);
    SetTcpNoDelay(!m_nagle);
    SetInitialCwnd(m_initialWindow);
    SetMinRto(m_minimumRto);
    SetDelAckMaxCount(std::numeric_limits<uint32_t>::max()); // the policy decides, not the parent
    m_delayedAckPolicy =
        DelayedAckPolicy(m_delayedAckTimeout, m_ackFrequency, m_ackTimer, m_quickAcks);
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
    if (m_state == LISTEN)
    {
        CorrectedTcpSocket::DoForwardUp(packet, fromAddress, toAddress); // and learns nothing
        return;
    }
    const SequenceNumber32 acknowledged = m_highRxAckMark;
    m_inBurst = false;
    TcpHeader header;
    const bool data = packet->GetSize() > packet->PeekHeader(header);
    if (data)
    {
        // The parent would begin with a full count, and acknowledge the first segment at once.
        const uint32_t waiting = m_delAckEvent.IsPending() ? m_delAckCount : 0;
        const bool atOnce = m_delayedAckPolicy.AcknowledgesAtOnce(waiting);
        m_delAckCount = atOnce ? m_delAckMaxCount - 1 : waiting;
        m_delAckTimeout = m_delayedAckPolicy.GetWait();
    }
    m_handlingData = data;
    CorrectedTcpSocket::DoForwardUp(packet, fromAddress, toAddress);
    m_handlingData = false;
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
    Judge();
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

uint32_t
HostTcpSocket::AvailableWindow() const
{
    if (Simulator::Now() < m_busyUntil)
    {
        return 0;
    }
    const uint32_t available = CorrectedTcpSocket::AvailableWindow();
    const uint32_t mss = m_tcb->m_segmentSize;
    if (available == 0 || available >= mss || !MayFillSmallWindow())
    {
        return available;
    }
    // The parent sends nothing into less than one MSS. Shown a whole one it does, and its
    // transmit buffer cuts the segment to the window the peer really offers.
    return mss;
}

bool
HostTcpSocket::MayFillSmallWindow() const
{
    const bool retransmissionDue = m_txBuffer->GetLost() > m_txBuffer->GetRetransmitsCount();
    if (retransmissionDue)
    {
        // It was within the window when it was sent first.
        return BytesInFlight() == 0 || CongestionRoom() >= m_tcb->m_segmentSize;
    }
    const uint32_t usable = UsableWindow();
    if (usable == 0 || CongestionRoom() < usable)
    {
        return false;
    }
    const bool nagleWaits = m_nagle && UnAckDataCount() > 0; // RFC 1122, 4.2.3.4: (2) and (3)
    if (nagleWaits && m_sillyWindowAvoidance != NONE)
    {
        return m_overriding;
    }
    switch (m_sillyWindowAvoidance)
    {
    case NONE:
        return true;
    case WHOLE_SEGMENT:
        return m_overriding;
    case BURST:
        return m_overriding || m_inBurst || 2 * usable >= m_largestWindow;
    case RFC1122:
        break;
    }
    return m_overriding || 2 * usable >= m_largestWindow;
}

uint32_t
HostTcpSocket::UsableWindow() const
{
    return m_rWnd.Get() - std::min(m_rWnd.Get(), UnAckDataCount());
}

uint32_t
HostTcpSocket::CongestionRoom() const
{
    return m_tcb->m_cWnd.Get() - std::min(m_tcb->m_cWnd.Get(), BytesInFlight());
}

uint32_t
HostTcpSocket::UnsentData() const
{
    return m_txBuffer->SizeFromSequence(m_tcb->m_highTxMark);
}

void
HostTcpSocket::SendEmptyPacket(uint8_t flags)
{
    if (flags == TcpHeader::ACK && m_handlingData)
    {
        m_ackDue = true; // unless data that this segment lets go carry it
        return;
    }
    m_ackDue = false;
    CorrectedTcpSocket::SendEmptyPacket(flags);
    TellAckWithheld(m_delAckEvent.IsPending());
}

uint32_t
HostTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    if (UnAckDataCount() == 0)
    {
        m_clock.Progress(); // what went before cannot be lost to a timeout of this
    }
    const uint32_t size = CorrectedTcpSocket::SendDataPacket(seq, maxSize, withAck);
    m_ackDue = m_ackDue && !withAck;
    TellAckWithheld(m_delAckEvent.IsPending());
    m_inBurst = m_inBurst || size >= m_tcb->m_segmentSize;
    m_busyUntil = Simulator::Now() + m_segmentTime;
    m_nextSegmentEvent.Cancel();
    m_nextSegmentEvent = Simulator::Schedule(m_segmentTime, &HostTcpSocket::SendNextSegment, this);
    SetLimit(Limit::CPU);
    return size;
}

void
HostTcpSocket::SendNextSegment()
{
    if (!IsClosed())
    {
        SendPendingData(m_connected);
        Judge();
    }
}

void
HostTcpSocket::ReTxTimeout()
{
    if (UnAckDataCount() > 0)
    {
        m_clock.RetransmissionTimeout();
    }
    CorrectedTcpSocket::ReTxTimeout();
    Judge();
}

void
HostTcpSocket::DelAckTimeout()
{
    m_delayedAckTrace();
    CorrectedTcpSocket::DelAckTimeout();
}

void
HostTcpSocket::OverrideTimeout()
{
    if (IsClosed() || FindLimit() != Limit::DRAIN || UnAckDataCount() > 0)
    {
        return;
    }
    m_overriding = true;
    SendPendingData(m_connected);
    m_overriding = false;
    Judge();
}

void
HostTcpSocket::Judge()
{
    const Limit limit = FindLimit();
    SetLimit(limit);
    const bool onlyTheTimerHelps = limit == Limit::DRAIN && UnAckDataCount() == 0 &&
                                   m_rWnd.Get() > 0 && m_sillyWindowAvoidance != WHOLE_SEGMENT;
    if (!onlyTheTimerHelps)
    {
        m_overrideEvent.Cancel();
    }
    else if (!m_overrideEvent.IsPending())
    {
        m_overrideStarted = Simulator::Now();
        m_overrideEvent =
            Simulator::Schedule(ToTick(m_overrideTimeout), &HostTcpSocket::OverrideTimeout, this);
    }
}

void
HostTcpSocket::SetLimit(Limit limit)
{
    if (limit != m_clock.GetSenderLimit())
    {
        m_clock.SenderWaitsFor(limit);
        m_limitTrace(limit);
    }
}

Limit
HostTcpSocket::FindLimit() const
{
    if (!m_connected)
    {
        return Limit::HANDSHAKE;
    }
    if (Simulator::Now() < m_busyUntil)
    {
        return Limit::CPU;
    }
    const uint32_t unsent = UnsentData();
    if (unsent == 0)
    {
        return GetTxAvailable() == 0 ? Limit::SEND_BUFFER : Limit::APPLICATION;
    }
    const uint32_t segment = std::min(unsent, m_tcb->m_segmentSize);
    const uint32_t usable = UsableWindow();
    const uint32_t congestionRoom = CongestionRoom();
    if (usable < segment && usable <= congestionRoom && !MayFillSmallWindow())
    {
        // Would the largest window the peer has offered have room? Then its buffer is not empty.
        const uint32_t fullRoom = m_largestWindow - std::min(m_largestWindow, UnAckDataCount());
        const bool drains = fullRoom >= std::min(segment, (m_largestWindow + 1) / 2);
        return drains ? Limit::DRAIN : Limit::RECEIVE_WINDOW;
    }
    if (congestionRoom < segment)
    {
        return Limit::CONGESTION_WINDOW;
    }
    if (m_nagle && UnAckDataCount() > 0 && unsent < m_tcb->m_segmentSize)
    {
        return Limit::NAGLE;
    }
    return Limit::CPU; // nothing holds it: the segment is on its way
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

} // namespace ns3
