/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "notation.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

namespace ns3::study
{

namespace
{

/// Units of a time, longest first, in nanoseconds.
const std::vector<std::pair<std::string, double>> TIME_UNITS{
    {"h", 3600e9},
    {"min", 60e9},
    {"s", 1e9},
    {"ms", 1e6},
    {"us", 1e3},
    {"ns", 1},
};

/// Units of a data rate, largest first, in bit/s.
const std::vector<std::pair<std::string, double>> RATE_UNITS{
    {"Gbps", 1e9},
    {"Mbps", 1e6},
    {"kbps", 1e3},
    {"bps", 1},
};

/// @return the value in the largest unit that divides it
std::string
FormatWithUnit(uint64_t value, const std::vector<std::pair<std::string, double>>& units)
{
    for (const auto& [unit, size] : units)
    {
        const auto divisor = static_cast<uint64_t>(size);
        if ((value > 0 && value % divisor == 0) || divisor == 1)
        {
            return std::to_string(value / divisor) + unit;
        }
    }
    return ""; // not reached: the last unit divides everything
}

/// Read the number that a text begins with.
/// @param text a text
/// @return the number, infinite if it is too large or too small to hold, not-a-number if there is
///         none; and what follows it
std::pair<double, std::string>
SplitNumber(const std::string& text)
{
    constexpr std::size_t longest = 64;
    const std::size_t sign = text.find_first_not_of("+-") == 1 ? 1 : 0;
    const bool digits = sign < text.size() && text.size() <= longest &&
                        (std::isdigit(static_cast<unsigned char>(text[sign])) || text[sign] == '.');
    if (!digits)
    {
        return {std::nan(""), text};
    }
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + sign, end, number);
    if (error == std::errc::invalid_argument)
    {
        return {std::nan(""), text};
    }
    if (error == std::errc::result_out_of_range)
    {
        number = std::numeric_limits<double>::infinity();
    }
    return {text[0] == '-' ? -number : number, std::string(rest, end)};
}

/// @return the number in the smallest unit, or not-a-number if the text is not of that form
double
ReadWithUnit(const std::string& text, const std::vector<std::pair<std::string, double>>& units)
{
    const auto [number, given] = SplitNumber(text);
    for (const auto& [unit, size] : units)
    {
        if (unit == given)
        {
            return number * size;
        }
    }
    return std::nan("");
}

} // namespace

std::string
FormatTime(Time time)
{
    return FormatWithUnit(time.GetNanoSeconds(), TIME_UNITS);
}

std::string
FormatTimeInShort(Time time)
{
    const auto nanoseconds = static_cast<double>(time.GetNanoSeconds());
    for (const auto& [unit, size] : TIME_UNITS)
    {
        if (size < 1e9 && nanoseconds >= size && nanoseconds < 1000 * size)
        {
            return FormatNumber(nanoseconds / size) + unit;
        }
    }
    return FormatTime(time);
}

std::string
FormatSeconds(Time time)
{
    const int64_t ns = time.GetNanoSeconds();
    const int64_t size = std::abs(ns);
    std::array<char, 32> text;
    const int length = std::snprintf(text.data(),
                                     text.size(),
                                     "%s%lld.%09lld",
                                     ns < 0 ? "-" : "",
                                     static_cast<long long>(size / 1000000000),
                                     static_cast<long long>(size % 1000000000));
    return {text.data(), static_cast<std::size_t>(length)};
}

std::string
FormatRate(uint64_t bitRate)
{
    return FormatWithUnit(bitRate, RATE_UNITS);
}

std::string
FormatNumber(double number)
{
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    return {text.data(), end};
}

std::string
Join(const std::vector<std::string>& texts, const std::string& separator)
{
    std::string joined;
    for (const auto& text : texts)
    {
        joined += (joined.empty() ? "" : separator) + text;
    }
    return joined;
}

double
ReadNumber(const std::string& kind, const std::string& text)
{
    if (kind == "time")
    {
        return ReadWithUnit(text, TIME_UNITS);
    }
    if (kind == "data-rate")
    {
        return ReadWithUnit(text, RATE_UNITS);
    }
    const auto [number, rest] = SplitNumber(text);
    const bool whole = text.find_first_not_of("+-0123456789") == std::string::npos;
    return rest.empty() && (whole || kind == "real") ? number : std::nan("");
}

} // namespace ns3::study
