/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "repeat-watch.h"

#include "model/core/ns3-version.h"
#include "model/core/trace-listener.h"

#include "ns3/ipv4-l3-protocol.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace ns3::study
{

RepeatWatch::RepeatWatch(Ptr<Node> node)
{
    // The protocol keeps what it calls.
    const Ptr<RepeatWatch> self(this);
    Listen(node->GetObject<Ipv4L3Protocol>(),
           "LocalDeliver",
           [self](const Ipv4Header& ip, Ptr<const Packet> packet, uint32_t /* interface */) {
               self->Arrived(ip, packet);
           });
}

uint64_t
RepeatWatch::GetRepeats() const
{
    return m_repeats;
}

void
RepeatWatch::Arrived(const Ipv4Header& ip, const Ptr<const Packet>& packet)
{
    if (ip.GetProtocol() != TCP_PROTOCOL)
    {
        return;
    }
    std::array<uint8_t, 20> octets; // the header without options (RFC 9293, 3.1)
    if (packet->CopyData(octets.data(), octets.size()) < octets.size())
    {
        return;
    }
    const uint32_t header = 4U * (octets[12] >> 4);
    const uint32_t size = packet->GetSize();
    if (header < octets.size() || header >= size)
    {
        return; // malformed, or without data
    }
    const auto read = [&octets](std::size_t place) {
        return uint32_t{octets[place]} << 24 | uint32_t{octets[place + 1]} << 16 |
               uint32_t{octets[place + 2]} << 8 | octets[place + 3];
    };
    const uint32_t ports = read(0);
    m_repeats += Add({ip.GetSource().Get(), ports}, SequenceNumber32(read(4)), size - header);
}

bool
RepeatWatch::Add(std::pair<uint32_t, uint32_t> direction, SequenceNumber32 first, uint32_t size)
{
    constexpr uint64_t round = uint64_t{1} << 32; // a segment may come before one that is ahead
    const auto known = m_received.try_emplace(direction, Received{round + first.GetValue(), {}});
    auto& [latest, ranges] = known.first->second;
    latest += first - SequenceNumber32(static_cast<uint32_t>(latest));
    const uint64_t begin = latest;
    const uint64_t end = begin + size;
    auto next = ranges.upper_bound(begin);
    const bool meets = next != ranges.begin() && std::prev(next)->second >= begin;
    const auto range = meets ? std::prev(next) : ranges.emplace_hint(next, begin, begin);
    if (range->second >= end)
    {
        return true;
    }
    range->second = end;
    while (next != ranges.end() && next->first <= range->second)
    {
        range->second = std::max(range->second, next->second);
        next = ranges.erase(next);
    }
    return false;
}

} // namespace ns3::study
