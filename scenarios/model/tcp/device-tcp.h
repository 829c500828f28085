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
 * that only acknowledge are handled at once. Two kinds of traffic are told apart, because the
 * measured devices do:
 *
 * - *interactive*: up to InteractiveBytes since the device's application last spoke. One segment
 *   after the other, each takes InteractiveAckLatency and gets its own ACK. So commands and their
 *   replies, and the first small writes of a job.
 * - *bulk*: all that comes behind these, until the device's application has answered. One ACK for
 *   all that has arrived, AckLatency after the first segment it covers, plus AckLatencyPerByte for
 *   each byte it covers.
 *
 * The trace of the Hawking H-PS1U supports the two kinds and does not say why they differ. A device
 * of which no InteractiveAckLatency is given has one kind of traffic, bulk.
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
