/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "segment-fields.h"

#include "ns3/assert.h"

#include <array>

namespace ns3::study
{

SegmentFields
SegmentFields::Of(Ptr<const Packet> segment)
{
    constexpr uint32_t fixed = 20; // octets before the options
    std::array<uint8_t, fixed> octets{};
    [[maybe_unused]] const uint32_t copied = segment->CopyData(octets.data(), fixed);
    NS_ASSERT_MSG(copied == fixed, "a segment of " << copied << " octets");
    const auto number = [&octets](size_t place) {
        return static_cast<uint16_t>(octets[place] << 8 | octets[place + 1]);
    };
    constexpr uint32_t word = 4;
    const uint32_t header = word * (octets[12] >> 4);
    return {.sourcePort = number(0),
            .destinationPort = number(2),
            .sequence = SequenceNumber32(uint32_t{number(4)} << 16 | number(6)),
            .flags = octets[13],
            .window = number(14),
            .payload = segment->GetSize() - header};
}

} // namespace ns3::study
