/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "receive-window.h"

#include <algorithm>
#include <utility>

namespace ns3::study
{

namespace
{

/// Default of tcp_rmem, of which 158/256 are data where a packet has 1500 B [B].
constexpr uint32_t DEFAULT_ROOM = 131072 / 256 * 158;
constexpr uint32_t INITIAL_WINDOW = 10; //!< of the sender, as Linux takes it to be [segments]

} // namespace

uint32_t
ToWholeSegments(uint32_t octets, uint32_t segment)
{
    return octets < segment ? octets : octets / segment * segment;
}

ReceiveWindow::ReceiveWindow(uint32_t first, uint32_t largest)
    : m_window(std::min(first, largest)),
      m_room(std::min(std::max(first, DEFAULT_ROOM), largest)),
      m_largest(largest)
{
}

bool
ReceiveWindow::Take(uint32_t payload, uint32_t whole, Nanos now)
{
    if (m_window >= m_largest)
    {
        return false;
    }
    if (m_most == 0)
    {
        m_most = std::min<uint64_t>(m_window, uint64_t{INITIAL_WINDOW} * whole);
        m_since = now;
    }
    const uint32_t before = m_window;
    if (payload >= whole)
    {
        m_window = std::max(m_window, std::min(m_window + 2 * payload, m_room));
    }
    return m_window > before;
}

void
ReceiveWindow::Read(uint32_t octets, const Queue& queue, Nanos roundTrip, Nanos now)
{
    if (m_window >= m_largest || m_most == 0)
    {
        return;
    }
    m_read += octets;
    if (now - m_since >= roundTrip && roundTrip > 0ns)
    {
        Measure(queue, now);
    }
}

void
ReceiveWindow::Stretch(uint64_t beyond)
{
    if (m_most > 0)
    {
        Grow(2 * m_most + beyond);
    }
}

void
ReceiveWindow::Measure(const Queue& queue, Nanos now)
{
    const uint64_t read = m_read - std::min<uint64_t>(m_read, queue.unread);
    if (read > m_most)
    {
        const uint64_t twice = 2 * read;
        Grow(twice + 2 * (twice * (read - m_most) / m_most) + queue.beyond);
        m_most = read;
    }
    m_read = 0;
    m_since = now;
}

void
ReceiveWindow::Grow(uint64_t room)
{
    m_room = static_cast<uint32_t>(std::clamp<uint64_t>(room, m_room, m_largest));
}

void
ReceiveWindow::Bound(uint32_t largest)
{
    m_largest = std::min(m_largest, largest);
    m_room = std::min(m_room, m_largest);
    m_window = std::min(m_window, m_largest);
}

void
ReceiveWindow::KeepBack(uint32_t segment)
{
    const uint32_t least = std::min(2 * segment, m_largest);
    m_room = m_largest = std::max(least, m_largest - std::min(segment, m_largest));
    m_window = std::min(m_window, m_largest);
}

void
ReceiveWindow::RoundDown(uint32_t segment)
{
    for (uint32_t* each : {&m_window, &m_room, &m_largest})
    {
        *each = ToWholeSegments(*each, segment);
    }
}

int64_t
ReceiveWindow::Loosen(Nanos now)
{
    const Nanos since = std::exchange(m_since, Nanos::min());
    return since == Nanos::min() ? -1 : (now - since).count();
}

void
ReceiveWindow::SkipTime(Nanos time)
{
    MoveBack(m_since, time);
}

void
ReceiveWindow::Shift(Nanos time)
{
    SkipTime(time);
    if (m_window >= m_largest)
    {
        *this = ReceiveWindow(m_largest, m_largest); // nothing is measured any more
    }
}

} // namespace ns3::study
