/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RFC2427_HEADER_H
#define RFC2427_HEADER_H

#include "model/core/octets-header.h"

namespace ns3::study
{

/**
 * @brief What stands between a frame-relay address field and a routed packet (RFC 2427, 3 to 5).
 *
 * IPv4 has a network layer protocol identifier (NLPID) of its own:
 *
 *      03 CC                       control: unnumbered information; NLPID of IPv4
 *
 * What has only an EtherType, such as IPX (0x8137), travels under a SNAP header; a pad octet puts
 * the packet on an even offset:
 *
 *      03 00 80 00 00 00 81 37     control, pad, NLPID of SNAP, OUI 00-00-00, EtherType
 */
class Rfc2427Header : public OctetsHeader<Rfc2427Header>
{
  public:
    static constexpr auto NAME = "ns3::study::Rfc2427Header"; //!< of its type
    static constexpr uint32_t SIZE = 2;                       //!< of its shorter form [B]

    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Pass(OctetCursor& octets);
    /// @return its size in bytes, or 0 if it is none of the two forms
    uint32_t Deserialize(Buffer::Iterator start) override;

    /// @param etherType what the packet is, as on an Ethernet
    void SetEtherType(uint16_t etherType);
    /// @return what the packet is
    uint16_t GetEtherType() const;

  private:
    uint16_t m_start{0};     //!< control, and the octet behind it
    uint32_t m_snap{0};      //!< NLPID of SNAP and OUI, where that octet is a pad
    uint16_t m_etherType{0}; //!< what the packet is
};

} // namespace ns3::study

#endif /* RFC2427_HEADER_H */
