/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEGMENT_TABLE_H
#define SEGMENT_TABLE_H

#include "model/clocks/limit-clock.h"

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
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
};

/**
 * @brief The packets of a transfer, whatever its protocol, as one interface sees them.
 *
 * Columns time_s, sender, seq, length, ack, window, flags, stopped_by; time runs from the first
 * row.
 */
class SegmentTable
{
  public:
    /// Add a row and return its index.
    std::size_t Add(const SegmentRow& row);
    /// Note what the sender of data waited for after the packet of a row.
    void Stopped(std::size_t index, Limit limit);
    /// Write the table as comma-separated values, with a header line.
    void Write(std::ostream& out) const;

  private:
    std::vector<SegmentRow> m_rows; //!< the rows
};

} // namespace ns3

#endif /* SEGMENT_TABLE_H */
