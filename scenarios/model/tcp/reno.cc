/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reno.h"

#include <algorithm>

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(Reno);

TypeId
Reno::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::Reno")
                            .SetParent<TcpLinuxReno>()
                            .SetGroupName("Study")
                            .AddConstructor<Reno>();
    return tid;
}

std::string
Reno::GetName() const
{
    return "Reno";
}

uint32_t
Reno::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t /* bytesInFlight */)
{
    m_count.Reset();
    return std::max(tcb->GetCwndInSegments() / 2, 2U) * tcb->m_segmentSize;
}

void
Reno::CongestionStateSet(Ptr<TcpSocketState> /* tcb */,
                         const TcpSocketState::TcpCongState_t newState)
{
    if (newState == TcpSocketState::CA_RECOVERY || newState == TcpSocketState::CA_LOSS)
    {
        m_count.Reset();
    }
}

void
Reno::CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    if (tcb->m_isCwndLimited)
    {
        const uint32_t window = std::max(tcb->GetCwndInSegments(), 1U);
        tcb->m_cWnd += m_count.Add(segmentsAcked, window) * tcb->m_segmentSize;
    }
}

Ptr<TcpCongestionOps>
Reno::Fork()
{
    return CopyObject<Reno>(this);
}

} // namespace ns3::study
