/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NCP_SEGMENT_LOG_H
#define NCP_SEGMENT_LOG_H

#include "ipx-header.h"
#include "model/frame-relay/frame-relay-wan.h"
#include "model/records/segment-table.h"
#include "ncp-header.h"

#include "ns3/packet.h"

#include <cstdint>
#include <map>
#include <optional>
#include <ostream>

namespace ns3::study
{

/**
 * @brief The segment table of a file read by NCP, as the workstation's interface sees it.
 *
 * Packets are told in the words of TCP, so that one reader can show both. Data of the server: seq
 * is the place in the file of the first octet, the file's first being 1. A request: ack is the
 * place of the first octet asked for and window the octets asked for, for that much and no more the
 * request permits. A list of missing fragments: ack is the place of the first octet missing, window
 * the octets missing. stopped_by stands at data after which the server had sent all that was asked
 * for (request), or waited for the gap of its burst to pass (burst_gap).
 */
class NcpSegmentLog
{
  public:
    /// Add a frame.
    /// @param frame the frame, Ethernet header and trailer included; anything but the packets of
    ///        ncp-header.h over IPX over Ethernet II is passed over
    void Add(Ptr<const Packet> frame);
    /// Note from now on what becomes of the packets between the workstation and the server.
    void WatchServer(Ptr<FrameRelayWan> wan);
    /// Write the table as comma-separated values, with a header line.
    void Write(std::ostream& out) const;

  private:
    /// What a request asked for, which its answers do not say.
    struct Request
    {
        uint32_t offset; //!< of the first octet asked for
        bool gap;        //!< with a gap between the packets
    };

    /// Add what the workstation sent: ns-3's number of the packet, place of the octet expected
    /// next, octets asked for.
    void AddRequest(uint64_t uid, uint32_t ack, uint32_t window);
    /// Add octets of the file that the server sent, and why it did not send on.
    void AddData(uint64_t uid, uint32_t offset, uint32_t size, std::optional<Limit> stoppedBy);
    /// Add a packet of packet burst.
    void AddBurst(Ptr<Packet> packet);

    SegmentTable m_table;                   //!< the rows
    std::map<uint16_t, Request> m_requests; //!< by their number
};

} // namespace ns3::study

#endif /* NCP_SEGMENT_LOG_H */
