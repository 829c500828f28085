/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOTATION_H
#define NOTATION_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::study
{

/// @return a time in the largest unit that divides it, 1500us
std::string FormatTime(Time time);
/// @return a time; below a second with at most three digits before the point, 25.6us
std::string FormatTimeInShort(Time time);
/// @return a time in seconds, to the nanosecond, 0.000025600
std::string FormatSeconds(Time time);
/// @return a data rate in the largest unit that divides it, 10Mbps
std::string FormatRate(uint64_t bitRate);
/// @return the shortest text that reads back to a number
std::string FormatNumber(double number);

/// @return the texts, one after the other, with a separator between each two
std::string Join(const std::vector<std::string>& texts, const std::string& separator);

/**
 * @brief Read a number of a kind that has a range.
 * @param kind the kind: time, data-rate, integer or real
 * @param text the text
 * @return the number in ns, bit/s or as it stands; infinite if it is too large or too small to
 *         hold, not-a-number if the text is not of that kind
 */
double ReadNumber(const std::string& kind, const std::string& text);

} // namespace ns3::study

#endif /* NOTATION_H */
