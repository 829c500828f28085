/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "repeat-watch.h"

#include "model/program/ns3-version.h"
#include "model/program/trace-listener.h"
#include "model/tcp/segment-fields.h"

#include "ns3/callback.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/tcp-l4-protocol.h"

#include <algorithm>
#include <iterator>

namespace ns3::study
{

RepeatWatch::RepeatWatch(Ptr<Node> node)
{
    // The protocol keeps what it calls.
    const Ptr<RepeatWatch> self(this);
    Listen(node->GetObject<Ipv4L3Protocol>(),
           "LocalDeliver",
           [self](const Ipv4Header& ip, Ptr<const Packet> packet, uint32_t interface) {
               self->Arrived(ip, packet, interface);
           });
}

uint64_t
RepeatWatch::GetRepeats() const
{
    return m_repeats;
}

void
RepeatWatch::Arrived(const Ipv4Header& ip, Ptr<const Packet> packet, uint32_t /* interface */)
{
    if (ip.GetProtocol() != TCP_PROTOCOL)
    {
        return;
    }
    const auto segment = SegmentFields::Of(packet);
    if (segment.payload == 0)
    {
        return;
    }
    const uint32_t ports = uint32_t{segment.sourcePort} << 16 | segment.destinationPort;
    m_repeats += Add({ip.GetSource().Get(), ports}, segment.sequence, segment.payload);
}

bool
RepeatWatch::Add(std::pair<uint32_t, uint32_t> direction, SequenceNumber32 first, uint32_t size)
{
    constexpr uint64_t round = uint64_t{1} << 32; // a segment may come before one that is ahead
    const auto known = m_received.try_emplace(direction, Received{round + first.GetValue(), {}});
    auto& [latest, ranges] = known.first->second;
    latest += first - SequenceNumber32(static_cast<uint32_t>(latest));
    uint64_t begin = latest;
    uint64_t end = begin + size;
    auto range = ranges.upper_bound(begin);
    if (range != ranges.begin() && std::prev(range)->second >= begin)
    {
        --range;
        if (range->second >= end)
        {
            return true;
        }
    }
    while (range != ranges.end() && range->first <= end)
    {
        begin = std::min(begin, range->first);
        end = std::max(end, range->second);
        range = ranges.erase(range);
    }
    ranges.emplace_hint(range, begin, end);
    return false;
}

} // namespace ns3::study
