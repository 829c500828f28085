/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ncp-header.h"

#include <array>

namespace ns3
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

TypeId
NcpReadRequestHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::NcpReadRequestHeader")
                            .SetParent<Header>()
                            .SetGroupName("Study")
                            .AddConstructor<NcpReadRequestHeader>();
    return tid;
}

TypeId
NcpReadRequestHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
NcpReadRequestHeader::GetSerializedSize() const
{
    return 20;
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

uint32_t
NcpReadRequestHeader::Deserialize(Buffer::Iterator start)
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
    return GetSerializedSize();
}

void
NcpReadRequestHeader::Print(std::ostream& os) const
{
    os << "request " << unsigned{sequence} << " function " << unsigned{function} << " offset "
       << offset << " size " << size;
}

TypeId
NcpReadReplyHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::NcpReadReplyHeader")
                            .SetParent<Header>()
                            .SetGroupName("Study")
                            .AddConstructor<NcpReadReplyHeader>();
    return tid;
}

TypeId
NcpReadReplyHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
NcpReadReplyHeader::GetSerializedSize() const
{
    return ncp::REPLY_SIZE;
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

uint32_t
NcpReadReplyHeader::Deserialize(Buffer::Iterator start)
{
    start.Next(2);
    sequence = start.ReadU8();
    connection = start.ReadU8();
    task = start.ReadU8();
    connection |= start.ReadU8() << 8;
    completionCode = start.ReadU8();
    connectionStatus = start.ReadU8();
    size = start.ReadNtohU16();
    return GetSerializedSize();
}

void
NcpReadReplyHeader::Print(std::ostream& os) const
{
    os << "reply " << unsigned{sequence} << " code " << unsigned{completionCode} << " size "
       << size;
}

TypeId
BurstHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::BurstHeader")
                            .SetParent<Header>()
                            .SetGroupName("Study")
                            .AddConstructor<BurstHeader>();
    return tid;
}

TypeId
BurstHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
BurstHeader::GetSerializedSize() const
{
    return ncp::BURST_HEADER_SIZE + 6 * missing.size();
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

uint32_t
BurstHeader::Deserialize(Buffer::Iterator start)
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

TypeId
BurstReadHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::BurstReadHeader")
                            .SetParent<Header>()
                            .SetGroupName("Study")
                            .AddConstructor<BurstReadHeader>();
    return tid;
}

TypeId
BurstReadHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
BurstReadHeader::GetSerializedSize() const
{
    return 24;
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

uint32_t
BurstReadHeader::Deserialize(Buffer::Iterator start)
{
    start.Next(4); // the function: nothing but reads is sent here
    handle = start.ReadNtohU32();
    start.Next(8);
    offset = start.ReadNtohU32();
    size = start.ReadNtohU32();
    return GetSerializedSize();
}

void
BurstReadHeader::Print(std::ostream& os) const
{
    os << "read offset " << offset << " size " << size;
}

TypeId
BurstReadResultHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::BurstReadResultHeader")
                            .SetParent<Header>()
                            .SetGroupName("Study")
                            .AddConstructor<BurstReadResultHeader>();
    return tid;
}

TypeId
BurstReadResultHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
BurstReadResultHeader::GetSerializedSize() const
{
    return ncp::BURST_RESULT_SIZE;
}

void
BurstReadResultHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtolsbU32(result);
    start.WriteHtonU32(size);
}

uint32_t
BurstReadResultHeader::Deserialize(Buffer::Iterator start)
{
    result = start.ReadLsbtohU32();
    size = start.ReadNtohU32();
    return GetSerializedSize();
}

void
BurstReadResultHeader::Print(std::ostream& os) const
{
    os << "result " << result << " size " << size;
}

} // namespace ns3
