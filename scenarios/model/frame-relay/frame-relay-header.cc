/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-relay-header.h"

#include "dlci-address.h"

#include "ns3/assert.h"

namespace ns3
{

namespace
{

// First octet.
constexpr uint8_t COMMAND_RESPONSE = 0x02;
// Second octet.
constexpr uint8_t FECN = 0x08;
constexpr uint8_t BECN = 0x04;
constexpr uint8_t DISCARD_ELIGIBLE = 0x02;
// Both.
constexpr uint8_t EXTENSION = 0x01; // set in the last octet of the field

} // namespace

NS_OBJECT_ENSURE_REGISTERED(FrameRelayHeader);

TypeId
FrameRelayHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FrameRelayHeader")
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
    os << "dlci " << m_dlci << (m_fecn ? " fecn" : "") << (m_becn ? " becn" : "")
       << (m_eligible ? " de" : "");
}

uint32_t
FrameRelayHeader::GetSerializedSize() const
{
    return 2;
}

void
FrameRelayHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(static_cast<uint8_t>(m_dlci >> 4 << 2) |
                  (m_commandResponse ? COMMAND_RESPONSE : 0));
    start.WriteU8(static_cast<uint8_t>((m_dlci & 0x0f) << 4) | (m_fecn ? FECN : 0) |
                  (m_becn ? BECN : 0) | (m_eligible ? DISCARD_ELIGIBLE : 0) | EXTENSION);
}

uint32_t
FrameRelayHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < GetSerializedSize())
    {
        return 0;
    }
    const uint8_t first = start.ReadU8();
    const uint8_t second = start.ReadU8();
    if ((first & EXTENSION) != 0 || (second & EXTENSION) == 0)
    {
        return 0;
    }
    m_dlci = static_cast<uint16_t>(first >> 2 << 4 | second >> 4);
    m_commandResponse = (first & COMMAND_RESPONSE) != 0;
    m_fecn = (second & FECN) != 0;
    m_becn = (second & BECN) != 0;
    m_eligible = (second & DISCARD_ELIGIBLE) != 0;
    return GetSerializedSize();
}

void
FrameRelayHeader::SetDlci(uint16_t dlci)
{
    NS_ASSERT_MSG(dlci <= DlciAddress::MAX, "a DLCI has ten bits, not " << dlci);
    m_dlci = dlci;
}

uint16_t
FrameRelayHeader::GetDlci() const
{
    return m_dlci;
}

void
FrameRelayHeader::SetCommandResponse(bool commandResponse)
{
    m_commandResponse = commandResponse;
}

bool
FrameRelayHeader::GetCommandResponse() const
{
    return m_commandResponse;
}

void
FrameRelayHeader::SetFecn(bool fecn)
{
    m_fecn = fecn;
}

bool
FrameRelayHeader::GetFecn() const
{
    return m_fecn;
}

void
FrameRelayHeader::SetBecn(bool becn)
{
    m_becn = becn;
}

bool
FrameRelayHeader::GetBecn() const
{
    return m_becn;
}

void
FrameRelayHeader::SetDiscardEligible(bool eligible)
{
    m_eligible = eligible;
}

bool
FrameRelayHeader::GetDiscardEligible() const
{
    return m_eligible;
}

} // namespace ns3
