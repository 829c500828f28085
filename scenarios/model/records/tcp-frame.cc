/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-frame.h"

#include "ns3/ethernet-header.h"
#include "ns3/ethernet-trailer.h"
#include "ns3/ipv4-header.h"

namespace ns3::study
{

std::optional<TcpFrame>
DecodeTcpFrame(Ptr<const Packet> frame)
{
    constexpr uint16_t etherTypeIpv4 = 0x0800;
    constexpr uint8_t protocolTcp = 6;
    Ptr<Packet> packet = frame->Copy();
    EthernetTrailer trailer;
    packet->RemoveTrailer(trailer);
    EthernetHeader ethernet(false);
    packet->RemoveHeader(ethernet);
    Ipv4Header ip;
    if (ethernet.GetLengthType() != etherTypeIpv4 || packet->RemoveHeader(ip) == 0 ||
        ip.GetProtocol() != protocolTcp)
    {
        return std::nullopt;
    }
    TcpFrame decoded;
    packet->RemoveHeader(decoded.header);
    // By IP's own count: a short frame is padded by the Ethernet.
    decoded.size = ip.GetPayloadSize() - decoded.header.GetSerializedSize();
    return decoded;
}

} // namespace ns3::study
