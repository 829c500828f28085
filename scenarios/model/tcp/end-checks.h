/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef END_CHECKS_H
#define END_CHECKS_H

#include "model/program/parameter-set.h"

#include <string>
#include <vector>

namespace ns3::study
{

/// Refuse windows that the two ends' options cannot announce. The sizes and options of an end are
/// those of its group of parameters.
/// @throw ParameterError if there is one
void CheckWindows(const ParameterSet& parameters, const std::string& one, const std::string& other);

/// Refuse ticks too short for Linux's timer wheel, at an end that has its timers there.
/// @throw ParameterError if there is one
void CheckTimerWheels(const ParameterSet& parameters);

/// Settings of the two ends' TCP that were given and can do nothing, whatever the job, as the
/// others are: a rule of Nagle's algorithm where that is off, or RACK-TLP where SACK is not used.
/// @return their keys, in the order of the parameters
std::vector<std::string> GetIdleSettings(const ParameterSet& parameters);

} // namespace ns3::study

#endif /* END_CHECKS_H */
