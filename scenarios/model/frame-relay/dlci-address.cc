/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dlci-address.h"

#include "ns3/assert.h"

#include <array>

namespace ns3
{

namespace
{

constexpr uint8_t OCTETS = 2; // of the address, high octet first

} // namespace

DlciAddress::DlciAddress(uint16_t dlci)
    : m_dlci(dlci)
{
    NS_ASSERT_MSG(dlci <= MAX, "a DLCI has ten bits, not " << dlci);
}

uint16_t
DlciAddress::GetDlci() const
{
    return m_dlci;
}

DlciAddress::
operator Address() const
{
    const std::array<uint8_t, OCTETS> octets{static_cast<uint8_t>(m_dlci >> 8),
                                             static_cast<uint8_t>(m_dlci & 0xff)};
    return {GetType(), octets.data(), OCTETS};
}

bool
DlciAddress::IsMatchingType(const Address& address)
{
    return address.CheckCompatible(GetType(), OCTETS);
}

DlciAddress
DlciAddress::ConvertFrom(const Address& address)
{
    NS_ASSERT_MSG(IsMatchingType(address), address << " is not a DLCI");
    std::array<uint8_t, Address::MAX_SIZE> octets{};
    address.CopyTo(octets.data());
    return DlciAddress(static_cast<uint16_t>(octets[0] << 8 | octets[1]));
}

uint8_t
DlciAddress::GetType()
{
#if NS3_STUDY_NS3_VERSION < 347
    static const uint8_t type = Address::Register();
#else
    static const uint8_t type = Address::Register("DlciAddress", OCTETS);
#endif
    return type;
}

} // namespace ns3
