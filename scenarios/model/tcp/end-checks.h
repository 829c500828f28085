/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef END_CHECKS_H
#define END_CHECKS_H

#include "model/program/parameter-set.h"

#include <string>

namespace ns3::study
{

/// Refuse windows that the two ends' options cannot announce. The sizes and options of an end are
/// those of its group of parameters.
/// @throw ParameterError if there is one
void CheckWindows(const ParameterSet& parameters, const std::string& one, const std::string& other);

/// Refuse ticks too short for Linux's timer wheel, at an end that has its timers there.
/// @throw ParameterError if there is one
void CheckTimerWheels(const ParameterSet& parameters);

} // namespace ns3::study

#endif /* END_CHECKS_H */
