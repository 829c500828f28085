/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEGMENT_FIELDS_H
#define SEGMENT_FIELDS_H

#include "ns3/packet.h"
#include "ns3/sequence-number.h"

#include <cstdint>

namespace ns3::study
{

/**
 * @brief What a TCP segment says before its options (RFC 9293, 3.1).
 *
 * ns-3's TcpHeader makes an object of each option that it reads, which takes longer than all that
 * is then done with a sequence number.
 */
struct SegmentFields
{
    uint16_t sourcePort;       //!< of the sender
    uint16_t destinationPort;  //!< of the receiver
    SequenceNumber32 sequence; //!< of the first octet of payload
    uint8_t flags;             //!< as TcpHeader::Flags_t names them
    uint16_t window;           //!< not scaled
    uint32_t payload;          //!< octets behind header and options [B]

    /// @return what the segment says
    static SegmentFields Of(Ptr<const Packet> segment);
};

} // namespace ns3::study

#endif // SEGMENT_FIELDS_H
