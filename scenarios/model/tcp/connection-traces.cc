/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What can be traced of ConnectionSocket.
 */

#include "connection-socket.h"

#include <array>

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(ConnectionSocket);

TypeId
ConnectionSocket::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::ConnectionSocket")
            .SetParent<TcpSocket>()
            .SetGroupName("Study")
            .AddConstructor<ConnectionSocket>()
            .AddTraceSource("Tx",
                            "A segment is handed to IP",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_tx),
                            "ns3::study::ConnectionSocket::SegmentListener")
            .AddTraceSource("Rx",
                            "A segment has come",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_rx),
                            "ns3::study::ConnectionSocket::SegmentListener")
            .AddTraceSource("Retransmission",
                            "A segment is sent again",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_retransmission),
                            "ns3::study::ConnectionSocket::RetransmissionListener")
            .AddTraceSource("State",
                            "State of the connection (RFC 9293, 3.3.2)",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_state),
                            "ns3::TcpStatesTracedValueCallback")
            .AddTraceSource("HighestRxAck",
                            "Highest acknowledgment received",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_highestAck),
                            "ns3::TracedValueCallback::SequenceNumber32")
            .AddTraceSource("CongestionWindow",
                            "Congestion window [B]",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_congestionWindow),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("SlowStartThreshold",
                            "Slow start threshold [B]",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_threshold),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("BytesInFlight",
                            "Octets believed to be in flight [B]",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_inFlight),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("RWND",
                            "Window that the peer announces [B]",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_peersWindow),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("RTO",
                            "Retransmission timeout",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_rto),
                            "ns3::TracedValueCallback::Time")
            .AddTraceSource("RTT",
                            "Last round-trip time",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_rtt),
                            "ns3::TracedValueCallback::Time")
            .AddTraceSource(
                "CongState",
                "What the ACKs have shown: nothing, duplicates, a loss, or a timeout was needed",
                MakeTraceSourceAccessor(&ConnectionSocket::m_congestionState),
                "ns3::TcpSocketState::TcpCongStatesTracedValueCallback")
            .AddTraceSource("RttSample",
                            "A round-trip time is measured",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_rttSample),
                            "ns3::Time::TracedCallback")
            .AddTraceSource("AckWithheld",
                            "This end withholds an ACK, or does not any more",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_ackWithheldTrace),
                            "ns3::study::ConnectionSocket::AckWithheldTracedCallback")
            .AddTraceSource("Holding",
                            "The buffer holds data that the application has not read, or none",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_holdsTrace),
                            "ns3::study::ConnectionSocket::HoldingTracedCallback")
            .AddTraceSource("Limit",
                            "What the sender waits for from now on",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_limitTrace),
                            "ns3::study::ConnectionSocket::LimitTracedCallback")
            .AddTraceSource("SendBuffer",
                            "What the send buffer holds from now on, sent or not [B]",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_bufferTrace),
                            "ns3::study::ConnectionSocket::BufferTracedCallback")
            .AddTraceSource("DelayedAckExpired",
                            "The delayed-ACK timer has expired; the ACK leaves next",
                            MakeTraceSourceAccessor(&ConnectionSocket::m_delayedAck),
                            "ns3::TracedValueCallback::Void");
    return tid;
}

namespace
{

/// What a clock calls a wait, in the order of tcp::Wait.
constexpr std::array LIMITS{Limit::HANDSHAKE,
                            Limit::APPLICATION,
                            Limit::CPU,
                            Limit::RECEIVE_WINDOW,
                            Limit::DRAIN,
                            Limit::CONGESTION_WINDOW,
                            Limit::SEND_BUFFER,
                            Limit::NAGLE};

} // namespace

void
ConnectionSocket::TellChanges()
{
    if (m_buffered != m_connection.GetBuffered())
    {
        m_buffered = m_connection.GetBuffered();
        m_bufferTrace(m_buffered);
    }
    const LossRecovery& recovery = m_connection.GetRecovery();
    m_congestionState.Set(ToCongState(recovery.GetState()));
    m_congestionWindow.Set(recovery.Window().Get().window);
    m_threshold.Set(recovery.Window().Get().threshold);
    m_inFlight.Set(recovery.GetSegments().GetPipe());
    m_peersWindow.Set(m_connection.GetPeersWindow());
    m_rto.Set(NanoSeconds(recovery.Timeout().Get().count()));
    m_rtt.Set(NanoSeconds(recovery.GetLastRtt().count()));
    m_clock.Outstanding(m_connection.GetOutstanding() > 0, recovery.IsRecovering());
    const Limit limit = LIMITS[static_cast<std::size_t>(m_connection.GetWait())];
    if (limit != m_limit)
    {
        m_limit = limit;
        m_clock.SenderWaitsFor(limit);
        m_limitTrace(limit);
    }
    if (m_ackWithheld != m_connection.IsAckWithheld())
    {
        m_ackWithheld = m_connection.IsAckWithheld();
        m_ackWithheldTrace(m_ackWithheld);
    }
    if (m_holds != (m_available > 0))
    {
        m_holds = m_available > 0;
        m_holdsTrace(m_holds);
    }
}

} // namespace ns3::study
