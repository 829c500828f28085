/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ipx-header.h"

#include <array>

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(IpxHeader);

namespace
{

/**
 * @param address what to write
 * @param i where to write it
 */
void
WriteAddress(const IpxAddress& address, Buffer::Iterator& i)
{
    std::array<uint8_t, 6> node;
    address.node.CopyTo(node.data());
    i.WriteHtonU32(address.network);
    i.Write(node.data(), node.size());
    i.WriteHtonU16(address.socket);
}

/// @return the address there
IpxAddress
ReadAddress(Buffer::Iterator& i)
{
    IpxAddress address;
    std::array<uint8_t, 6> node;
    address.network = i.ReadNtohU32();
    i.Read(node.data(), node.size());
    address.node.CopyFrom(node.data());
    address.socket = i.ReadNtohU16();
    return address;
}

} // namespace

void
IpxHeader::Serialize(Buffer::Iterator start) const
{
    constexpr uint16_t noChecksum = 0xffff;
    start.WriteHtonU16(noChecksum);
    start.WriteHtonU16(length);
    start.WriteU8(hops);
    start.WriteU8(type);
    WriteAddress(destination, start);
    WriteAddress(source, start);
}

void
IpxHeader::Read(Buffer::Iterator start)
{
    start.ReadNtohU16(); // the checksum
    length = start.ReadNtohU16();
    hops = start.ReadU8();
    type = start.ReadU8();
    destination = ReadAddress(start);
    source = ReadAddress(start);
}

void
IpxHeader::Print(std::ostream& os) const
{
    os << std::hex << source.network << "." << source.node << "." << source.socket << " > "
       << destination.network << "." << destination.node << "." << destination.socket << std::dec
       << " length " << length << " hops " << unsigned{hops} << " type " << unsigned{type};
}

} // namespace ns3::study
