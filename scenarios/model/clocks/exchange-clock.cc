/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "exchange-clock.h"

#include "ns3/simulator.h"

namespace ns3
{

namespace
{

std::size_t
Index(ExchangeLimit limit)
{
    return static_cast<std::size_t>(limit);
}

/**
 * @param limit what a sender waits for
 * @return true if that keeps back data of it, or of its application
 */
bool
HoldsData(Limit limit)
{
    return limit != Limit::APPLICATION && limit != Limit::CPU && limit != Limit::HANDSHAKE;
}

} // namespace

std::string
ExchangeLimitName(ExchangeLimit limit)
{
    static const std::array<std::string, static_cast<std::size_t>(ExchangeLimit::N_LIMITS)> names{
        "handshake",
        "client_application",
        "server_application",
        "cpu",
        "link",
        "receive_window",
        "congestion_window",
        "send_buffer",
        "nagle",
        "delayed_ack",
        "retransmission",
    };
    return names.at(Index(limit));
}

void
ExchangeClock::Start()
{
    m_running = true;
    m_start = m_last = Simulator::Now();
}

void
ExchangeClock::Stop()
{
    Charge();
    m_running = false;
}

void
ExchangeClock::SenderWaitsFor(End end, Limit limit)
{
    Charge();
    m_ends[end].limit = limit;
}

void
ExchangeClock::AckWithheld(End end, bool withheld)
{
    Charge();
    m_ends[end].ackWithheld = withheld;
}

void
ExchangeClock::Working(End end, bool working)
{
    Charge();
    m_ends[end].working = working;
}

void
ExchangeClock::Frames(End end, int change)
{
    Charge();
    m_ends[end].frames += change;
}

void
ExchangeClock::DelayedAckExpired(End end)
{
    const End waiting = HoldsData(m_ends[CLIENT].limit) ? CLIENT : SERVER;
    const bool stalled = GetHoldingLimit() == ExchangeLimit::DELAYED_ACK;
    m_stalls += m_running && stalled && waiting != end;
}

void
ExchangeClock::Progress()
{
    Charge();
    for (std::size_t i = 0; i < m_charged.size(); ++i)
    {
        m_charged[i] += m_sinceProgress[i];
        m_sinceProgress[i] = Time();
    }
}

void
ExchangeClock::Retransmission()
{
    Charge();
    Time lost;
    for (auto& share : m_sinceProgress)
    {
        lost += share;
        share = Time();
    }
    m_sinceProgress[Index(ExchangeLimit::RETRANSMISSION)] = lost;
}

Time
ExchangeClock::Get(ExchangeLimit limit) const
{
    return m_charged[Index(limit)] + m_sinceProgress[Index(limit)];
}

Time
ExchangeClock::GetTotal() const
{
    return m_last - m_start;
}

uint32_t
ExchangeClock::GetStalls() const
{
    return m_stalls;
}

void
ExchangeClock::Charge()
{
    if (!m_running)
    {
        return;
    }
    const Time now = Simulator::Now();
    m_sinceProgress[Index(GetHoldingLimit())] += now - m_last;
    m_last = now;
}

ExchangeLimit
ExchangeClock::GetHoldingLimit() const
{
    const EndState& client = m_ends[CLIENT];
    const EndState& server = m_ends[SERVER];
    if (client.limit == Limit::HANDSHAKE)
    {
        return ExchangeLimit::HANDSHAKE;
    }
    if (HoldsData(client.limit))
    {
        return GetReason(client, server);
    }
    if (HoldsData(server.limit))
    {
        return GetReason(server, client);
    }
    if (server.working || client.working)
    {
        return server.working ? ExchangeLimit::SERVER_APPLICATION
                              : ExchangeLimit::CLIENT_APPLICATION;
    }
    if (client.frames + server.frames > 0)
    {
        return ExchangeLimit::LINK;
    }
    return ExchangeLimit::CPU;
}

ExchangeLimit
ExchangeClock::GetReason(const EndState& own, const EndState& peer)
{
    if (own.frames > 1)
    {
        return ExchangeLimit::LINK; // it waits, but so do frames of its own for the line
    }
    if (peer.ackWithheld)
    {
        return ExchangeLimit::DELAYED_ACK;
    }
    switch (own.limit)
    {
    case Limit::CONGESTION_WINDOW:
        return ExchangeLimit::CONGESTION_WINDOW;
    case Limit::SEND_BUFFER:
        return ExchangeLimit::SEND_BUFFER;
    case Limit::NAGLE:
        return ExchangeLimit::NAGLE;
    default:
        return ExchangeLimit::RECEIVE_WINDOW;
    }
}

} // namespace ns3
