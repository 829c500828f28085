/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "exchange-clock.h"

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
    const bool stalled = GetHoldingLimit() == Limit::DELAYED_ACK;
    m_stalls += IsRunning() && stalled && waiting != end;
}

uint32_t
ExchangeClock::GetStalls() const
{
    return m_stalls;
}

Limit
ExchangeClock::GetHoldingLimit() const
{
    const EndState& client = m_ends[CLIENT];
    const EndState& server = m_ends[SERVER];
    if (client.limit == Limit::HANDSHAKE)
    {
        return Limit::HANDSHAKE;
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
        return server.working ? Limit::SERVER_APPLICATION : Limit::CLIENT_APPLICATION;
    }
    if (client.frames + server.frames > 0)
    {
        return Limit::LINK;
    }
    return Limit::CPU;
}

Limit
ExchangeClock::GetReason(const EndState& own, const EndState& peer)
{
    if (own.frames > 1)
    {
        return Limit::LINK; // it waits, but so do frames of its own for the line
    }
    if (peer.ackWithheld)
    {
        return Limit::DELAYED_ACK;
    }
    return own.limit == Limit::DRAIN ? Limit::RECEIVE_WINDOW : own.limit;
}

} // namespace ns3::study
