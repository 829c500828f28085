/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TURN_NOTATION_H
#define TURN_NOTATION_H

#include "ns3/attribute.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::study
{

/// One write of a conversation.
struct Turn
{
    bool ofServer; //!< whose write it is
    Time wait;     //!< from the write before, of this end, or from the last octet of the other's
    uint64_t size; //!< [B]
};

/// @return a checker of a StringValue that is a list of turns, as in c50000:120,s30000:2000: who
/// writes, after how many microseconds, how many bytes; or empty
Ptr<const AttributeChecker> MakeTurnListChecker();

/// @return the turns of such a list; empty if it is none
std::vector<Turn> ReadTurns(const std::string& text);

/// @return the turns as such a list
std::string FormatTurns(const std::vector<Turn>& turns);

} // namespace ns3::study

#endif /* TURN_NOTATION_H */
