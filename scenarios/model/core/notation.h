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

/// A unit that may stand behind a number.
struct Unit
{
    std::string name; //!< as one writes it, or empty
    double factor;    //!< with the power of ten, how much of the smallest unit it is
    int power;        //!< of ten; apart from the factor, so that 0.7 % is 0.007 and nothing else
};

using Units = std::vector<Unit>;

/**
 * @param kind a kind of number: time, data-rate, integer or real
 * @param unit its unit, as declared: s, bit/s, B, 1, ...
 * @param isFraction whether it is a fraction of a whole
 * @return the units that it may be given in
 */
const Units& GetUnits(const std::string& kind, const std::string& unit, bool isFraction);

/**
 * @brief Read a number and its unit, with or without blanks between them.
 * @param text the text
 * @param units the units that it may have
 * @return the number in the smallest unit; infinite if it is too large or too small to hold,
 *         not-a-number if the text is not of that form
 */
double ReadNumber(const std::string& text, const Units& units);

/**
 * @param text a canonical value
 * @param number the same in the smallest unit
 * @param units its units
 * @return the value in the largest unit of which it is at least one: 116.4074ms for 116407400ns
 */
std::string Shorten(const std::string& text, double number, const Units& units);

/// @return the text without blanks at its ends
std::string Trim(const std::string& text);

} // namespace ns3::study

#endif /* NOTATION_H */
