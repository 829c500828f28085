/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEGMENT_TABLE_H
#define SEGMENT_TABLE_H

#include "model/clocks/limit-clock.h"
#include "model/ethernet/link.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::study
{

/// A row of a segment table: a packet of a transfer.
struct SegmentRow
{
    Time time;                      //!< when the interface that is watched saw it
    std::string sender;             //!< who sent it
    uint32_t seq;                   //!< place of its first octet, the first of all being 1
    uint32_t length;                //!< payload [B]
    std::optional<uint32_t> ack;    //!< place of the octet that its sender expects next
    uint32_t window;                //!< octets that its sender permits from there [B]
    std::string flags;              //!< tcpdump's letters
    std::optional<Limit> stoppedBy; //!< why the sender of data did not send on after it
    std::optional<Time> farTime{};  //!< when it was at the other end, if the link tells
    bool lost{false};               //!< it never was
};

/// The packets of a transfer, whatever its protocol, as one interface sees them.
class SegmentTable
{
  public:
    /// Add a packet.
    /// @param row what the interface sees of it
    /// @param outgoing whether it goes to the other end
    /// @param number by which Note() is told of it
    void Add(const SegmentRow& row, bool outgoing, uint64_t number);
    /// Something happened at the other end, or on the way.
    void Note(Link::FarEvent event, uint64_t number);
    /// Write the rows as comma-separated values: columns time_s, sender, seq, length, ack, window,
    /// flags, stopped_by, in a header line; time runs from the first row. With the other end's
    /// times, there is a column far_time_s for them: "lost" where a packet never came there.
    void Write(std::ostream& out) const;

    std::vector<SegmentRow> rows; //!< in the order of their times
    bool hasFarTimes{false};      //!< Note() is told what happens

  private:
    std::multimap<uint64_t, std::size_t> m_outgoing; //!< rows of packets in flight to the other end
    std::multimap<uint64_t, Time> m_incoming;        //!< when those in flight from it left
};

} // namespace ns3::study

#endif /* SEGMENT_TABLE_H */
