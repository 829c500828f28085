/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DEVICE_TCP_H
#define DEVICE_TCP_H

#include "tcp-end.h"

namespace ns3::study
{

/**
 * @brief The TCP of a constrained device: a small window, and ACKs that come late.
 *
 * Segments that want an answer (data, FIN, a reset, a window probe) queue for the device's
 * attention; data reach its application, and are acknowledged, when they have had it. Segments
 * that only acknowledge are handled at once. Interactive traffic, up to InteractiveBytes since the
 * application last spoke, takes InteractiveAckLatency a segment, and bulk traffic AckLatency and
 * AckLatencyPerByte (see Inbox). A device of which no InteractiveAckLatency is given has one kind
 * of traffic, bulk.
 *
 * An ACK that is due may be withheld on top of that until its data have earned it (AckPolicy), or
 * else until the delayed-ACK timer: as the IMAGEN printers did, until they have consumed more than
 * AckThreshold of the last advertised window; or as ordinary receivers do, until there are
 * AckFrequency full segments. These acknowledge segment by segment, also in bulk.
 *
 * The window announced is what the application has left free. WindowUpdates says which openings
 * are announced at once when it reads; with DeviceSillyWindowAvoidance a small one is announced by
 * no segment at all (RFC 1122, 4.2.3.3).
 */
class DeviceTcp : public TcpEnd
{
  public:
    static TypeId GetTypeId();

    tcp::ConnectionSettings GetSettings() const override;

  private:
    WindowScale m_windowScale; //!< offered in the SYN-ACK
    uint32_t m_deviceMss;      //!< MSS announced; 0 follows the peer's [B]
};

} // namespace ns3::study

#endif /* DEVICE_TCP_H */
