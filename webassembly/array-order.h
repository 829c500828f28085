// SPDX-License-Identifier: GPL-2.0-only
//
// What Emscripten's standard library lacks for ns-3 3.45 and later, whose addresses are put in an
// order by their bytes: until its version 16 it has no <=> of arrays. ns-3's own files are compiled
// with it, ours by shims.h.

#ifndef STUDY_WEBASSEMBLY_ARRAY_ORDER_H
#define STUDY_WEBASSEMBLY_ARRAY_ORDER_H

#include <array>
#include <compare>
#include <cstddef>

namespace study::shims
{

/// Which of two arrays comes first, by the first element that differs (C++20, [array.syn]).
template <class T, std::size_t N>
constexpr auto
order(const std::array<T, N>& one, const std::array<T, N>& other)
{
    using Order = decltype(one[0] <=> other[0]);
    for (std::size_t place = 0; place < N; ++place)
    {
        if (const Order found = one[place] <=> other[place]; found != 0)
        {
            return found;
        }
    }
    return Order(std::strong_ordering::equal);
}

} // namespace study::shims

#if defined _LIBCPP_VERSION && _LIBCPP_VERSION < 16000
namespace std
{

/// As study::shims::order().
template <class T, size_t N>
constexpr auto
operator<=>(const array<T, N>& one, const array<T, N>& other)
{
    return study::shims::order(one, other);
}

} // namespace std
#endif

#endif // STUDY_WEBASSEMBLY_ARRAY_ORDER_H
