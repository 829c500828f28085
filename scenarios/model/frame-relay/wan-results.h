/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WAN_RESULTS_H
#define WAN_RESULTS_H

#include "frame-relay-wan.h"
#include "model/program/scenario.h"

#include <vector>

namespace ns3
{

/**
 * @brief Add what became of a frame-relay network's frames to a record.
 * @param record where to
 * @param counters the counts; none without such a network
 */
void AddWanResults(JsonObject& record, const FrameRelayWan::Counters& counters);

/**
 * @brief Declare these numbers.
 * @param results where to add them
 */
void AddWanResultFields(std::vector<ResultField>& results);

} // namespace ns3

#endif /* WAN_RESULTS_H */
