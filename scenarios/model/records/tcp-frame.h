/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_FRAME_H
#define TCP_FRAME_H

#include "ns3/packet.h"
#include "ns3/tcp-header.h"

#include <optional>

namespace ns3::study
{

/// What a frame says of the TCP segment in it.
struct TcpFrame
{
    TcpHeader header; //!< the segment's header
    uint32_t size;    //!< its payload [B]
};

/// @return the segment in an Ethernet frame with header and trailer, if it is TCP over IPv4
std::optional<TcpFrame> DecodeTcpFrame(Ptr<const Packet> frame);

} // namespace ns3::study

#endif /* TCP_FRAME_H */
