/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CUBIC_GROWTH_H
#define CUBIC_GROWTH_H

#include "congestion-state.h"
#include "nanos.h"
#include "reno-growth.h"
#include "slow-start-end.h"

namespace ns3::study
{

/**
 * @brief Growth of CUBIC (RFC 9438) with HyStart, as Linux has it.
 *
 * All is counted in whole segments, as in Linux: the target of a round trip is rounded towards the
 * plateau, the number of segments that let the window grow by one is rounded down. So the window is
 * ahead of the curve by about a segment, and is back at the plateau a second sooner where it is
 * some tens. The Reno-friendly window grows by 3 (1 - beta) / (1 + beta) segments a round trip for
 * good: alpha_cubic = 1 from the last maximum on (RFC 9438, 4.3) is not done in Linux either. A
 * window that never met a loss grows by at least one part in twenty a round trip.
 *
 * Other than in Linux, time in which the application leaves the window unused is no part of the
 * count (RFC 9438, 4.2); Linux leaves out only that in which nothing is in flight.
 */
class CubicGrowth : public FixedGrowth
{
  public:
    /// An ACK has come.
    /// @param acknowledged all before it
    /// @param next what is sent next
    /// @param rtt last round trip measured
    void Sample(CongestionState& state, uint64_t acknowledged, uint64_t next, Nanos rtt, Nanos now);
    void Grow(CongestionState& state, uint32_t acknowledged, Nanos now);
    void Pause();
    uint32_t Reduce(const CongestionState& state, uint32_t flight);
    void Restart(uint64_t next, Nanos now);
    void Shift(Nanos time, uint64_t octets);

    bool operator==(const CubicGrowth&) const = default;

  private:
    /// Begin to count the time from this window on (RFC 9438, 4.2).
    void BeginEpoch(uint32_t window);
    /// See anew how many segments acknowledged let the window grow by one.
    void UpdatePace(uint32_t window, uint32_t acknowledged, Nanos now);
    /// @return where the window is to be in a round trip from now [segments]
    uint32_t GetTarget() const;

    SlowStartEnd m_slowStartEnd;    //!< HyStart
    bool m_full{false};             //!< it has ended slow start
    Nanos m_shortest{Nanos::max()}; //!< shortest round trip
    bool m_inEpoch{false};          //!< the time is counted
    Nanos m_elapsed{0};             //!< so much of it, in which the window was used up
    Nanos m_lastUsed{Nanos::min()}; //!< last ACK that found it so; min() in a pause
    double m_k{0};                  //!< until the window is back at the plateau [s]
    uint32_t m_plateau{0};          //!< where it grows least [segments]
    uint32_t m_lastMax{0};          //!< window before the last loss, or less; 0 for none [segments]
    uint32_t m_reno{0};             //!< window that Reno would have [segments]
    uint64_t m_towardsReno{0};      //!< acknowledged since that grew [segments]
    uint32_t m_pace{0};             //!< so many acknowledged let the window grow by one [segments]
    GrowthCredit m_credit;          //!< towards the window's next segment
    uint32_t m_pacedWindow{0};      //!< window when the pace was last seen to [segments]
    Nanos m_pacedAt{Nanos::min()};  //!< and when that was
};

} // namespace ns3::study

#endif /* CUBIC_GROWTH_H */
