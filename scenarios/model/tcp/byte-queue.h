/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BYTE_QUEUE_H
#define BYTE_QUEUE_H

#include "ns3/packet.h"

#include <cstddef>
#include <cstdint>
#include <deque>

namespace ns3::study
{

/// Octets of one direction of a connection, by their offset in the stream.
class ByteQueue
{
  public:
    /// Put octets behind all others. @param octets null for zeros
    void Append(uint32_t size, Ptr<Packet> octets);
    /// Put octets at a place; of those that are there already the first stay.
    void Insert(uint64_t begin, Ptr<Packet> octets);
    /// @return a copy of octets that are all there
    Ptr<Packet> Copy(uint64_t begin, uint32_t size) const;
    /// Take octets off that are all there, with all before them. @return the octets
    Ptr<Packet> Take(uint64_t begin, uint32_t size);
    /// Take off all before an offset.
    void DropBefore(uint64_t offset);
    /// @return how many octets at the end are zeros that were put there
    uint64_t CountZeros() const;
    /// Take some of these zeros off.
    void DropZeros(uint64_t size);

  private:
    /// Octets that came together, or zeros.
    struct Piece
    {
        uint64_t begin;     //!< offset of the first one
        uint64_t end;       //!< what follows the last one
        Ptr<Packet> octets; //!< these; null for zeros
    };

    /// @return the place of the piece with the octet at an offset, or behind it
    std::ptrdiff_t Find(uint64_t offset) const;

    std::deque<Piece> m_pieces; //!< in the order of the stream, none overlaps another
    uint64_t m_end{1};          //!< where Append() puts the next ones; 0 is the SYN's
};

} // namespace ns3::study

#endif /* BYTE_QUEUE_H */
