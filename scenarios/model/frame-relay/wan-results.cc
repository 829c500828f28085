/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wan-results.h"

namespace ns3
{

namespace
{

/// A count and its place in a record.
struct Entry
{
    ResultField field;                         //!< what it is
    uint64_t FrameRelayWan::Counters::* count; //!< where it is
};

/// @return all counts, in the order of the record
std::vector<Entry>
Entries()
{
    using Counters = FrameRelayWan::Counters;
    return {
        {{"wan_frames", "1", "Frames the frame-relay network carried; 0 without one"},
         &Counters::carried},
        {{"wan_frames_marked", "1", "Frames it marked DE because they were above Bc"},
         &Counters::marked},
        {{"wan_frames_policed", "1", "Frames it dropped because they were above Bc + Be"},
         &Counters::policed},
        {{"wan_frames_congested", "1", "Frames it dropped because too many waited for a line"},
         &Counters::congested},
        {{"router_drops", "1", "Frames a router dropped because too many waited for its line"},
         &Counters::routerDrops},
        {{"line_losses", "1", "Frames lost on the lines between network and routers"},
         &Counters::lineLosses},
    };
}

} // namespace

void
AddWanResults(JsonObject& record, const FrameRelayWan::Counters& counters)
{
    for (const Entry& entry : Entries())
    {
        record.Add(entry.field.key, counters.*entry.count);
    }
}

void
AddWanResultFields(std::vector<ResultField>& results)
{
    for (const Entry& entry : Entries())
    {
        results.push_back(entry.field);
    }
}

} // namespace ns3
