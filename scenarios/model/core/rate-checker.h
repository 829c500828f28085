/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RATE_CHECKER_H
#define RATE_CHECKER_H

#include "ns3/attribute.h"
#include "ns3/data-rate.h"

#include <string>

namespace ns3::study
{

/// @return the rate that the word for no limit stands for, above every range
DataRate NoLimit();

/// @return a checker of a data rate with a range, which ns-3's own lacks; its underlying type
///         information reads "ns3::DataRate min:max word" in bit/s
/// @param word what may stand in the place of a rate, for no limit; empty for none
Ptr<const AttributeChecker> MakeRateChecker(DataRate min,
                                            DataRate max,
                                            const std::string& word = "");

} // namespace ns3::study

#endif /* RATE_CHECKER_H */
