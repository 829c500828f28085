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

/// Pass the connection's number, whose two octets stand on either side of the task's.
void
PassConnectionAndTask(OctetCursor& octets)
{
    octets.PassConstant(ncp::CONNECTION);
    octets.PassConstant(ncp::TASK);
    octets.PassConstant<uint8_t>(0);
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
    PassConnectionAndTask(octets);
    octets.PassConstant(ncp::READ_FROM_A_FILE);
    octets.PassConstant<uint8_t>(0); // not used
    octets.PassConstant<uint16_t>(0);
    octets.PassConstant(ncp::HANDLE);
    octets.Pass(offset);
    octets.Pass(size);
}

void
NcpReadRequestHeader::Print(std::ostream& os) const
{
    os << "request " << unsigned{sequence} << " offset " << offset << " size " << size;
}

void
NcpReadReplyHeader::Pass(OctetCursor& octets)
{
    octets.PassConstant(ncp::REPLY);
    octets.Pass(sequence);
    PassConnectionAndTask(octets);
    octets.PassConstant<uint16_t>(0); // completed, and the connection is as it should be
    octets.Pass(size);
}

void
NcpReadReplyHeader::Print(std::ostream& os) const
{
    os << "reply " << unsigned{sequence} << " size " << size;
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
    octets.PassConstant<uint32_t>(ncp::CONNECTION); // the sender's number of it
    octets.PassConstant<uint32_t>(ncp::CONNECTION); // the receiver's
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
    octets.PassConstant(ncp::HANDLE);
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
    octets.PassConstant<uint32_t>(0, std::endian::little); // no error
    octets.Pass(size);
}

void
BurstReadResultHeader::Print(std::ostream& os) const
{
    os << "result size " << size;
}

} // namespace ns3::study
