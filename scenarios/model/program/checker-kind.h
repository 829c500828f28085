/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHECKER_KIND_H
#define CHECKER_KIND_H

#include "parameter.h"

namespace ns3::study
{

/// Take a parameter's kind and range from its attribute's checker.
/// @return false if an attribute of that kind is no parameter
bool ReadChecker(Parameter& parameter);

} // namespace ns3::study

#endif /* CHECKER_KIND_H */
