// SPDX-License-Identifier: GPL-2.0-only
//
// What a host leaves to its interface.

#include "offload.h"

#include <algorithm>

namespace
{

// Places in the headers [B], numbers in them, and flags of TCP that only the last part has.
constexpr size_t TOTAL_LENGTH = 2;
constexpr size_t IDENTIFICATION = 4;
constexpr size_t HEADER_CHECKSUM = 10;
constexpr size_t SEQUENCE = 4;
constexpr size_t DATA_OFFSET = 12;
constexpr size_t FLAGS = 13;
constexpr uint8_t FIN_AND_PSH = 0x01 | 0x08;
constexpr uint8_t CWR = 0x80; // that only the first has
constexpr size_t PROTOCOL = 9;
constexpr uint8_t TCP = 6;
constexpr size_t LEAST_HEADER = 20; // of IPv4, and of TCP

// Places in struct virtio_net_hdr, whose numbers are in the order of the host.
constexpr size_t GSO_TYPE = 1;
constexpr size_t HEADER_LENGTH = 2;
constexpr size_t GSO_SIZE = 4;
constexpr uint8_t GSO_TCPV4 = 1;
constexpr uint8_t GSO_ECN = 0x80; // besides the type: the packet has CWR

uint32_t
Number(const Octets& octets, size_t place, size_t count)
{
    uint32_t number = 0;
    for (size_t i = 0; i < count; ++i)
    {
        number = number << 8 | octets[place + i];
    }
    return number;
}

void
Set(Octets& octets, size_t place, size_t count, uint32_t number)
{
    for (size_t i = count; i-- > 0; number >>= 8)
    {
        octets[place + i] = number & 0xff;
    }
}

/// The checksum of an IPv4 header (RFC 791, 3.1).
void
SetHeaderChecksum(Octets& octets, size_t length)
{
    Set(octets, HEADER_CHECKSUM, 2, 0);
    uint32_t sum = 0;
    for (size_t i = 0; i < length; i += 2)
    {
        sum += Number(octets, i, 2);
    }
    while (sum >> 16)
    {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    Set(octets, HEADER_CHECKSUM, 2, ~sum & 0xffff);
}

/// \return the headers of a packet of TCP over IPv4 [B]; 0 for any other
size_t
Headers(const Octets& packet)
{
    if (packet.size() < LEAST_HEADER || packet[0] >> 4 != 4 || packet[PROTOCOL] != TCP)
    {
        return 0;
    }
    const size_t network = (packet[0] & 15) * 4;
    if (network < LEAST_HEADER || packet.size() < network + LEAST_HEADER)
    {
        return 0;
    }
    const size_t transport = (packet[network + DATA_OFFSET] >> 4) * 4;
    return transport < LEAST_HEADER ? 0 : network + transport;
}

} // namespace

size_t
SegmentSize(const OffloadHeader& header)
{
    const bool tcp = (header[GSO_TYPE] & ~GSO_ECN) == GSO_TCPV4;
    return tcp ? header[GSO_SIZE] | header[GSO_SIZE + 1] << 8 : 0;
}

OffloadHeader
HeaderOfPart(OffloadHeader header)
{
    for (size_t place : {GSO_TYPE, HEADER_LENGTH, HEADER_LENGTH + 1, GSO_SIZE, GSO_SIZE + 1})
    {
        header[place] = 0;
    }
    return header;
}

std::vector<Octets>
Cut(const Octets& packet, size_t size)
{
    const size_t headers = Headers(packet);
    if (size == 0 || headers == 0 || packet.size() <= headers)
    {
        return {packet};
    }
    const size_t network = (packet[0] & 15) * 4;
    std::vector<Octets> parts;
    for (size_t begin = headers; begin < packet.size(); begin += size)
    {
        const size_t end = std::min(begin + size, packet.size());
        Octets part(packet.begin(), packet.begin() + headers);
        part.insert(part.end(), packet.begin() + begin, packet.begin() + end);
        Set(part, TOTAL_LENGTH, 2, part.size());
        Set(part, IDENTIFICATION, 2, Number(packet, IDENTIFICATION, 2) + parts.size());
        SetHeaderChecksum(part, network);
        const uint32_t sequence = Number(packet, network + SEQUENCE, 4);
        Set(part, network + SEQUENCE, 4, sequence + (begin - headers));
        if (end < packet.size())
        {
            part[network + FLAGS] &= ~FIN_AND_PSH;
        }
        if (begin > headers)
        {
            part[network + FLAGS] &= ~CWR;
        }
        parts.push_back(std::move(part));
    }
    return parts;
}
