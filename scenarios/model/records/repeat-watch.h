/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPEAT_WATCH_H
#define REPEAT_WATCH_H

#include "ns3/ipv4-header.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/sequence-number.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <utility>

namespace ns3::study
{

/// Counts the segments that a node receives and has received every octet of before.
///
/// It looks at what IP delivers, as a receiver's TCP drops some of them without a word.
class RepeatWatch : public SimpleRefCount<RepeatWatch>
{
  public:
    explicit RepeatWatch(Ptr<Node> node);

    /// @return how many have come
    uint64_t GetRepeats() const;

  private:
    /// What has come of one direction of a connection. Sequence numbers go round after 4 GiB; these
    /// go on.
    struct Received
    {
        uint64_t latest;                     //!< where the segment before began
        std::map<uint64_t, uint64_t> ranges; //!< merged
    };

    /// A packet has come.
    void Arrived(const Ipv4Header& ip, const Ptr<const Packet>& packet);
    /// Take note of a segment. @return true if all of it was there
    bool Add(std::pair<uint32_t, uint32_t> direction, SequenceNumber32 first, uint32_t size);

    std::map<std::pair<uint32_t, uint32_t>, Received> m_received; //!< by address and the two ports
    uint64_t m_repeats{0};                                        //!< segments that had come before
};

} // namespace ns3::study

#endif /* REPEAT_WATCH_H */
