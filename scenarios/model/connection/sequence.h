/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEQUENCE_H
#define SEQUENCE_H

#include <cstdint>

namespace ns3::study::tcp
{

/// A sequence number, which wraps around (RFC 9293, 3.4). Two of them are compared correctly while
/// they are less than 2^31 apart.
struct Sequence
{
    uint32_t number{0};

    constexpr bool operator==(const Sequence&) const = default;
};

constexpr Sequence
operator+(Sequence from, uint32_t octets)
{
    return {from.number + octets};
}

/// @return how far a is ahead of b; negative if it is behind [B]
constexpr int32_t
operator-(Sequence a, Sequence b)
{
    return static_cast<int32_t>(a.number - b.number);
}

} // namespace ns3::study::tcp

#endif /* SEQUENCE_H */
