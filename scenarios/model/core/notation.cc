/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "notation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <tuple>

namespace ns3::study
{

namespace
{

/// Units of a time, longest first, in nanoseconds; the last two are us, as it is shown to readers.
const Units TIME_UNITS{
    {"h", 36, 11},
    {"min", 6, 10},
    {"s", 1, 9},
    {"ms", 1, 6},
    {"us", 1, 3},
    {"ns", 1, 0},
    {"\u00b5s", 1, 3},
    {"\u03bcs", 1, 3},
};

/// Units of a data rate, largest first, in bit/s.
const Units RATE_UNITS{
    {"Gbps", 1, 9},
    {"Mbps", 1, 6},
    {"kbps", 1, 3},
    {"bps", 1, 0},
    {"Gbit/s", 1, 9},
    {"Mbit/s", 1, 6},
    {"kbit/s", 1, 3},
    {"bit/s", 1, 0},
    {"GB/s", 8, 9},
    {"MB/s", 8, 6},
    {"kB/s", 8, 3},
    {"B/s", 8, 0},
};

/// Units of a number of bytes.
const Units SIZE_UNITS{{"", 1, 0}, {"B", 1, 0}, {"kB", 1, 3}, {"MB", 1, 6}, {"GB", 1, 9}};

/// Units of a fraction.
const Units FRACTION_UNITS{{"", 1, 0}, {"%", 1, -2}};

const char* const BLANKS = " \t\r\n\f\v";

/// @return how much of the smallest unit that one is
double
GetSize(const Unit& unit)
{
    return unit.factor * std::pow(10, unit.power);
}

/// @return the value in the largest unit that divides it; the smallest is the first of size 1
std::string
FormatWithUnit(uint64_t value, const Units& units)
{
    for (const Unit& unit : units)
    {
        const auto divisor = static_cast<uint64_t>(GetSize(unit));
        if ((value > 0 && value % divisor == 0) || divisor == 1)
        {
            return std::to_string(value / divisor) + unit.name;
        }
    }
    return ""; // not reached: the smallest unit divides everything
}

/// Split a text at the end of the number that it begins with.
/// @param text a text
/// @return its digits without the exponent, the exponent, and what follows; no digits if it begins
///         with no number
std::tuple<std::string, double, std::string>
SplitNumber(const std::string& text)
{
    constexpr std::size_t longest = 64;
    const std::size_t sign = text.find_first_not_of("+-") == 1 ? 1 : 0;
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", sign), text.size());
    const std::string digits = text.substr(sign, end - sign);
    if (end > longest || digits.find_first_of("0123456789") == std::string::npos ||
        digits.find('.') != digits.rfind('.'))
    {
        return {"", 0, text};
    }
    const std::string signedDigits = (text[0] == '-' ? "-" : "") + digits;
    double exponent = 0;
    std::string rest = text.substr(end);
    if (!rest.empty() && (rest[0] == 'e' || rest[0] == 'E'))
    {
        const std::size_t first = rest.size() > 1 && (rest[1] == '+' || rest[1] == '-') ? 2 : 1;
        const std::size_t behind =
            std::min(rest.find_first_not_of("0123456789", first), rest.size());
        if (behind > first)
        {
            std::from_chars(rest.data() + first, rest.data() + behind, exponent);
            exponent = rest[1] == '-' ? -exponent : exponent;
            rest = rest.substr(behind);
        }
    }
    return {signedDigits, exponent, rest};
}

/// @return the number that these digits are times a power of ten, to the last bit; infinite if it
///         is too large or too small to hold
double
MakeNumber(const std::string& digits, double power)
{
    constexpr double farthest = 9999;
    const double held = std::clamp(power, -farthest, farthest);
    const std::string text = digits + "e" + std::to_string(static_cast<int>(held));
    double number = 0;
    const auto error = std::from_chars(text.data(), text.data() + text.size(), number).ec;
    return error == std::errc::result_out_of_range
               ? std::copysign(std::numeric_limits<double>::infinity(), digits[0] == '-' ? -1 : 1)
               : number;
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
    for (const Unit& unit : TIME_UNITS)
    {
        const double size = GetSize(unit);
        if (size < 1e9 && nanoseconds >= size && nanoseconds < 1000 * size)
        {
            return FormatNumber(nanoseconds / size) + unit.name;
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

const Units&
GetUnits(const std::string& kind, const std::string& unit, bool isFraction)
{
    if (kind == "time" || kind == "data-rate")
    {
        return kind == "time" ? TIME_UNITS : RATE_UNITS;
    }
    if (kind == "integer" && unit == "B")
    {
        return SIZE_UNITS;
    }
    if (isFraction)
    {
        return FRACTION_UNITS;
    }
    static std::map<std::string, Units> others;
    const auto [place, first] = others.try_emplace(unit, Units{{"", 1, 0}});
    if (first && unit != "1")
    {
        place->second.push_back({unit, 1, 0});
    }
    return place->second;
}

double
ReadNumber(const std::string& text, const Units& units)
{
    const auto [digits, exponent, rest] = SplitNumber(text);
    const std::string given = Trim(rest);
    for (const Unit& unit : units)
    {
        if (unit.name == given && !digits.empty())
        {
            return MakeNumber(digits, exponent + unit.power) * unit.factor;
        }
    }
    return std::nan("");
}

std::string
Shorten(const std::string& text, double number, const Units& units)
{
    for (const Unit& unit : units)
    {
        const double size = GetSize(unit);
        const std::string shown = FormatNumber(number / size) + unit.name;
        if (number >= size && ReadNumber(shown, units) == number)
        {
            return shown;
        }
        if (size == 1)
        {
            break; // behind the smallest are the same units by other names
        }
    }
    return text;
}

std::string
Trim(const std::string& text)
{
    const auto first = text.find_first_not_of(BLANKS);
    return first == std::string::npos
               ? ""
               : text.substr(first, text.find_last_not_of(BLANKS) - first + 1);
}

} // namespace ns3::study
