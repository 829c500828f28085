/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cubic-growth.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::study
{

namespace
{

constexpr double C = 0.4;             //!< RFC 9438, 5 [segments/s^3]
constexpr uint32_t BETA = 717;        //!< RFC 9438, 4.6: 0.7 ...
constexpr uint32_t BETA_SCALE = 1024; //!< ... of so many
/// Eighths of a window that, acknowledged, are a segment of Reno's growth:
/// 8 (1 + beta) / (3 (1 - beta)) (RFC 9438, 4.3), rounded down.
constexpr uint32_t RENO_EIGHTHS = 8 * (BETA_SCALE + BETA) / 3 / (BETA_SCALE - BETA);
static_assert(RENO_EIGHTHS == 15);
constexpr uint32_t LEAST_PACE = 2;            //!< RFC 9438, 4.2: 1.5 times a round trip
constexpr uint32_t PACE_UNTIL_LOSS = 20;      //!< where no loss showed a plateau, at most that
constexpr uint32_t ROUND_TRIPS_AT_REST = 100; //!< for a segment, where the window is to stay
constexpr double FARTHEST = 1e9;              //!< that a target is from the plateau [segments]
constexpr Nanos LONGEST_PACE = 31250us;       //!< 1/32 s: a pace is seen to again

/// @return an interval [s]
double
ToSeconds(Nanos interval)
{
    return std::chrono::duration<double>(interval).count();
}

} // namespace

void
CubicGrowth::Sample(CongestionState& state,
                    uint64_t acknowledged,
                    uint64_t next,
                    Nanos rtt,
                    Nanos now)
{
    m_shortest = std::min(m_shortest, rtt);
    if (state.IsSlowStart() && !m_full &&
        m_slowStartEnd.IsFull(acknowledged, next, rtt, state.GetSegments(), now))
    {
        m_full = true;
        m_slowStartEnd.Forget();
        state.threshold = state.window;
    }
}

void
CubicGrowth::Grow(CongestionState& state, uint32_t acknowledged, Nanos now)
{
    // A pause is no part of the count (RFC 9438, 4.2, 5.8).
    m_elapsed += m_inEpoch && m_lastUsed != Nanos::min() ? now - m_lastUsed : 0ns;
    m_lastUsed = now;
    acknowledged = GrowInSlowStart(state, acknowledged);
    if (acknowledged > 0)
    {
        UpdatePace(state.GetSegments(), acknowledged, now);
        state.window += m_credit.Add(acknowledged, m_pace) * state.mss;
    }
}

void
CubicGrowth::Pause()
{
    m_lastUsed = Nanos::min();
    m_pacedAt = Nanos::min(); // the pace was one for the pause's time
    m_pacedWindow = 0;
}

void
CubicGrowth::BeginEpoch(uint32_t window)
{
    m_inEpoch = true;
    m_elapsed = 0ns;
    m_plateau = std::max(m_lastMax, window);
    m_k = std::cbrt((m_plateau - window) / C);
    m_reno = window;
    m_towardsReno = 0;
}

void
CubicGrowth::UpdatePace(uint32_t window, uint32_t acknowledged, Nanos now)
{
    window = std::max(window, 1U); // after the MSS has grown, it may be less than a segment
    m_towardsReno += acknowledged;
    if (window == m_pacedWindow && now - m_pacedAt <= LONGEST_PACE)
    {
        return;
    }
    m_pacedWindow = window;
    m_pacedAt = now;
    if (!m_inEpoch)
    {
        BeginEpoch(window);
        m_towardsReno = acknowledged;
    }
    const uint32_t target = GetTarget();
    constexpr uint64_t slowest = std::numeric_limits<uint32_t>::max();
    const uint64_t atRest = std::min(uint64_t{window} * ROUND_TRIPS_AT_REST, slowest);
    m_pace = target > window ? window / (target - window) : static_cast<uint32_t>(atRest);
    if (m_lastMax == 0)
    {
        m_pace = std::min(m_pace, PACE_UNTIL_LOSS);
    }
    // Never behind Reno (RFC 9438, 4.3).
    const uint64_t step = uint64_t{window} * RENO_EIGHTHS / 8;
    const uint64_t grown = m_towardsReno > step ? (m_towardsReno - 1) / step : 0; // only when past
    m_towardsReno -= grown * step;
    m_reno += static_cast<uint32_t>(grown);
    if (m_reno > window)
    {
        m_pace = std::min(m_pace, window / (m_reno - window));
    }
    m_pace = std::max(m_pace, LEAST_PACE);
}

uint32_t
CubicGrowth::GetTarget() const
{
    const Nanos roundTrip = m_shortest == Nanos::max() ? 0ns : m_shortest;
    const double t = ToSeconds(m_elapsed + roundTrip) - m_k;
    const auto distance = static_cast<uint32_t>(std::min(C * std::abs(t * t * t), FARTHEST));
    return t < 0 ? m_plateau - std::min(m_plateau, distance) : m_plateau + distance;
}

uint32_t
CubicGrowth::Reduce(const CongestionState& state, uint32_t /* flight */)
{
    const uint64_t window = state.GetSegments();
    // Fast convergence (RFC 9438, 4.7).
    const bool fast = window < m_lastMax;
    m_lastMax =
        static_cast<uint32_t>(fast ? window * (BETA_SCALE + BETA) / (2 * BETA_SCALE) : window);
    m_inEpoch = false;
    m_elapsed = 0ns;
    m_credit.Reset();
    return std::max(static_cast<uint32_t>(window * BETA / BETA_SCALE), 2U) * state.mss;
}

void
CubicGrowth::Restart(uint64_t next, Nanos now)
{
    const Nanos lastUsed = m_lastUsed;
    *this = CubicGrowth();
    m_lastUsed = lastUsed;
    m_slowStartEnd.Reset(next, now); // RFC 9438, 4.8
}

void
CubicGrowth::Shift(Nanos time, uint64_t octets)
{
    m_slowStartEnd.Shift(time, octets);
    MoveBack(m_lastUsed, time);
    MoveBack(m_pacedAt, time);
    if (!m_inEpoch)
    {
        m_lastUsed = Nanos::min(); // no time is counted yet
    }
    if (m_pacedAt < -LONGEST_PACE)
    {
        m_pacedAt = Nanos::min(); // the pace is seen to anew, whatever the window
        m_pacedWindow = 0;
    }
}

} // namespace ns3::study
