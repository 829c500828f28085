/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "traced-socket.h"

#include "bbr-driver.h"

#include "ns3/log.h"

#include <array>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("TracedSocket");

NS_OBJECT_ENSURE_REGISTERED(TracedSocket);

/// The accessor of a trace source, and what a listener is called with.
#define SOURCE(member, signature) MakeTraceSourceAccessor(&TracedSocket::member), signature

TypeId
TracedSocket::GetTypeId()
{
    constexpr auto segment = "ns3::TcpSocketBase::TcpTxRxTracedCallback";
    constexpr auto number = "ns3::TracedValueCallback::Uint32";
    constexpr auto time = "ns3::TracedValueCallback::Time";
    constexpr auto state = "ns3::study::TracedSocket::StateTracedCallback";
    static TypeId tid =
        TypeId("ns3::study::TracedSocket")
            .SetParent<TcpSocket>()
            .SetGroupName("Study")
            .AddTraceSource("Tx", "A segment is handed to IP", SOURCE(m_tx, segment))
            .AddTraceSource("Rx", "A segment has come", SOURCE(m_rx, segment))
            .AddTraceSource("Retransmission",
                            "A segment is retransmitted",
                            SOURCE(m_retransmission, "ns3::TcpSocketBase::RetransmissionCallback"))
            .AddTraceSource("State",
                            "State of the connection (RFC 9293, 3.3.2)",
                            SOURCE(m_state, "ns3::TcpStatesTracedValueCallback"))
            .AddTraceSource("HighestRxAck",
                            "Highest acknowledgment received",
                            SOURCE(m_highestAck, "ns3::TracedValueCallback::SequenceNumber32"))
            .AddTraceSource("CongestionWindow",
                            "Congestion window [B]",
                            SOURCE(m_congestionWindow, number))
            .AddTraceSource("SlowStartThreshold",
                            "Slow start threshold [B]",
                            SOURCE(m_threshold, number))
            .AddTraceSource("BytesInFlight",
                            "Octets believed to be in flight [B]",
                            SOURCE(m_inFlight, number))
            .AddTraceSource("RWND",
                            "Window that the peer announces [B]",
                            SOURCE(m_peersWindow, number))
            .AddTraceSource("RTO", "Retransmission timeout", SOURCE(m_rto, time))
            .AddTraceSource("RTT", "Last round-trip time", SOURCE(m_rtt, time))
            .AddTraceSource(
                "CongState",
                "What the ACKs have shown: nothing, duplicates, a loss, or a timeout was needed",
                SOURCE(m_congestionState, "ns3::TcpSocketState::TcpCongStatesTracedValueCallback"))
            .AddTraceSource("RttSample",
                            "A round-trip time is measured",
                            SOURCE(m_rttSample, "ns3::Time::TracedCallback"))
            .AddTraceSource("AckWithheld",
                            "This end withholds an ACK, or does not any more",
                            SOURCE(m_ackWithheldTrace, state))
            .AddTraceSource("Holding",
                            "The buffer holds data that the application has not read, or none",
                            SOURCE(m_holdsTrace, state))
            .AddTraceSource("Limit",
                            "What the sender waits for from now on",
                            SOURCE(m_limitTrace, "ns3::study::TracedSocket::LimitTracedCallback"))
            .AddTraceSource("SendBuffer",
                            "What the send buffer holds from now on, sent or not [B]",
                            SOURCE(m_bufferTrace, "ns3::study::TracedSocket::BufferTracedCallback"))
            .AddTraceSource("DelayedAckExpired",
                            "The delayed-ACK timer has expired; the ACK leaves next",
                            SOURCE(m_delayedAck, "ns3::TracedValueCallback::Void"));
    return tid;
}

namespace
{

/// What a clock calls a wait, in the order of Wait.
constexpr std::array LIMITS{Limit::HANDSHAKE,
                            Limit::APPLICATION,
                            Limit::CPU,
                            Limit::RECEIVE_WINDOW,
                            Limit::DRAIN,
                            Limit::CONGESTION_WINDOW,
                            Limit::SEND_BUFFER,
                            Limit::NAGLE};

/// Tell of a value if it is another one.
template <typename T, typename Trace>
void
Follow(T& told, const T& now, const Trace& trace)
{
    if (told != now)
    {
        told = now;
        trace(now);
    }
}

} // namespace

void
TracedSocket::TellChanges(bool changes, bool holds, LimitClock& clock)
{
    if (changes)
    {
        Follow(m_buffered, m_connection.GetBuffered(), m_bufferTrace);
        const LossRecovery& recovery = m_connection.GetRecovery();
        const CongestionState& window = recovery.m_window.Get();
        const bool over = recovery.IsRecovering() && !recovery.IsRepairing();
        m_congestionState.Set(over ? TcpSocketState::CA_OPEN : ToCongState(recovery.GetState()));
        m_congestionWindow.Set(window.window);
        m_threshold.Set(window.threshold);
        m_inFlight.Set(recovery.GetSegments().GetPipe());
        m_peersWindow.Set(m_connection.GetPeersWindow());
        m_rto.Set(ToTime(recovery.m_timeout.Get()));
        m_rtt.Set(ToTime(recovery.GetLastRtt()));
        clock.Outstanding(m_connection.GetOutstanding() > 0, recovery.IsRepairing());
    }
    const Limit limit = LIMITS[static_cast<std::size_t>(m_connection.GetWait())];
    Follow(m_limit, limit, [&](Limit now) {
        clock.SenderWaitsFor(now);
        m_limitTrace(now);
    });
    Follow(m_ackWithheld, m_connection.IsAckWithheld(), m_ackWithheldTrace);
    Follow(m_holds, holds, m_holdsTrace);
}

void
TracedSocket::Ignore(const std::string& attribute) const
{
    if (GetNode()) // somebody sets it, and not the constructor
    {
        NS_LOG_WARN(attribute << " has no effect: the settings of the connection say it");
    }
}

void
TracedSocket::SetTcpNoDelay(bool noDelay)
{
    m_connection.SetNagle(!noDelay);
}

bool
TracedSocket::GetTcpNoDelay() const
{
    return !GetSettings().nagle;
}

} // namespace ns3::study
