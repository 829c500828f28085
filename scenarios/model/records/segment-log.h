/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEGMENT_LOG_H
#define SEGMENT_LOG_H

#include "interface-tap.h"
#include "model/ethernet/link.h"
#include "segment-table.h"

#include "ns3/tcp-header.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>

namespace ns3::study
{

/// What a frame says of the TCP segment in it.
struct TcpFrame
{
    TcpHeader header;        //!< the segment's header
    uint32_t size;           //!< its payload [B]
    uint16_t identification; //!< of the IPv4 packet
};

/// @return the segment in a frame with header and trailer, if it is TCP over IPv4
std::optional<TcpFrame> DecodeTcpFrame(Ptr<const Packet> frame,
                                       Framing framing = Framing::ETHERNET);

/**
 * @brief The table of a connection's segments, as the host's interface sees them.
 *
 * One row a segment; sequence and acknowledgment numbers are relative to the SYN of
 * whoever they count (data begin at 1), as tcpdump prints them; flags are tcpdump's letters, with
 * the ACK flag shown by the ack column alone. A scaled window (RFC 7323, 2) is written as it is
 * meant, in octets. stopped_by names what kept the host from sending on
 * after a segment of its own, and is empty where it went on.
 */
class SegmentLog
{
  public:
    /// Begin a table, given what it calls the end whose interface it is, and the other, and what a
    /// frame there begins with.
    SegmentLog(const std::string& host,
               const std::string& device,
               Framing framing = Framing::ETHERNET);

    /// Add a frame that the host sent or received, if it is TCP over IPv4.
    void Add(FrameDirection direction, Ptr<const Packet> frame);
    /// Note what the host waits for after what it has sent so far.
    void HostStopped(Limit limit);
    /// Note from now on what a link tells of its far end, if it does.
    void WatchFarEnd(Ptr<Link> link);
    /// Write the table as comma-separated values, with a header line.
    void Write(std::ostream& out) const;

  private:
    /// What is known of an end.
    struct End
    {
        std::string name;             //!< what the table calls it
        std::optional<uint32_t> isn;  //!< sequence number of its SYN
        std::optional<uint8_t> shift; //!< of windows, as its SYN offers it
    };

    End m_host;                           //!< this end
    End m_device;                         //!< the other
    Framing m_framing;                    //!< what a frame begins with
    SegmentTable m_table;                 //!< the rows
    std::optional<std::size_t> m_pending; //!< the host's last data segment, if not yet explained
};

} // namespace ns3::study

#endif /* SEGMENT_LOG_H */
