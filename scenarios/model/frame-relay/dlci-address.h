/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DLCI_ADDRESS_H
#define DLCI_ADDRESS_H

#include "ns3/address.h"

#include <cstdint>

namespace ns3
{

/**
 * @brief The number of a virtual circuit on one frame-relay line: a DLCI, as an Address.
 *
 * It names the circuit on that line only: the other end may have another number for the same one.
 */
class DlciAddress
{
  public:
    static constexpr uint16_t MAX = 1023; //!< ten bits (Q.922, 3.3.6)

    /// @param dlci the circuit, 0 to MAX
    explicit DlciAddress(uint16_t dlci);

    /// @return the circuit
    uint16_t GetDlci() const;

    /// @return the same as an Address of two octets
    operator Address() const;
    /**
     * @param address any address
     * @return whether it is a DLCI
     */
    static bool IsMatchingType(const Address& address);
    /**
     * @param address an address of this type
     * @return the same as a DLCI
     */
    static DlciAddress ConvertFrom(const Address& address);

  private:
    /// @return the type number ns-3 gave to this kind of address
    static uint8_t GetType();

    uint16_t m_dlci; //!< the circuit
};

} // namespace ns3

#endif /* DLCI_ADDRESS_H */
