/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-relay-header.h"

#include "ns3/assert.h"

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(FrameRelayHeader);

void
FrameRelayHeader::Print(std::ostream& os) const
{
    os << "dlci " << GetDlci() << (HasBit(FECN) ? " fecn" : "") << (HasBit(BECN) ? " becn" : "")
       << (HasBit(DISCARD_ELIGIBLE) ? " de" : "");
}

void
FrameRelayHeader::Pass(OctetCursor& octets)
{
    octets.Pass(m_field);
}

uint32_t
FrameRelayHeader::Deserialize(Buffer::Iterator start)
{
    constexpr uint16_t extension = 0x0101; // EA of both octets
    constexpr uint16_t lastOctet = 0x0001; // their values where the field has two
    const uint32_t size = OctetsHeader::Deserialize(start);
    return (m_field & extension) == lastOctet ? size : 0;
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
