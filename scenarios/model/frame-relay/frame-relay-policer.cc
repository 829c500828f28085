/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-relay-policer.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::study
{

FrameRelayPolicer::FrameRelayPolicer(const TrafficContract& contract, DataRate accessRate)
    : m_filled(Simulator::Now())
{
    const auto rate = static_cast<double>(contract.committedRate.GetBitRate());
    const double promised = rate > 0 ? contract.committedBurst : 0;
    const double excessRate = rate > 0 ? rate * contract.excessBurst / contract.committedBurst
                                       : static_cast<double>(accessRate.GetBitRate());
    m_committed = {promised, rate, promised};
    m_excess = {contract.excessBurst, excessRate, contract.excessBurst};
}

FrameRelayPolicer::Verdict
FrameRelayPolicer::Judge(uint32_t size, bool eligible)
{
    Fill();
    const double bits = 8.0 * size;
    if (!eligible && Take(m_committed, bits))
    {
        return Verdict::PASS;
    }
    ++m_over;
    return Take(m_excess, bits) ? Verdict::MARK : Verdict::DROP;
}

void
FrameRelayPolicer::Describe(StateRecord& state) const
{
    state.AddReserve(m_committed.tokens, m_over);
    state.AddReserve(m_excess.tokens, m_over);
    state.Add((Simulator::Now() - m_filled).GetTimeStep()); // what has come since is computed later
}

void
FrameRelayPolicer::Fill()
{
    const double elapsed = (Simulator::Now() - m_filled).GetSeconds();
    m_filled = Simulator::Now();
    for (Bucket* bucket : {&m_committed, &m_excess})
    {
        bucket->tokens = std::min(bucket->depth, bucket->tokens + bucket->rate * elapsed);
    }
}

bool
FrameRelayPolicer::Take(Bucket& bucket, double bits)
{
    // A bit short of a millionth is a rounding error of the sum, not a breach of contract.
    constexpr double rounding = 1e-6;
    if (bucket.tokens + rounding < bits)
    {
        return false;
    }
    bucket.tokens -= bits;
    return true;
}

} // namespace ns3::study
