/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-relay-header.h"

#include "ns3/assert.h"

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(FrameRelayHeader);

TypeId
FrameRelayHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::FrameRelayHeader")
                            .SetParent<Header>()
                            .SetGroupName("Study")
                            .AddConstructor<FrameRelayHeader>();
    return tid;
}

TypeId
FrameRelayHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
FrameRelayHeader::Print(std::ostream& os) const
{
    os << "dlci " << GetDlci() << (HasBit(FECN) ? " fecn" : "") << (HasBit(BECN) ? " becn" : "")
       << (HasBit(DISCARD_ELIGIBLE) ? " de" : "");
}

uint32_t
FrameRelayHeader::GetSerializedSize() const
{
    return sizeof(m_field);
}

void
FrameRelayHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(m_field);
}

uint32_t
FrameRelayHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < GetSerializedSize())
    {
        return 0;
    }
    constexpr uint16_t extension = 0x0101; // EA of both octets
    constexpr uint16_t lastOctet = 0x0001; // their values where the field has two
    m_field = start.ReadNtohU16();
    return (m_field & extension) == lastOctet ? GetSerializedSize() : 0;
}

void
FrameRelayHeader::SetBit(Bit bit, bool on)
{
    m_field = on ? m_field | bit : m_field & ~bit;
}

bool
FrameRelayHeader::HasBit(Bit bit) const
{
    return (m_field & bit) != 0;
}

void
FrameRelayHeader::SetDlci(uint16_t dlci)
{
    NS_ASSERT_MSG(dlci <= MAX_DLCI, "a DLCI has ten bits, not " << dlci);
    constexpr uint16_t otherBits = 0x030f;
    m_field = (m_field & otherBits) | (dlci >> 4 << 10) | (dlci & 0x0f) << 4;
}

uint16_t
FrameRelayHeader::GetDlci() const
{
    return (m_field >> 10 << 4) | (m_field >> 4 & 0x0f);
}

} // namespace ns3::study
