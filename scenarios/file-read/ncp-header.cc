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

namespace
{

/// Pass a connection's number, whose two octets stand on either side of the task's.
void
PassConnectionAndTask(OctetCursor& octets, uint16_t& connection, uint8_t& task)
{
    uint8_t low = connection & 0xff;
    uint8_t high = connection >> 8;
    octets.Pass(low);
    octets.Pass(task);
    octets.Pass(high);
    connection = high << 8 | low;
}

} // namespace

uint16_t
ncp::GetPacketType(Ptr<const Packet> packet)
{
    std::array<uint8_t, 2> type{};
    packet->CopyData(type.data(), type.size());
    return type[0] << 8 | type[1];
}

void
NcpReadRequestHeader::Pass(OctetCursor& octets)
{
    octets.PassConstant(ncp::REQUEST);
    octets.Pass(sequence);
    PassConnectionAndTask(octets, connection, task);
    octets.Pass(function);
    octets.PassConstant<uint8_t>(0); // not used
    octets.PassConstant<uint16_t>(0);
    octets.Pass(handle);
    octets.Pass(offset);
    octets.Pass(size);
}

void
NcpReadRequestHeader::Print(std::ostream& os) const
{
    os << "request " << unsigned{sequence} << " function " << unsigned{function} << " offset "
       << offset << " size " << size;
}

void
NcpReadReplyHeader::Pass(OctetCursor& octets)
{
    octets.PassConstant(ncp::REPLY);
    octets.Pass(sequence);
    PassConnectionAndTask(octets, connection, task);
    octets.Pass(completionCode);
    octets.Pass(connectionStatus);
    octets.Pass(size);
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
BurstHeader::Pass(OctetCursor& octets)
{
    constexpr uint8_t bigSendBurst = 2;
    octets.PassConstant(ncp::BURST);
    octets.Pass(flags);
    octets.PassConstant(bigSendBurst);
    octets.Pass(sourceConnection);
    octets.Pass(destinationConnection);
    octets.Pass(packetSequence);
    octets.Pass(delayTime);
    octets.Pass(burstSequence);
    octets.Pass(ackSequence);
    octets.Pass(burstLength);
    octets.Pass(fragmentOffset);
    octets.Pass(fragmentLength);
    auto ranges = static_cast<uint16_t>(missing.size());
    octets.Pass(ranges);
    missing.resize(ranges);
    for (auto& range : missing)
    {
        octets.Pass(range.offset);
        octets.Pass(range.size);
    }
}

void
BurstHeader::Print(std::ostream& os) const
{
    os << "burst " << burstSequence << " length " << burstLength << " fragment " << fragmentOffset
       << " + " << fragmentLength << " missing " << missing.size();
}

void
BurstReadHeader::Pass(OctetCursor& octets)
{
    constexpr uint32_t read = 1; // nothing but reads is sent here
    octets.PassConstant(read, std::endian::little);
    octets.Pass(handle);
    octets.PassConstant<uint64_t>(0); // reserved
    octets.Pass(offset);
    octets.Pass(size);
}

void
BurstReadHeader::Print(std::ostream& os) const
{
    os << "read offset " << offset << " size " << size;
}

void
BurstReadResultHeader::Pass(OctetCursor& octets)
{
    octets.Pass(result, std::endian::little);
    octets.Pass(size);
}

void
BurstReadResultHeader::Print(std::ostream& os) const
{
    os << "result " << result << " size " << size;
}

} // namespace ns3::study
