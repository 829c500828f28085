/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONGESTION_STATE_H
#define CONGESTION_STATE_H

#include <cstdint>
#include <limits>

namespace ns3::study
{

/// Congestion window and slow start threshold (RFC 5681, 2).
struct CongestionState
{
    uint32_t mss{1};                                          //!< of a whole segment [B]
    uint32_t window{0};                                       //!< cwnd [B]
    uint32_t threshold{std::numeric_limits<uint32_t>::max()}; //!< ssthresh [B]

    /// @return the window [segments]
    uint32_t GetSegments() const
    {
        return window / mss;
    }

    /// @return true in slow start
    bool IsSlowStart() const
    {
        return window < threshold;
    }

    bool operator==(const CongestionState&) const = default;
};

} // namespace ns3::study

#endif /* CONGESTION_STATE_H */
