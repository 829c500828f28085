/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-gate.h"

#include <algorithm>
#include <span>

namespace ns3::study
{

namespace
{

using Octets = std::span<const uint8_t>;

constexpr std::size_t ETHERNET_HEADER = 14;
constexpr std::size_t LARGEST_PACKET = 1500; //!< Ethernet's MTU
constexpr std::size_t IPV4_HEADER = 20;
constexpr std::size_t TCP_HEADER = 20;
constexpr std::size_t UDP_HEADER = 8;
constexpr std::size_t ICMP_HEADER = 8;
constexpr std::size_t QUOTED = 8; //!< of a datagram, in an ICMP error (RFC 792)

/// @return the number of two octets
uint32_t
ReadNumber(Octets octets, std::size_t at)
{
    return uint32_t{octets[at]} << 8 | octets[at + 1];
}

/// @return the one's complement sum of octets, without carry (RFC 1071)
uint32_t
Sum(Octets octets)
{
    uint32_t sum = 0;
    for (std::size_t at = 0; at < octets.size(); ++at)
    {
        sum += uint32_t{octets[at]} << (at % 2 == 0 ? 8 : 0);
    }
    return sum;
}

/// @return true if what was summed up has its checksum in it
bool
IsWhole(uint32_t sum)
{
    constexpr uint32_t all = 0xffff;
    sum = (sum >> 16) + (sum & all);
    return (sum >> 16) + (sum & all) == all;
}

/// @return the sum of the header that a transport's checksum is made with (RFC 9293, 3.1)
uint32_t
SumPseudoHeader(Octets header, Octets payload)
{
    constexpr std::size_t addresses = 12;
    return Sum(header.subspan(addresses)) + header[9] + static_cast<uint32_t>(payload.size());
}

/// @return true if the address that begins there can be of an interface (RFC 1122, 3.2.1.3)
bool
IsOfInterface(Octets octets, std::size_t at)
{
    constexpr uint8_t thisNetwork = 0;
    constexpr uint8_t loopback = 127;
    constexpr uint8_t firstMulticast = 224; // and all that are reserved, and the broadcast
    return octets[at] != thisNetwork && octets[at] != loopback && octets[at] < firstMulticast;
}

/// @return true for a request or a reply that asks for an IPv4 address on an Ethernet (RFC 826)
bool
IsArp(Octets octets)
{
    constexpr uint8_t start[] = {0, 1, 8, 0, 6, 4, 0};
    constexpr std::size_t size = 28;
    return octets.size() >= size && std::equal(std::begin(start), std::end(start), octets.data()) &&
           (octets[7] == 1 || octets[7] == 2) && IsOfInterface(octets, 14);
}

/// @return true if an option of a TCP header has a length that its kind allows
bool
HasLengthOfKind(uint8_t kind, std::size_t length)
{
    switch (kind)
    {
    case 2: // MSS, RFC 9293, 3.2
        return length == 4;
    case 3: // window scale, RFC 7323, 2.2
        return length == 3;
    case 4: // SACK permitted, RFC 2018, 2
        return length == 2;
    case 5: // SACK, RFC 2018, 3
        return length >= 10 && length % 8 == 2;
    case 8: // timestamps, RFC 7323, 3.2
        return length == 10;
    default:
        return length >= 2;
    }
}

/// @return true if the options of a TCP header fill it
bool
AreOptions(Octets octets)
{
    constexpr uint8_t end = 0;
    constexpr uint8_t noOperation = 1;
    while (!octets.empty())
    {
        if (octets[0] == end)
        {
            return octets.size() < 4; // ns-3 takes a longer padding for payload
        }
        if (octets[0] == noOperation)
        {
            octets = octets.subspan(1);
            continue;
        }
        if (octets.size() < 2 || octets[1] > octets.size() ||
            !HasLengthOfKind(octets[0], octets[1]))
        {
            return false;
        }
        octets = octets.subspan(octets[1]);
    }
    return true;
}

/// @param pseudoHeader its sum
bool
IsTcp(Octets octets, uint32_t pseudoHeader)
{
    if (octets.size() < TCP_HEADER)
    {
        return false;
    }
    const std::size_t header = (octets[12] >> 4) * std::size_t{4};
    return header >= TCP_HEADER && header <= octets.size() &&
           AreOptions(octets.subspan(TCP_HEADER, header - TCP_HEADER)) &&
           IsWhole(pseudoHeader + Sum(octets));
}

/// @param pseudoHeader its sum
bool
IsUdp(Octets octets, uint32_t pseudoHeader)
{
    return octets.size() >= UDP_HEADER && ReadNumber(octets, 4) == octets.size() &&
           (ReadNumber(octets, 6) == 0 ||
            IsWhole(pseudoHeader + Sum(octets))); // RFC 768: 0 is none
}

/// @return true for a header that has no options and states no more than there is
bool
IsIpv4Header(Octets octets)
{
    constexpr uint8_t versionAndLength = 0x45;
    return octets.size() >= IPV4_HEADER && octets[0] == versionAndLength &&
           ReadNumber(octets, 2) >= IPV4_HEADER;
}

bool
IsIcmp(Octets octets)
{
    if (octets.size() < ICMP_HEADER || !IsWhole(Sum(octets)))
    {
        return false;
    }
    switch (octets[0])
    {
    case 0: // echo reply
    case 8: // echo
        return true;
    case 3:  // destination unreachable
    case 11: // time exceeded
        return octets.size() >= ICMP_HEADER + IPV4_HEADER + QUOTED &&
               IsIpv4Header(octets.subspan(ICMP_HEADER));
    default:
        return false;
    }
}

bool
IsIpv4(Octets octets)
{
    constexpr uint32_t fragment = 0x3fff; // more fragments, and the offset
    if (!IsIpv4Header(octets) || ReadNumber(octets, 2) > octets.size() ||
        (ReadNumber(octets, 6) & fragment) != 0 || !IsWhole(Sum(octets.first(IPV4_HEADER))) ||
        !IsOfInterface(octets, 12))
    {
        return false;
    }
    // An Ethernet's frame has a least size: what is behind the packet is padding.
    const Octets payload = octets.subspan(IPV4_HEADER, ReadNumber(octets, 2) - IPV4_HEADER);
    const uint32_t pseudoHeader = SumPseudoHeader(octets.first(IPV4_HEADER), payload);
    switch (octets[9])
    {
    case 1:
        return IsIcmp(payload);
    case 6:
        return IsTcp(payload, pseudoHeader);
    case 17:
        return IsUdp(payload, pseudoHeader);
    default:
        return false;
    }
}

} // namespace

bool
IsReadable(const uint8_t* frame, std::size_t length)
{
    if (length < ETHERNET_HEADER || length > ETHERNET_HEADER + LARGEST_PACKET)
    {
        return false;
    }
    const Octets octets(frame, length);
    const Octets packet = octets.subspan(ETHERNET_HEADER);
    constexpr uint32_t ipv4 = 0x0800;
    constexpr uint32_t arp = 0x0806;
    const uint32_t type = ReadNumber(octets, 12);
    return type == ipv4 ? IsIpv4(packet) : type == arp && IsArp(packet);
}

} // namespace ns3::study
