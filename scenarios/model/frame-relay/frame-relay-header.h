/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_RELAY_HEADER_H
#define FRAME_RELAY_HEADER_H

#include "ns3/header.h"

namespace ns3
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
class FrameRelayHeader : public Header
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /**
     * @param start where the field begins
     * @return its size in bytes, or 0 if it is not an address field of two octets
     */
    uint32_t Deserialize(Buffer::Iterator start) override;

    /**
     * @param dlci the circuit's number on this line, 0 to 1023
     */
    void SetDlci(uint16_t dlci);
    /**
     * @return the circuit's number on this line
     */
    uint16_t GetDlci() const;
    /**
     * @param commandResponse the bit C/R, which the network carries unread
     */
    void SetCommandResponse(bool commandResponse);
    /**
     * @return the bit C/R
     */
    bool GetCommandResponse() const;
    /**
     * @param fecn whether frames that travel in this frame's direction meet congestion
     */
    void SetFecn(bool fecn);
    /**
     * @return the forward explicit congestion notification
     */
    bool GetFecn() const;
    /**
     * @param becn whether frames that travel against this frame's direction meet congestion
     */
    void SetBecn(bool becn);
    /**
     * @return the backward explicit congestion notification
     */
    bool GetBecn() const;
    /**
     * @param eligible whether the frame is dropped before others when the network is congested
     */
    void SetDiscardEligible(bool eligible);
    /**
     * @return the bit DE
     */
    bool GetDiscardEligible() const;

  private:
    uint16_t m_dlci{0};            //!< the circuit's number on this line
    bool m_commandResponse{false}; //!< C/R
    bool m_fecn{false};            //!< congestion ahead
    bool m_becn{false};            //!< congestion on the way back
    bool m_eligible{false};        //!< DE
};

} // namespace ns3

#endif /* FRAME_RELAY_HEADER_H */
