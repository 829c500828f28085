/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "exchange-clock.h"

namespace ns3::study
{

namespace
{

/// @return true if that withholds data of it, or of its application
bool
HoldsData(Limit limit)
{
    return limit != Limit::APPLICATION && limit != Limit::CPU && limit != Limit::HANDSHAKE;
}

} // namespace

void
ExchangeClock::DelayedAckExpired(End end)
{
    const EndState& client = m_ends[CLIENT];
    const End waiting = HoldsData(client.limit) || client.awaitsAck ? CLIENT : SERVER;
    const bool stalled = GetHoldingLimit() == Limit::DELAYED_ACK;
    m_stalls += IsRunning() && stalled && waiting != end;
}

uint32_t
ExchangeClock::GetStalls() const
{
    return m_stalls;
}

void
ExchangeClock::Describe(StateRecord& state) const
{
    for (const EndState& end : m_ends)
    {
        state.Add(static_cast<int64_t>(end.limit));
        state.Add(end.frames);
        for (const bool holds : {end.ackWithheld, end.working, end.awaitsAck, end.recovering})
        {
            state.Add(holds);
        }
    }
    state.Add(m_pathQueue);
    state.Add(m_pathLine);
    state.Add(GetUncharged().GetTimeStep());
    if (!IsLossless())
    {
        state.SetUnprovable(
            Obstacle::LOSSES); // a timeout may take back what was charged since the last progress
    }
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
    if (IsHeld(client))
    {
        return GetReason(client, server);
    }
    if (IsHeld(server))
    {
        return GetReason(server, client);
    }
    if (server.working || client.working)
    {
        return server.working ? Limit::SERVER_APPLICATION : Limit::CLIENT_APPLICATION;
    }
    if (client.frames + server.frames > 0)
    {
        return GetPlace();
    }
    const bool keptWaiting =
        (client.awaitsAck && server.ackWithheld) || (server.awaitsAck && client.ackWithheld);
    return keptWaiting ? Limit::DELAYED_ACK : Limit::CPU;
}

std::optional<std::size_t>
ExchangeClock::GetHolder() const
{
    const EndState& client = m_ends[CLIENT];
    const EndState& server = m_ends[SERVER];
    if (client.limit == Limit::HANDSHAKE || IsHeld(client))
    {
        return CLIENT;
    }
    return IsHeld(server) ? std::optional<std::size_t>(SERVER) : std::nullopt;
}

bool
ExchangeClock::IsHeld(const EndState& end) const
{
    const bool recovers = end.recovering && !IsLossless();
    return HoldsData(end.limit) || (recovers && end.limit == Limit::APPLICATION);
}

Limit
ExchangeClock::GetPlace() const
{
    if (m_pathQueue > 0)
    {
        return Limit::PATH_QUEUE;
    }
    return m_isPath && m_pathLine == 0 ? Limit::ROUND_TRIP : Limit::LINK;
}

Limit
ExchangeClock::GetReason(const EndState& own, const EndState& peer) const
{
    // It waits, but so do frames of its own for the line; on a path they may only be travelling.
    if (m_isPath ? m_pathQueue > 0 : own.frames > 1)
    {
        return Limit::LINK;
    }
    // What is still in flight brings an ACK sooner than a timer does.
    if (peer.ackWithheld && own.frames == 0)
    {
        return Limit::DELAYED_ACK; // no loss, whatever is retransmitted spuriously
    }
    if (own.recovering && !IsLossless())
    {
        return Limit::LOSS_RECOVERY;
    }
    return own.limit == Limit::DRAIN ? Limit::RECEIVE_WINDOW : own.limit;
}

} // namespace ns3::study
