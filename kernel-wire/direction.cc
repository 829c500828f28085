// SPDX-License-Identifier: GPL-2.0-only
//
// One way of the wire.

#include "direction.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <sys/uio.h>
#include <unistd.h>

namespace
{

constexpr size_t LARGEST_PACKET = 65536;
constexpr size_t KEPT_OCTETS = 120; // the longest headers of IP and TCP
constexpr Instant SECOND = 1'000'000'000;
constexpr size_t NEXT_HEADER = 6; // its place in the header of IPv6 (RFC 8200, 3)
constexpr uint8_t TCP = 6;

/// Whether it is of IPv4, or TCP over IPv6: what else a kernel that speaks IPv6 says on its
/// interfaces would shift the numbers of the list of losses.
bool
IsCarried(const Octets& packet)
{
    const int version = packet[0] >> 4;
    return version == 4 || (version == 6 && packet[NEXT_HEADER] == TCP);
}

const char*
NameOf(Fate fate)
{
    switch (fate)
    {
    case Fate::UnderWay:
        return "under-way";
    case Fate::Arrived:
        return "arrived";
    case Fate::Lost:
        return "lost";
    case Fate::Queue:
        return "queue-full";
    case Fate::Segmented:
        return "segmented";
    }
    return "";
}

} // namespace

Instant
Now()
{
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

Direction::Direction(int from, int to, Line line, bool offload)
    : m_from(from),
      m_to(to),
      m_line(std::move(line)),
      m_offload(offload)
{
}

int
Direction::From() const
{
    return m_from;
}

Instant
Direction::First() const
{
    return m_packets.empty() ? NEVER : m_packets.front().entered;
}

bool
Direction::Take()
{
    static Octets octets(LARGEST_PACKET);
    Packet packet;
    const iovec parts[] = {{packet.offload.data(), m_offload ? packet.offload.size() : 0},
                           {octets.data(), octets.size()}};
    const ssize_t size = readv(m_from, parts, 2) - static_cast<ssize_t>(parts[0].iov_len);
    if (size <= 0)
    {
        return false;
    }
    if (!IsCarried(octets))
    {
        return true;
    }
    packet.entered = Now();
    packet.size = size;
    packet.octets.assign(octets.begin(), octets.begin() + size);
    if (m_offload && SegmentSize(packet.offload) > 0)
    {
        TakeInPieces(packet);
    }
    else
    {
        Enter(std::move(packet));
    }
    return true;
}

void
Direction::TakeInPieces(const Packet& whole)
{
    m_packets.push_back(whole);
    m_packets.back().fate = Fate::Segmented;
    m_packets.back().due = m_packets.back().handedOver = whole.entered;
    m_packets.back().octets.resize(std::min(whole.size, KEPT_OCTETS));
    for (Octets& octets : Cut(whole.octets, SegmentSize(whole.offload)))
    {
        Packet part;
        part.entered = whole.entered;
        part.size = octets.size();
        part.octets = std::move(octets);
        part.offload = HeaderOfPart(whole.offload);
        Enter(std::move(part));
    }
}

bool
Direction::HasRoom(Instant now)
{
    while (!m_waiting.empty() && m_waiting.front() <= now)
    {
        m_waiting.pop_front();
    }
    // Where the line is free it goes onto that.
    return m_lineFree <= now || m_line.queuePackets == 0 || m_waiting.size() < m_line.queuePackets;
}

void
Direction::Enter(Packet packet)
{
    const Instant now = packet.entered;
    if (!HasRoom(now))
    {
        packet.fate = Fate::Queue;
        packet.due = packet.handedOver = now;
        m_packets.push_back(std::move(packet));
        m_packets.back().octets.resize(std::min(m_packets.back().size, KEPT_OCTETS));
        return;
    }
    const Instant begin = std::max(now, m_lineFree);
    if (begin > now)
    {
        m_waiting.push_back(begin);
    }
    const double bits = 8.0 * (packet.size + m_line.framing);
    m_lineFree = begin + (m_line.rate > 0 ? std::llround(bits / m_line.rate * SECOND) : 0);
    packet.number = ++m_onLine;
    packet.due = packet.handedOver = m_lineFree + m_line.delay;
    m_underWay.push_back(m_packets.size());
    m_packets.push_back(std::move(packet));
}

Instant
Direction::NextDue() const
{
    return m_underWay.empty() ? NEVER : m_packets[m_underWay.front()].due;
}

bool
Direction::HandOver()
{
    if (NextDue() > Now())
    {
        return false;
    }
    Packet& packet = m_packets[m_underWay.front()];
    m_underWay.pop_front();
    packet.handedOver = Now();
    packet.fate = m_line.losses.contains(packet.number) ? Fate::Lost : Fate::Arrived;
    if (packet.fate == Fate::Arrived)
    {
        // An interface that is going down refuses it: the transfer is over then.
        const iovec parts[] = {{packet.offload.data(), m_offload ? packet.offload.size() : 0},
                               {packet.octets.data(), packet.octets.size()}};
        [[maybe_unused]] const ssize_t written = writev(m_to, parts, 2);
    }
    packet.octets.resize(std::min(packet.size, KEPT_OCTETS));
    return true;
}

void
Direction::Write(const std::string& way, Instant start, std::string& text) const
{
    static const char digits[] = "0123456789abcdef";
    for (const Packet& packet : m_packets)
    {
        text += way + ',' + std::to_string(packet.number) + ',' + NameOf(packet.fate) + ',';
        text += std::to_string(packet.entered - start) + ',' + std::to_string(packet.due - start);
        text += ',' + std::to_string(packet.handedOver - start) + ',';
        text += std::to_string(packet.size) + ',';
        for (uint8_t octet : packet.octets)
        {
            text += digits[octet >> 4];
            text += digits[octet & 15];
        }
        text += '\n';
    }
}
