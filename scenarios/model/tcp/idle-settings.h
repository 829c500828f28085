/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDLE_SETTINGS_H
#define IDLE_SETTINGS_H

#include "model/program/parameter-set.h"

#include <string>
#include <vector>

namespace ns3::study
{

/// Settings of the two ends' TCP that were given and can do nothing, whatever the job, as the
/// others are: a rule of Nagle's algorithm where that is off, or RACK-TLP where SACK is not used.
/// @return their keys, in the order of the parameters
std::vector<std::string> GetIdleSettings(const ParameterSet& parameters);

} // namespace ns3::study

#endif /* IDLE_SETTINGS_H */
