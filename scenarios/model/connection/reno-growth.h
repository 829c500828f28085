/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RENO_GROWTH_H
#define RENO_GROWTH_H

#include "congestion-state.h"
#include "nanos.h"

#include <algorithm>

namespace ns3::study
{

/// Segments acknowledged towards a congestion window's next segment, as Linux counts them
/// (tcp_cong_avoid_ai).
class GrowthCredit
{
  public:
    /// Begin afresh.
    void Reset()
    {
        m_credit = 0;
    }

    /// Some segments were acknowledged.
    /// @param pace so many let the window grow by one
    /// @return by how many it grows now
    uint32_t Add(uint32_t acknowledged, uint32_t pace)
    {
        uint32_t grown = 0;
        if (m_credit >= pace) // it was slower when they were acknowledged
        {
            m_credit = 0;
            grown = 1;
        }
        m_credit += acknowledged;
        grown += m_credit / pace;
        m_credit %= pace;
        return grown;
    }

    bool operator==(const GrowthCredit&) const = default;

  private:
    uint32_t m_credit{0}; //!< acknowledged since it grew [segments]
};

/// Let the window grow in slow start as Linux does, by what is acknowledged.
/// @return the segments left when it ends
inline uint32_t
GrowInSlowStart(CongestionState& state, uint32_t acknowledged)
{
    if (!state.IsSlowStart())
    {
        return acknowledged;
    }
    const uint32_t missing = (state.threshold - state.window - 1) / state.mss + 1;
    const uint32_t step = std::min(acknowledged, missing);
    state.window += step * state.mss;
    return acknowledged - step;
}

/// What a rule of growth is asked, and a window that stays as its caller sets it.
struct FixedGrowth
{
    /// Some segments were acknowledged, of a window that was used.
    void Grow(CongestionState&, uint32_t, Nanos)
    {
    }

    /// The window is not used, or nothing was in flight before a segment.
    void Pause()
    {
    }

    /// @return the threshold after a loss [B]
    uint32_t Reduce(const CongestionState& state, uint32_t /* flight */)
    {
        return state.threshold;
    }

    /// Begin afresh, with the connection or after a timeout. @param next what is sent next
    void Restart(uint64_t /* next */, Nanos /* now */)
    {
    }

    /// Subtract from all instants and offsets.
    void Shift(Nanos, uint64_t)
    {
    }

    bool operator==(const FixedGrowth&) const = default;
};

/// Growth of RFC 5681: in slow start one segment for each ACK, counted in bytes afterwards.
struct NewRenoGrowth : FixedGrowth
{
    void Grow(CongestionState& state, uint32_t acknowledged, Nanos)
    {
        if (state.IsSlowStart())
        {
            state.window += state.mss;
            --acknowledged;
        }
        if (!state.IsSlowStart() && acknowledged > 0)
        {
            const uint64_t square = uint64_t{state.mss} * state.mss;
            state.window += static_cast<uint32_t>(std::max<uint64_t>(square / state.window, 1));
        }
    }

    /// Half of what was in flight is left (equation 4).
    uint32_t Reduce(const CongestionState& state, uint32_t flight)
    {
        return std::max(flight / 2, 2 * state.mss);
    }

    bool operator==(const NewRenoGrowth&) const = default;
};

/// Growth of Linux's Reno: whole segments, and half of the window after a loss, not of what was in
/// flight, which is less where the application has paused.
class RenoGrowth : public FixedGrowth
{
  public:
    void Grow(CongestionState& state, uint32_t acknowledged, Nanos)
    {
        acknowledged = GrowInSlowStart(state, acknowledged);
        if (acknowledged > 0)
        {
            state.window +=
                m_credit.Add(acknowledged, std::max(state.GetSegments(), 1U)) * state.mss;
        }
    }

    uint32_t Reduce(const CongestionState& state, uint32_t)
    {
        m_credit.Reset();
        return std::max(state.GetSegments() / 2, 2U) * state.mss;
    }

    void Restart(uint64_t, Nanos)
    {
        m_credit.Reset();
    }

    bool operator==(const RenoGrowth&) const = default;

  private:
    GrowthCredit m_credit; //!< towards the next segment
};

} // namespace ns3::study

#endif /* RENO_GROWTH_H */
