/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEGMENT_HEADER_H
#define SEGMENT_HEADER_H

#include "model/connection/segment.h"

#include "ns3/packet.h"
#include "ns3/tcp-header.h"

#include <optional>

namespace ns3::study
{

/// Read a segment's header without making an object of each option, as TcpHeader does.
/// @return nothing if it is malformed
std::optional<tcp::Segment> ReadSegment(Ptr<const Packet> packet);

/// @return the header of a segment, without ports; options in the order and alignment of Linux's
TcpHeader MakeTcpHeader(const tcp::Segment& segment);

} // namespace ns3::study

#endif /* SEGMENT_HEADER_H */
