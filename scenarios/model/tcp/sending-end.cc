/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sending-end.h"

#include "model/clocks/tell-limits.h"
#include "model/core/trace-listener.h"

#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/uinteger.h"

namespace ns3::study
{

namespace
{

/// ns-3 doubles its retransmission timeout up to 60 s: after twice that nothing is sent again.
constexpr int64_t LONGEST_WAIT_S = 120;

/// @return what the sender of a connection waits for, with the numbers that show it
std::string
DescribeWait(const tcp::Connection& connection)
{
    const auto bytes = [](uint32_t size) { return std::to_string(size) + " B"; };
    const uint32_t outstanding = connection.GetOutstanding();
    if (connection.GetAcknowledged() == 0)
    {
        return "no SYN-ACK came back for " + std::to_string(connection.CountSyns()) + " SYN(s)";
    }
    if (outstanding > 0)
    {
        return bytes(outstanding) + " are outstanding and nothing acknowledges them";
    }
    const std::string waiting = bytes(connection.GetBuffered());
    if (connection.GetBuffered() == 0)
    {
        return "all that was written is acknowledged and the peer's application is silent";
    }
    if (connection.GetPeersWindow() == 0)
    {
        return waiting + " wait and the peer's window stays closed";
    }
    return waiting + " wait, the peer's window is " + bytes(connection.GetPeersWindow()) +
           ", the MSS " + bytes(connection.GetSegment()) +
           ", and the sender does not use a window that small";
}

} // namespace

SendingEnd::SendingEnd(Ptr<Socket> socket)
    : m_socket(socket),
      m_own(DynamicCast<ConnectionSocket>(socket))
{
    if (!m_own)
    {
        WatchStock();
    }
}

Ptr<Socket>
SendingEnd::GetSocket() const
{
    return m_socket;
}

Ptr<ConnectionSocket>
SendingEnd::GetOwnSocket() const
{
    return m_own;
}

LimitClock&
SendingEnd::GetLimitClock()
{
    return m_own ? m_own->GetLimitClock() : m_stopwatch;
}

void
SendingEnd::EndHandshake(ExchangeClock& clock) const
{
    if (!m_own)
    {
        clock.Change(ExchangeClock::CLIENT).limit = Limit::APPLICATION;
    }
}

void
SendingEnd::AddLimits(JsonObject& record,
                      std::span<const Limit> limits,
                      const ShareClock& clock) const
{
    if (m_own)
    {
        record.Add("limits_s", TellShares(clock, limits));
        return;
    }
    JsonObject told;
    told.Add(LimitName(Limit::HANDSHAKE), clock.Get(Limit::HANDSHAKE));
    told.Add("not_told", clock.GetTotal() - clock.Get(Limit::HANDSHAKE));
    record.Add("limits_s", told);
}

const ConnectionSocket::Counts&
SendingEnd::GetCounts() const
{
    return m_own ? m_own->GetCounts() : m_counts;
}

bool
SendingEnd::IsRetransmitting() const
{
    if (m_own)
    {
        return m_own->GetConnection().IsRetransmitting();
    }
    return (m_inFlight > 0 || !m_connected) &&
           Simulator::Now() - m_lastSent <= Seconds(LONGEST_WAIT_S);
}

std::string
SendingEnd::DescribeWait() const
{
    if (m_own)
    {
        return study::DescribeWait(m_own->GetConnection());
    }
    if (!m_connected)
    {
        return "no SYN-ACK came back for " + std::to_string(m_syns) + " SYN(s)";
    }
    UintegerValue size;
    m_socket->GetAttribute("SndBufSize", size);
    return "stock ns-3 does not tell what it waits for: it has " +
           std::to_string(size.Get() - m_socket->GetTxAvailable()) + " B to send, of which " +
           std::to_string(m_inFlight) + " B are in flight, before a window of " +
           std::to_string(m_window) + " B, with a congestion window of " +
           std::to_string(m_congestionWindow) + " B";
}

void
SendingEnd::WatchStock()
{
    const auto follow = [this](const char* source, uint32_t& value) {
        Listen(m_socket, source, [&value](uint32_t, uint32_t now) { value = now; });
    };
    follow("RWND", m_window);
    follow("CongestionWindow", m_congestionWindow);
    follow("BytesInFlight", m_inFlight);
    Listen<ConnectionSocket::SegmentListener>(
        m_socket,
        "Tx",
        [this](Ptr<const Packet> packet, const TcpHeader& header, auto) {
            StockSent(packet->GetSize(), header.GetFlags() & TcpHeader::SYN);
        });
    Listen<ConnectionSocket::SegmentListener>(m_socket, "Rx", [this](auto...) {
        m_connected = true;
        ++m_counts.received;
        m_stopwatch.SenderWaitsFor(Limit::APPLICATION);
    });
}

void
SendingEnd::StockSent(uint32_t size, bool isSyn)
{
    if (isSyn && m_syns++ == 0)
    {
        m_stopwatch.Start();
    }
    m_counts.sent += size > 0;
    const bool isProbe = size > 0 && m_window == 0 && m_inFlight == 0;
    m_counts.probes += isProbe;
    if (isSyn || (size > 0 && !isProbe))
    {
        m_lastSent = Simulator::Now();
    }
}

} // namespace ns3::study
