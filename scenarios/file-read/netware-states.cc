/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What decides the course of server and workstation, for the proof of cycles (CycleDetector).
 */

#include "netware-server.h"
#include "netware-workstation.h"

namespace ns3::study
{

void
NetwareWorkstation::Describe(StateRecord& state) const
{
    state.Add(m_outstanding);
    state.Add(m_size);
    // An octet is sent before those from an odd place.
    state.Add(m_protocol == REQUEST_REPLY ? static_cast<int64_t>(m_received % 2) : 0);
    state.Add(m_retries);
    state.Add(m_wait.GetTimeStep());
    state.AddTimer(m_event);
    if (m_burst)
    {
        for (const BurstRange& missing : m_burst->GetMissing())
        {
            state.Add(missing.offset);
            state.Add(missing.size);
        }
    }
}

void
NetwareServer::Describe(StateRecord& state, uint16_t latest) const
{
    state.AddTimer(m_workEvent);
    state.AddTimer(m_gapEvent);
    state.Add(static_cast<uint16_t>(m_workSequence - latest));
    state.Add(m_lastSequence ? static_cast<uint8_t>(*m_lastSequence - latest) : -1);
    if (m_burst)
    {
        state.Add(static_cast<uint16_t>(m_burst->sequence - latest));
        state.Add(m_burst->gap.GetTimeStep());
        state.Add(m_burst->size);
        state.Add(static_cast<int64_t>(m_burst->waiting.size()));
        for (const BurstRange& unsent : m_burst->sent.GetMissing())
        {
            state.Add(unsent.offset);
        }
    }
}

} // namespace ns3::study
