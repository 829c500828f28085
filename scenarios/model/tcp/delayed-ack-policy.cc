/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "delayed-ack-policy.h"

#include "ns3/simulator.h"

namespace ns3::study
{

bool
DelayedAckPolicy::AcknowledgesAtOnce(uint32_t waiting)
{
    if (quickAcks > 0)
    {
        --quickAcks;
        return true;
    }
    return waiting + 1 >= frequency;
}

Time
DelayedAckPolicy::GetWait() const
{
    if (timer == ONE_SHOT)
    {
        return timeout;
    }
    const int64_t period = timeout.GetTimeStep();
    return TimeStep(period - Simulator::Now().GetTimeStep() % period);
}

void
DelayedAckPolicy::Describe(StateRecord& state) const
{
    state.Add(quickAcks);
    state.Add(GetWait().GetTimeStep()); // a heartbeat's phase
}

} // namespace ns3::study
