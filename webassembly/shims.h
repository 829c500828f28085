// SPDX-License-Identifier: GPL-2.0-only
//
// What Emscripten's standard library lacks. Until its version 15 it reads and writes no floating-
// point number with <charconv>: these give what other libraries' give, to the character.

#ifndef STUDY_WEBASSEMBLY_SHIMS_H
#define STUDY_WEBASSEMBLY_SHIMS_H

#include "array-order.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

namespace study::shims
{

/// Write the shortest digits that are read back as the same number, in the shorter of the two
/// notations (C++17, [charconv.to.chars]).
inline std::to_chars_result
to_chars(char* first, char* last, double value)
{
    char text[32];
    int precision = 0; // digits after the first
    for (; precision < 17; ++precision)
    {
        std::snprintf(text, sizeof text, "%.*e", precision, value);
        if (std::strtod(text, nullptr) == value || !std::isfinite(value))
        {
            break;
        }
        // Above a power of two there is more room than below it: the next larger may do.
        char* digit = std::strchr(text, 'e') - 1;
        *digit += *digit >= '0' && *digit < '9';
        if (std::strtod(text, nullptr) == value)
        {
            break;
        }
    }
    std::string shortest = text;
    if (std::isfinite(value))
    {
        const int exponent = std::atoi(std::strchr(text, 'e') + 1);
        char fixed[400];
        std::snprintf(fixed, sizeof fixed, "%.*f", std::max(precision - exponent, 0), value);
        shortest = std::strlen(fixed) <= shortest.size() ? fixed : shortest;
    }
    if (last - first < static_cast<std::ptrdiff_t>(shortest.size()))
    {
        return {last, std::errc::value_too_large};
    }
    return {std::copy(shortest.begin(), shortest.end(), first), std::errc()};
}

/// Read a number as strtod() does, without blanks, a plus sign or hexadecimal digits before it.
inline std::from_chars_result
from_chars(const char* first, const char* last, double& value)
{
    const char* digits = first + (first != last && *first == '-');
    const std::string text(first, last);
    const bool isNumber = digits != last && (std::isdigit(static_cast<unsigned char>(*digits)) ||
                                             *digits == '.' || std::isalpha(*digits));
    if (!isNumber)
    {
        return {first, std::errc::invalid_argument};
    }
    if (last - digits > 1 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
    {
        value = *first == '-' ? -0.0 : 0.0; // the nought before the x
        return {digits + 1, std::errc()};
    }
    char* end = nullptr;
    const double read = std::strtod(text.c_str(), &end);
    if (end == text.c_str())
    {
        return {first, std::errc::invalid_argument};
    }
    const char* rest = first + (end - text.c_str());
    const char* mantissaEnd =
        std::find_if(digits, rest, [](char c) { return c == 'e' || c == 'E'; });
    const bool isZero =
        std::none_of(digits, mantissaEnd, [](char c) { return c >= '1' && c <= '9'; });
    const bool isWord = std::isalpha(static_cast<unsigned char>(*digits)); // inf, nan
    if (!isWord && (std::isinf(read) || (read == 0 && !isZero)))
    {
        return {rest, std::errc::result_out_of_range};
    }
    value = read;
    return {rest, std::errc()};
}

} // namespace study::shims

#if defined _LIBCPP_VERSION && _LIBCPP_VERSION < 15000
namespace std
{
using study::shims::from_chars;
using study::shims::to_chars;
} // namespace std
#endif

#ifndef __cpp_lib_bit_cast
namespace std
{

/// The same bits as another type (C++20, [bit.cast]): until its version 14 the library has no such
/// function, though the compiler knows how.
template <class To, class From>
constexpr To
bit_cast(const From& from) noexcept
{
    return __builtin_bit_cast(To, from);
}

} // namespace std
#endif

#endif // STUDY_WEBASSEMBLY_SHIMS_H
