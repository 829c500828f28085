/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TELL_LIMITS_H
#define TELL_LIMITS_H

#include "limit-table.h"
#include "model/program/parameter-set.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace ns3::study
{

/// @return the entries of these limits, in the order in which figures draw them, with the reliefs
///         that these parameters allow
/// @param limits what a run of the scenario can wait for
/// @param parameters the scenario's
/// @param words clauses for those that are something else in this scenario
std::vector<JsonObject> TellLimits(std::span<const Limit> limits,
                                   const ParameterSet& parameters,
                                   const std::map<Limit, std::string>& words = {});

/// @return the times that a clock charged to these limits, in this order
JsonObject TellShares(const ShareClock& clock, std::span<const Limit> limits);

} // namespace ns3::study

#endif /* TELL_LIMITS_H */
