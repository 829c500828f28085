/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NANOS_H
#define NANOS_H

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace ns3::study
{

/// An interval, or an instant counted from an origin that all values of a connection share.
using Nanos = std::chrono::nanoseconds;

using std::chrono_literals::operator""ns;
using std::chrono_literals::operator""us;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""min;

/// Move an instant into the past, unless it is one that never was.
inline void
MoveBack(Nanos& instant, Nanos by)
{
    if (instant != Nanos::min() && instant != Nanos::max())
    {
        instant -= by;
    }
}

/// Count an offset from a later octet on. One below it decides nothing, however far it is.
inline void
MoveBack(uint64_t& offset, uint64_t by)
{
    offset -= std::min(offset, by);
}

} // namespace ns3::study

#endif /* NANOS_H */
