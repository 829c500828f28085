/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_NOTATION_H
#define PACKET_NOTATION_H

#include "ns3/attribute.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::study
{

/// @return a checker of a StringValue that is a list of packet numbers, as in 5,17; or empty
Ptr<const AttributeChecker> MakePacketListChecker();

/// @return the numbers of a list, in ascending order and each once; empty if it is no such list
std::vector<uint32_t> ReadPacketList(const std::string& text);

/// @return the numbers as such a list
std::string FormatPacketList(const std::vector<uint32_t>& numbers);

/// @return the room of a queue, in packets (100p) or bytes (64000B, 64kB, 1MB); nothing if it is
/// none
std::optional<QueueSize> ReadQueueSize(const std::string& text);

} // namespace ns3::study

#endif /* PACKET_NOTATION_H */
