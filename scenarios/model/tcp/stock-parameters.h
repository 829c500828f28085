/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STOCK_PARAMETERS_H
#define STOCK_PARAMETERS_H

#include "model/program/parameter-set.h"

#include <string>

namespace ns3::study
{

/// @return whether it is a parameter of an end's TCP
bool IsOfTcp(const Parameter& parameter);

/// @param attribute an attribute of this study's sockets
/// @return the attribute of ns-3's own socket that means the same; empty if there is none
std::string FindStockName(const std::string& attribute);

/// Refuse what was given of the two ends' TCP and ns-3's own socket cannot have.
/// @throw ParameterError which names it all
void CheckStock(const ParameterSet& parameters);

} // namespace ns3::study

#endif /* STOCK_PARAMETERS_H */
