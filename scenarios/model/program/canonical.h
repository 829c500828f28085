/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CANONICAL_H
#define CANONICAL_H

#include "json-object.h"
#include "parameter-set.h"

#include <string>
#include <vector>

namespace ns3::study
{

/**
 * @brief Read values for whoever has them from a person, without a run.
 * @param parameters the parameters that there are
 * @param values each a flag and a value, --rtt=45 ms
 * @param refuse whether a value that cannot be used is an exception, not an answer
 * @return a list of one answer a value: Parameter::ToCanonical(), or error and parameter,
 *         and the number of one that is out of range
 */
JsonObject ToCanonical(const ParameterSet& parameters,
                       const std::vector<std::string>& values,
                       bool refuse);

/// @return the values of a line of a batch, which are separated by tabs, as a value may have blanks
std::vector<std::string> SplitValues(const std::string& line);

} // namespace ns3::study

#endif /* CANONICAL_H */
