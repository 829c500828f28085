/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rfc2427-header.h"

#include <ios>

namespace ns3::study
{

namespace
{

constexpr uint8_t UNNUMBERED_INFORMATION = 0x03;
constexpr uint8_t PAD = 0x00;
constexpr uint8_t NLPID_IPV4 = 0xcc;
constexpr uint8_t NLPID_SNAP = 0x80;
constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;
constexpr uint32_t IPV4_SIZE = 2; // control, NLPID
constexpr uint32_t SNAP_SIZE = 8; // control, pad, NLPID, OUI (3), EtherType (2)

} // namespace

NS_OBJECT_ENSURE_REGISTERED(Rfc2427Header);

TypeId
Rfc2427Header::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::Rfc2427Header")
                            .SetParent<Header>()
                            .SetGroupName("Study")
                            .AddConstructor<Rfc2427Header>();
    return tid;
}

TypeId
Rfc2427Header::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
Rfc2427Header::Print(std::ostream& os) const
{
    os << "EtherType 0x" << std::hex << m_etherType << std::dec;
}

uint32_t
Rfc2427Header::GetSerializedSize() const
{
    return m_etherType == ETHERTYPE_IPV4 ? IPV4_SIZE : SNAP_SIZE;
}

void
Rfc2427Header::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(UNNUMBERED_INFORMATION);
    if (m_etherType == ETHERTYPE_IPV4)
    {
        start.WriteU8(NLPID_IPV4);
        return;
    }
    start.WriteU8(PAD);
    start.WriteU8(NLPID_SNAP);
    start.WriteU8(0, 3); // the OUI that says: an EtherType follows
    start.WriteHtonU16(m_etherType);
}

uint32_t
Rfc2427Header::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < IPV4_SIZE || start.ReadU8() != UNNUMBERED_INFORMATION)
    {
        return 0;
    }
    const uint8_t second = start.ReadU8();
    if (second == NLPID_IPV4)
    {
        m_etherType = ETHERTYPE_IPV4;
        return IPV4_SIZE;
    }
    if (second != PAD || start.GetRemainingSize() < SNAP_SIZE - 2 || start.ReadU8() != NLPID_SNAP ||
        start.ReadU8() != 0 || start.ReadU16() != 0)
    {
        return 0;
    }
    m_etherType = start.ReadNtohU16();
    return SNAP_SIZE;
}

void
Rfc2427Header::SetEtherType(uint16_t etherType)
{
    m_etherType = etherType;
}

uint16_t
Rfc2427Header::GetEtherType() const
{
    return m_etherType;
}

} // namespace ns3::study
