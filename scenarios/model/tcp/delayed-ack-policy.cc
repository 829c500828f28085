/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "delayed-ack-policy.h"

#include "ns3/simulator.h"

namespace ns3
{

DelayedAckPolicy::DelayedAckPolicy(Time timeout,
                                   uint32_t frequency,
                                   Timer timer,
                                   uint32_t quickAcks)
    : m_timeout(timeout),
      m_frequency(frequency),
      m_timer(timer),
      m_quickAcks(quickAcks)
{
}

bool
DelayedAckPolicy::AcknowledgesAtOnce(uint32_t waiting)
{
    if (m_quickAcks > 0)
    {
        --m_quickAcks;
        return true;
    }
    return waiting + 1 >= m_frequency;
}

Time
DelayedAckPolicy::GetWait() const
{
    if (m_timer == ONE_SHOT)
    {
        return m_timeout;
    }
    const int64_t period = m_timeout.GetTimeStep();
    return TimeStep(period - Simulator::Now().GetTimeStep() % period);
}

void
DelayedAckPolicy::Describe(StateRecord& state) const
{
    state.Add(m_quickAcks);
    state.Add(GetWait().GetTimeStep()); // a heartbeat's phase
}

} // namespace ns3
