/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ncp-header.h"

#include <array>

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(NcpReadRequestHeader);
NS_OBJECT_ENSURE_REGISTERED(NcpReadReplyHeader);
NS_OBJECT_ENSURE_REGISTERED(BurstHeader);
NS_OBJECT_ENSURE_REGISTERED(BurstReadHeader);
NS_OBJECT_ENSURE_REGISTERED(BurstReadResultHeader);

uint16_t
ncp::GetPacketType(Ptr<const Packet> packet)
{
    std::array<uint8_t, 2> type{};
    packet->CopyData(type.data(), type.size());
    return type[0] << 8 | type[1];
}

void
NcpReadRequestHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(ncp::REQUEST);
    start.WriteU8(sequence);
    start.WriteU8(connection & 0xff);
    start.WriteU8(task);
    start.WriteU8(connection >> 8);
    start.WriteU8(function);
    start.WriteU8(0); // not used
    start.WriteHtonU16(0);
    start.WriteHtonU32(handle);
    start.WriteHtonU32(offset);
    start.WriteHtonU16(size);
}

void
NcpReadRequestHeader::Read(Buffer::Iterator start)
{
    start.Next(2);
    sequence = start.ReadU8();
    connection = start.ReadU8();
    task = start.ReadU8();
    connection |= start.ReadU8() << 8;
    function = start.ReadU8();
    start.Next(3);
    handle = start.ReadNtohU32();
    offset = start.ReadNtohU32();
    size = start.ReadNtohU16();
}

void
NcpReadRequestHeader::Print(std::ostream& os) const
{
    os << "request " << unsigned{sequence} << " function " << unsigned{function} << " offset "
       << offset << " size " << size;
}

void
NcpReadReplyHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(ncp::REPLY);
    start.WriteU8(sequence);
    start.WriteU8(connection & 0xff);
    start.WriteU8(task);
    start.WriteU8(connection >> 8);
    start.WriteU8(completionCode);
    start.WriteU8(connectionStatus);
    start.WriteHtonU16(size);
}

void
NcpReadReplyHeader::Read(Buffer::Iterator start)
{
    start.Next(2);
    sequence = start.ReadU8();
    connection = start.ReadU8();
    task = start.ReadU8();
    connection |= start.ReadU8() << 8;
    completionCode = start.ReadU8();
    connectionStatus = start.ReadU8();
    size = start.ReadNtohU16();
}

void
NcpReadReplyHeader::Print(std::ostream& os) const
{
    os << "reply " << unsigned{sequence} << " code " << unsigned{completionCode} << " size "
       << size;
}

uint32_t
BurstHeader::GetSerializedSize() const
{
    return SIZE + 6 * missing.size();
}

void
BurstHeader::Serialize(Buffer::Iterator start) const
{
    constexpr uint8_t bigSendBurst = 2;
    start.WriteHtonU16(ncp::BURST);
    start.WriteU8(flags);
    start.WriteU8(bigSendBurst);
    start.WriteHtonU32(sourceConnection);
    start.WriteHtonU32(destinationConnection);
    start.WriteHtonU32(packetSequence);
    start.WriteHtonU32(delayTime);
    start.WriteHtonU16(burstSequence);
    start.WriteHtonU16(ackSequence);
    start.WriteHtonU32(burstLength);
    start.WriteHtonU32(fragmentOffset);
    start.WriteHtonU16(fragmentLength);
    start.WriteHtonU16(missing.size());
    for (const auto& range : missing)
    {
        start.WriteHtonU32(range.offset);
        start.WriteHtonU16(range.size);
    }
}

void
BurstHeader::Read(Buffer::Iterator start)
{
    start.Next(2);
    flags = start.ReadU8();
    start.Next(1); // the stream's type
    sourceConnection = start.ReadNtohU32();
    destinationConnection = start.ReadNtohU32();
    packetSequence = start.ReadNtohU32();
    delayTime = start.ReadNtohU32();
    burstSequence = start.ReadNtohU16();
    ackSequence = start.ReadNtohU16();
    burstLength = start.ReadNtohU32();
    fragmentOffset = start.ReadNtohU32();
    fragmentLength = start.ReadNtohU16();
    missing.resize(start.ReadNtohU16());
}

uint32_t
BurstHeader::Deserialize(Buffer::Iterator start)
{
    missing.clear();
    if (OctetsHeader::Deserialize(start) == 0 ||
        start.GetRemainingSize() < GetSerializedSize()) // more is listed than is there
    {
        return 0;
    }
    start.Next(SIZE);
    for (auto& range : missing)
    {
        range.offset = start.ReadNtohU32();
        range.size = start.ReadNtohU16();
    }
    return GetSerializedSize();
}

void
BurstHeader::Print(std::ostream& os) const
{
    os << "burst " << burstSequence << " length " << burstLength << " fragment " << fragmentOffset
       << " + " << fragmentLength << " missing " << missing.size();
}

void
BurstReadHeader::Serialize(Buffer::Iterator start) const
{
    constexpr uint32_t read = 1;
    start.WriteHtolsbU32(read);
    start.WriteHtonU32(handle);
    start.WriteU64(0); // reserved
    start.WriteHtonU32(offset);
    start.WriteHtonU32(size);
}

void
BurstReadHeader::Read(Buffer::Iterator start)
{
    start.Next(4); // the function: nothing but reads is sent here
    handle = start.ReadNtohU32();
    start.Next(8);
    offset = start.ReadNtohU32();
    size = start.ReadNtohU32();
}

void
BurstReadHeader::Print(std::ostream& os) const
{
    os << "read offset " << offset << " size " << size;
}

void
BurstReadResultHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtolsbU32(result);
    start.WriteHtonU32(size);
}

void
BurstReadResultHeader::Read(Buffer::Iterator start)
{
    result = start.ReadLsbtohU32();
    size = start.ReadNtohU32();
}

void
BurstReadResultHeader::Print(std::ostream& os) const
{
    os << "result " << result << " size " << size;
}

} // namespace ns3::study
