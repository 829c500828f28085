/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RATE_CHECKER_H
#define RATE_CHECKER_H

#include "ns3/attribute.h"
#include "ns3/data-rate.h"

namespace ns3::study
{

/// @return a checker of a data rate with a range, which ns-3's own lacks; its underlying type
///         information reads "ns3::DataRate min:max" in bit/s
Ptr<const AttributeChecker> MakeRateChecker(DataRate min, DataRate max);

} // namespace ns3::study

#endif /* RATE_CHECKER_H */
