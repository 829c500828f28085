/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "congestion-window.h"

#include <algorithm>

namespace ns3::study
{

namespace
{

constexpr uint32_t LARGEST = 1U << 30; //!< the largest window of a peer (RFC 7323, 2.3) [B]

} // namespace

CongestionWindow::CongestionWindow(GrowthRule rule)
{
    switch (rule)
    {
    case GrowthRule::NEWRENO:
        m_growth = NewRenoGrowth();
        break;
    case GrowthRule::RENO:
        m_growth = RenoGrowth();
        break;
    case GrowthRule::CUBIC:
        m_growth = CubicGrowth();
        break;
    case GrowthRule::EXTERNAL:
        break;
    }
}

void
CongestionWindow::Begin(uint32_t mss, uint32_t segments, uint64_t next, Nanos now)
{
    m_state = {.mss = mss, .window = segments * mss};
    m_roundEnd = next;
    std::visit([&](auto& growth) { growth.Restart(next, now); }, m_growth);
}

void
CongestionWindow::SetSegment(uint32_t mss)
{
    m_state.mss = mss;
}

void
CongestionWindow::Set(uint32_t window, uint32_t threshold)
{
    m_state.window = window;
    m_state.threshold = threshold;
}

bool
CongestionWindow::IsExternal() const
{
    return std::holds_alternative<FixedGrowth>(m_growth);
}

void
CongestionWindow::StartFromIdle()
{
    std::visit([](auto& growth) { growth.Pause(); }, m_growth);
}

void
CongestionWindow::Restart(uint32_t window)
{
    if (window < m_state.window && IsOfLinux())
    {
        m_state.threshold = std::max(m_state.threshold, m_state.window / 4 * 3);
    }
    m_state.window = window;
}

uint32_t
CongestionWindow::GetAfterIdle(Nanos idle, Nanos timeout, uint32_t initial) const
{
    const uint32_t least = std::min(m_state.window, initial * m_state.mss);
    if (IsExternal() || idle <= timeout)
    {
        return m_state.window;
    }
    const int64_t halvings = IsOfLinux() ? std::min<int64_t>((idle - 1ns) / timeout, 31) : 31;
    return std::max(m_state.window >> halvings, least);
}

void
CongestionWindow::Sent(uint32_t octets, uint32_t pipe, uint64_t acknowledged, uint64_t next)
{
    const bool full = pipe + m_state.mss > m_state.window;
    const auto outstanding = static_cast<uint32_t>(next - acknowledged);
    if (acknowledged >= m_roundEnd || full || (!m_wasFull && outstanding > m_mostOutstanding))
    {
        m_wasFull = full;
        m_mostOutstanding = outstanding;
        m_roundEnd = next;
    }
    if (!m_wasFull && !m_state.IsSlowStart())
    {
        m_mostOutstanding = 0; // neither matters until it is full again
        m_roundEnd = 0;
    }
    Resent(octets);
}

void
CongestionWindow::Resent(uint32_t octets)
{
    if (m_recovering)
    {
        m_reduction.Sent(octets);
    }
}

bool
CongestionWindow::IsUsed() const
{
    return m_wasFull || !IsOfLinux() ||
           (m_state.IsSlowStart() && m_state.window < 2 * uint64_t{m_mostOutstanding});
}

void
CongestionWindow::Sample(uint64_t acknowledged, uint64_t next, Nanos rtt, Nanos now)
{
    if (auto* cubic = std::get_if<CubicGrowth>(&m_growth); cubic && rtt > 0ns)
    {
        cubic->Sample(m_state, acknowledged, next, rtt, now);
    }
}

void
CongestionWindow::Grow(uint32_t segments, Nanos now)
{
    if (segments > 0 && IsUsed())
    {
        m_uses += IsOfLinux();
        std::visit([&](auto& growth) { growth.Grow(m_state, segments, now); }, m_growth);
        m_state.window = std::min(m_state.window, LARGEST); // more makes no difference
    }
    else if (segments > 0)
    {
        StartFromIdle();
    }
}

void
CongestionWindow::BeginRecovery(uint32_t flight)
{
    m_recovering = true;
    m_reduction.Begin(m_state.window);
    LowerThreshold(flight);
    if (!IsOfLinux())
    {
        m_state.window = m_state.threshold;
    }
}

void
CongestionWindow::Recover(uint32_t pipe, uint32_t delivered, bool mayBeLoss)
{
    if (!IsExternal() && IsOfLinux())
    {
        m_state.window = m_reduction.GetWindow(m_state, pipe, delivered, mayBeLoss);
    }
}

void
CongestionWindow::EndRecovery()
{
    m_recovering = false;
    m_state.window = IsExternal() ? m_state.window : m_state.threshold;
}

void
CongestionWindow::LowerAtOnce(uint32_t flight)
{
    LowerThreshold(flight);
    EndRecovery();
}

void
CongestionWindow::LowerThreshold(uint32_t flight)
{
    m_state.threshold =
        std::visit([&](auto& growth) { return growth.Reduce(m_state, flight); }, m_growth);
}

void
CongestionWindow::Timeout(bool lower, uint32_t flight, uint64_t next, Nanos now)
{
    m_recovering = false;
    if (lower)
    {
        LowerThreshold(flight);
    }
    std::visit([&](auto& growth) { growth.Restart(next, now); }, m_growth);
    m_state.window = m_state.mss;
}

void
CongestionWindow::Shift(Nanos time, uint64_t octets)
{
    MoveBack(m_roundEnd, octets);
    m_uses = 0;
    std::visit([&](auto& growth) { growth.Shift(time, octets); }, m_growth);
}

void
CongestionWindow::ForgetUse()
{
    m_state.window = 0;
    m_wasFull = false;
    m_mostOutstanding = 0;
    m_roundEnd = 0;
}

} // namespace ns3::study
