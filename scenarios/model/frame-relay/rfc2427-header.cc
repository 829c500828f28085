/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rfc2427-header.h"

#include <ios>

namespace ns3::study
{

namespace
{

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;
constexpr uint16_t IPV4 = 0x03cc;     // control: unnumbered information; NLPID of IPv4
constexpr uint16_t PADDED = 0x0300;   // the same control, and a pad before another NLPID
constexpr uint32_t SNAP = 0x80000000; // NLPID of SNAP, and the OUI that says: an EtherType follows

} // namespace

NS_OBJECT_ENSURE_REGISTERED(Rfc2427Header);

void
Rfc2427Header::Print(std::ostream& os) const
{
    os << "EtherType 0x" << std::hex << m_etherType << std::dec;
}

uint32_t
Rfc2427Header::GetSerializedSize() const
{
    constexpr uint32_t snapSize = sizeof(m_start) + sizeof(m_snap) + sizeof(m_etherType);
    return m_start == IPV4 ? SIZE : snapSize;
}

void
Rfc2427Header::Pass(OctetCursor& octets)
{
    octets.Pass(m_start);
    if (m_start == IPV4)
    {
        m_etherType = ETHERTYPE_IPV4;
        return;
    }
    octets.Pass(m_snap);
    octets.Pass(m_etherType);
}

uint32_t
Rfc2427Header::Deserialize(Buffer::Iterator start)
{
    const uint32_t size = OctetsHeader::Deserialize(start);
    return m_start == IPV4 || (m_start == PADDED && m_snap == SNAP) ? size : 0;
}

void
Rfc2427Header::SetEtherType(uint16_t etherType)
{
    m_etherType = etherType;
    m_start = etherType == ETHERTYPE_IPV4 ? IPV4 : PADDED;
    m_snap = SNAP;
}

uint16_t
Rfc2427Header::GetEtherType() const
{
    return m_etherType;
}

} // namespace ns3::study
