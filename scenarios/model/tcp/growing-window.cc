/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "growing-window.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::study
{

void
GrowingWindow::Begin(uint32_t first, uint32_t largest)
{
    // tcp_rmem's default, of which 158/256 are data where a packet has 1500 B.
    constexpr uint32_t buffer = 131072 / 256 * 158;
    m_largest = largest;
    m_window = std::min(first, largest);
    m_room = std::min(std::max(first, buffer), largest);
}

bool
GrowingWindow::Take(uint32_t payload, uint32_t whole, Time roundTrip)
{
    if (m_window >= m_largest)
    {
        return false;
    }
    if (m_most == 0)
    {
        constexpr uint32_t initialWindow = 10; // of the sender, as Linux takes it to be
        m_most = std::min<uint64_t>(m_window, uint64_t{initialWindow} * whole);
        m_since = Simulator::Now();
    }
    else if (Simulator::Now() - m_since >= roundTrip && roundTrip.IsStrictlyPositive())
    {
        Measure();
    }
    m_last = Simulator::Now();
    m_read += payload;
    const uint32_t before = m_window;
    if (payload >= whole)
    {
        m_window = std::max(m_window, std::min(m_window + 2 * payload, m_room));
    }
    return m_window > before;
}

void
GrowingWindow::Measure()
{
    if (m_read > m_most)
    {
        const uint64_t twice = 2 * m_read;
        const uint64_t room = twice + 2 * (twice * (m_read - m_most) / m_most);
        m_room = static_cast<uint32_t>(std::clamp<uint64_t>(room, m_room, m_largest));
        m_most = m_read;
    }
    m_read = 0;
    m_since = Simulator::Now();
}

uint32_t
GrowingWindow::Get() const
{
    return m_window;
}

void
GrowingWindow::Describe(StateRecord& state, Time roundTrip) const
{
    state.Add(m_window);
    state.Add(m_room);
    state.Add(static_cast<int64_t>(m_most));
    state.Add(static_cast<int64_t>(m_read));
    if (m_window < m_largest)
    {
        // Neither matters to a cycle in which no data come.
        const Time sinceData = Simulator::Now() - m_last;
        state.AddForTimer(Time(0), sinceData, (Simulator::Now() - m_since).GetTimeStep());
        state.AddForTimer(Time(0), sinceData, roundTrip.GetTimeStep());
    }
}

} // namespace ns3::study
