/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_H
#define FRAME_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::study
{

/// Octets of an Ethernet frame, written by hand.
using Frame = std::vector<uint8_t>;

constexpr std::size_t IP_AT = 14;             //!< where a frame has its packet
constexpr std::size_t TRANSPORT_AT = 14 + 20; //!< where that has its segment, without options

/// Put a number of two octets into a frame.
inline void
WriteNumber(Frame& frame, std::size_t at, uint32_t number)
{
    frame[at] = static_cast<uint8_t>(number >> 8);
    frame[at + 1] = static_cast<uint8_t>(number);
}

/// @return a number of two octets
inline uint32_t
ReadNumber(const Frame& frame, std::size_t at)
{
    return uint32_t{frame[at]} << 8 | frame[at + 1];
}

/// @return the Internet checksum of some octets of a frame (RFC 1071). @param sum of others
inline uint32_t
Checksum(const Frame& frame, std::size_t from, std::size_t to, uint32_t sum = 0)
{
    for (std::size_t at = from; at < to; ++at)
    {
        sum += uint32_t{frame[at]} << ((at - from) % 2 == 0 ? 8 : 0);
    }
    sum = (sum >> 16) + (sum & 0xffff);
    return ~((sum >> 16) + sum) & 0xffff;
}

/// Give a frame the checksums that belong to what it says, as far as it has room for them.
inline void
Seal(Frame& frame)
{
    if (frame.size() < TRANSPORT_AT || ReadNumber(frame, 12) != 0x0800)
    {
        return;
    }
    WriteNumber(frame, IP_AT + 10, 0);
    WriteNumber(frame, IP_AT + 10, Checksum(frame, IP_AT, TRANSPORT_AT));
    const uint8_t protocol = frame[IP_AT + 9];
    const bool isIcmp = protocol == 1;
    const std::size_t at = TRANSPORT_AT + (isIcmp ? 2 : protocol == 6 ? 16 : 6);
    const std::size_t end = std::min<std::size_t>(frame.size(), IP_AT + ReadNumber(frame, 16));
    if ((!isIcmp && protocol != 6 && protocol != 17) || end < at + 2)
    {
        return;
    }
    uint32_t sum = 0;
    for (std::size_t each = IP_AT + 12; !isIcmp && each < TRANSPORT_AT; each += 2)
    {
        sum += ReadNumber(frame, each);
    }
    sum += isIcmp ? 0 : protocol + static_cast<uint32_t>(end - TRANSPORT_AT);
    WriteNumber(frame, at, 0);
    WriteNumber(frame, at, Checksum(frame, TRANSPORT_AT, end, sum));
}

/// @return a frame with an IPv4 packet from 10.0.0.77 to 10.0.0.2, and its checksums
inline Frame
MakeFrame(uint8_t protocol, const Frame& payload)
{
    Frame frame{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2,        0, 0, 0,  0, 77, 8,  0,  0x45, 0, 0,
                0,    0,    7,    0,    0,    64,   protocol, 0, 0, 10, 0, 0,  77, 10, 0,    0, 2};
    frame.insert(frame.end(), payload.begin(), payload.end());
    WriteNumber(frame, 16, static_cast<uint32_t>(frame.size() - IP_AT));
    Seal(frame);
    return frame;
}

/// @return a frame with a SYN to the raw port
/// @param options of its header, a multiple of four octets
inline Frame
MakeSyn(const Frame& options = {})
{
    const auto offset = static_cast<uint8_t>((5 + options.size() / 4) << 4);
    Frame segment{0x12, 0x67, 0x23,   0x8c, 0,    0,    0, 1, 0, 0,
                  0,    0,    offset, 2,    0xfa, 0xf0, 0, 0, 0, 0};
    segment.insert(segment.end(), options.begin(), options.end());
    return MakeFrame(6, segment);
}

} // namespace ns3::study

#endif /* FRAME_H */
