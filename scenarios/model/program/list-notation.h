/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIST_NOTATION_H
#define LIST_NOTATION_H

#include "ns3/attribute.h"

#include <string>
#include <vector>

namespace ns3::study
{

/// @return a checker of a StringValue that is empty, or a list
/// @param kind of the list, as a parameter tells it
/// @param isList whether a text is one
Ptr<const AttributeChecker> MakeListChecker(const std::string& kind,
                                            bool (*isList)(const std::string&));

/// @return the entries of a list, which have commas between them; none if one is empty
std::vector<std::string> SplitList(const std::string& text);

} // namespace ns3::study

#endif /* LIST_NOTATION_H */
