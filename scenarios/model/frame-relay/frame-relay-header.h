/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_RELAY_HEADER_H
#define FRAME_RELAY_HEADER_H

#include "model/core/octets-header.h"

namespace ns3::study
{

/**
 * @brief The address field of a frame-relay frame, in its form of two octets (Q.922, 3.3).
 *
 *        8   7   6   5   4   3   2   1
 *      +-----------------------+---+---+
 *      |   DLCI, upper 6 bits  |C/R| 0 |   EA 0: another octet follows
 *      +---------------+---+---+---+---+
 *      | DLCI, lower 4 |FEC|BEC|DE | 1 |   EA 1: the last octet
 *      +---------------+---+---+---+---+
 *
 * Bit 1 is sent first. The flag before it and the frame check sequence at the end of the frame are
 * not in a capture (DLT_FRELAY) and not in a packet of this study: FrameRelayNetDevice accounts for
 * their time.
 */
class FrameRelayHeader : public OctetsHeader<FrameRelayHeader>
{
  public:
    static constexpr auto NAME = "ns3::study::FrameRelayHeader"; //!< of its type
    static constexpr uint32_t SIZE = 2;                          //!< of the field [B]

    void Print(std::ostream& os) const override;
    void Pass(OctetCursor& octets);
    /// @return its size in bytes, or 0 if it is not an address field of two octets
    uint32_t Deserialize(Buffer::Iterator start) override;

    /// A bit of the field, by its place.
    enum Bit : uint16_t
    {
        COMMAND_RESPONSE = 0x0200, //!< C/R, which the network carries unread
        FECN = 0x0008,             //!< frames that travel in this one's direction meet congestion
        BECN = 0x0004,             //!< frames that travel against it do
        DISCARD_ELIGIBLE = 0x0002  //!< DE: dropped before others when the network is congested
    };

    static constexpr uint16_t MAX_DLCI = 1023; //!< ten bits (Q.922, 3.3.6)

    /// Set a bit to a value.
    void SetBit(Bit bit, bool on = true);
    /// @return whether a bit is set
    bool HasBit(Bit bit) const;
    /// Set the circuit's number on this line, 0 to MAX_DLCI.
    void SetDlci(uint16_t dlci);
    /// @return the circuit's number on this line
    uint16_t GetDlci() const;

  private:
    uint16_t m_field{1}; //!< the two octets, the first one high
};

} // namespace ns3::study

#endif /* FRAME_RELAY_HEADER_H */
