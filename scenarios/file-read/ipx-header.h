/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IPX_HEADER_H
#define IPX_HEADER_H

#include "model/core/octets-header.h"

#include "ns3/mac48-address.h"

#include <cstdint>

namespace ns3::study
{

/// Where an IPX packet comes from or goes to.
struct IpxAddress
{
    uint32_t network{0}; //!< number of the network
    Mac48Address node;   //!< address of the interface
    uint16_t socket{0};  //!< who is meant on the node
};

/// The 30 octets before every IPX packet.
///
/// Checksum (always FFFF: none), length, transport control (the routers crossed), packet type
/// (always NCP's), destination and source; all big-endian (Novell, IPX Router Specification,
/// section 2).
class IpxHeader : public OctetsHeader<IpxHeader>
{
  public:
    static constexpr auto NAME = "ns3::study::IpxHeader"; //!< of its type
    /// EtherType of IPX in an Ethernet II frame.
    static constexpr uint16_t ETHER_TYPE = 0x8137;
    /// Size of the header [B].
    static constexpr uint32_t SIZE = 30;
    /// Packet type of NCP.
    static constexpr uint8_t TYPE_NCP = 17;

    void Print(std::ostream& os) const override;
    void Pass(OctetCursor& octets);

    uint16_t length{SIZE};  //!< header and payload, without the Ethernet's padding [B]
    uint8_t hops{0};        //!< transport control: the routers crossed
    IpxAddress destination; //!< where to
    IpxAddress source;      //!< where from
};

} // namespace ns3::study

#endif /* IPX_HEADER_H */
