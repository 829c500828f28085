/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ipx-header.h"

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(IpxHeader);

void
IpxHeader::Pass(OctetCursor& octets)
{
    octets.PassConstant<uint16_t>(0xffff); // no checksum
    octets.Pass(length);
    octets.Pass(hops);
    octets.PassConstant(TYPE_NCP);
    for (IpxAddress* address : {&destination, &source})
    {
        octets.Pass(address->network);
        octets.Pass(address->node);
        octets.Pass(address->socket);
    }
}

void
IpxHeader::Print(std::ostream& os) const
{
    os << std::hex << source.network << "." << source.node << "." << source.socket << " > "
       << destination.network << "." << destination.node << "." << destination.socket << std::dec
       << " length " << length << " hops " << unsigned{hops};
}

} // namespace ns3::study
