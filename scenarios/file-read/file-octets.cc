/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "file-octets.h"

#include "ns3/uinteger.h"

#include <vector>

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(FileRead);

namespace
{

/// @param index of eight octets in the file
/// @return the eight; no two indices have the same (splitmix64, Steele, Lea and Flood 2014)
uint64_t
Word(uint64_t index)
{
    uint64_t z = index * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/// @return so many octets of the file from there on
std::vector<uint8_t>
Octets(uint64_t offset, uint32_t size)
{
    std::vector<uint8_t> octets(size);
    uint64_t word = Word(offset / 8);
    for (uint32_t i = 0; i < size; ++i)
    {
        const uint64_t place = offset + i;
        if (place % 8 == 0)
        {
            word = Word(place / 8);
        }
        octets[i] = word >> (8 * (place % 8));
    }
    return octets;
}

} // namespace

TypeId
FileRead::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::FileRead")
                            .SetParent<Object>()
                            .SetGroupName("Study")
                            .AddConstructor<FileRead>()
                            .AddAttribute("FileSize",
                                          "Size of the file to read [B]",
                                          UintegerValue(1000000),
                                          MakeUintegerAccessor(&FileRead::m_fileSize),
                                          MakeUintegerChecker<uint64_t>(1, 2000000000));
    return tid;
}

Ptr<Packet>
MakeFileOctets(uint64_t offset, uint32_t size)
{
    return Create<Packet>(Octets(offset, size).data(), size);
}

bool
AreFileOctets(Ptr<const Packet> packet, uint64_t offset)
{
    std::vector<uint8_t> given(packet->GetSize());
    packet->CopyData(given.data(), given.size());
    return given == Octets(offset, given.size());
}

} // namespace ns3::study
