/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-acks.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::study
{

void
HostAcks::Begin(const Settings& settings)
{
    m_settings = settings;
    m_quickAcksLeft = settings.quickAcks;
}

bool
HostAcks::Take(uint32_t waiting, uint32_t payload, bool pushed, bool grown)
{
    if (m_settings.rule == ADAPTIVE)
    {
        return TakeAdaptively(payload, pushed, grown);
    }
    m_lastData = Simulator::Now();
    if (m_quickAcksLeft > 0)
    {
        --m_quickAcksLeft;
        return true;
    }
    return waiting + 1 >= m_settings.frequency;
}

bool
HostAcks::TakeAdaptively(uint32_t payload, bool pushed, bool grown)
{
    constexpr uint32_t defaultMss = 536; // taken for whole until a larger one comes
    m_whole = std::max({m_whole, payload, defaultMss});
    if (m_lastData.IsStrictlyNegative())
    {
        const uint32_t ofWindow = std::max(2U, m_settings.window / (2 * m_whole));
        m_quickAcksLeft = std::min(m_settings.quickAcks, ofWindow);
    }
    m_lastData = Simulator::Now();
    m_waiting += payload;
    const bool small = payload < m_whole;
    const bool secondPush = small && m_pushed;
    m_pushed = m_pushed || small || pushed;
    if (m_waiting > m_whole || secondPush)
    {
        return true;
    }
    if (m_interactive)
    {
        return false;
    }
    if (grown)
    {
        return true; // and none of the quick ACKs is used up
    }
    if (m_quickAcksLeft > 0)
    {
        --m_quickAcksLeft;
        return true;
    }
    return m_pushed;
}

void
HostAcks::TellAckSent()
{
    m_waiting = 0;
    m_pushed = false;
}

void
HostAcks::TellDataSent()
{
    m_interactive = m_interactive || (m_lastData.IsPositive() &&
                                      Simulator::Now() - m_lastData < m_settings.patience);
}

Time
HostAcks::GetSinceData() const
{
    return Simulator::Now() - m_lastData;
}

void
HostAcks::Describe(StateRecord& state) const
{
    state.Add(m_quickAcksLeft);
    if (m_settings.rule == ADAPTIVE)
    {
        state.Add(m_interactive);
        state.Add(m_pushed);
        state.Add(m_whole);
        state.Add(m_waiting);
        state.AddInstant(m_lastData.IsStrictlyNegative() || m_interactive
                             ? Time(0)
                             : m_lastData + m_settings.patience);
    }
}

} // namespace ns3::study
