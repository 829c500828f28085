/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "state-record.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

void
StateRecord::Add(int64_t value)
{
    m_values.push_back(value);
}

void
StateRecord::AddInstant(Time instant)
{
    Add(std::max(instant - Simulator::Now(), Time(0)).GetTimeStep());
}

void
StateRecord::AddTimer(const EventId& timer)
{
    Add(timer.IsPending() ? Simulator::GetDelayLeft(timer).GetTimeStep() : -1);
}

void
StateRecord::AddForTimer(Time leastLeft, Time sinceStart, int64_t value)
{
    m_timerValues.push_back({leastLeft, sinceStart, value});
}

void
StateRecord::SetUnprovable()
{
    m_unprovable = true;
}

void
StateRecord::SetUnsettled()
{
    m_settled = false;
}

const std::vector<int64_t>&
StateRecord::GetValues() const
{
    return m_values;
}

const std::vector<StateRecord::ForTimer>&
StateRecord::GetTimerValues() const
{
    return m_timerValues;
}

bool
StateRecord::IsUnprovable() const
{
    return m_unprovable;
}

bool
StateRecord::IsSettled() const
{
    return m_settled;
}

} // namespace ns3
