/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "exchange-clock.h"

#include <array>

namespace ns3::study
{

namespace
{

/// @return true if that keeps back data of it, or of its application
bool
HoldsData(Limit limit)
{
    return limit != Limit::APPLICATION && limit != Limit::CPU && limit != Limit::HANDSHAKE;
}

} // namespace

std::string
LimitName(ExchangeLimit limit)
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
    return names.at(static_cast<std::size_t>(limit));
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
    m_stalls += IsRunning() && stalled && waiting != end;
}

uint32_t
ExchangeClock::GetStalls() const
{
    return m_stalls;
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

} // namespace ns3::study
