/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOOSE_STATE_H
#define LOOSE_STATE_H

#include "nanos.h"

#include <cstdint>
#include <vector>

namespace ns3::study
{

/// What of a connection decides something under a condition only, taken out of it: so the others
/// compare equal while a round-trip time estimate still converges, or a tick comes elsewhere.
struct LooseState
{
    /// Numbers that decide only when a timer expires.
    struct ForTimer
    {
        Nanos leastLeft;             //!< it runs on for at least that, or if it is started now
        Nanos sinceStart;            //!< since it was last started
        std::vector<int64_t> values; //!< the numbers
    };

    std::vector<ForTimer> timers;
    uint32_t partOfSegment{0}; //!< acknowledged, not yet counted for the congestion window [B]
};

} // namespace ns3::study

#endif /* LOOSE_STATE_H */
