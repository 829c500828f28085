/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "proportional-rate-reduction.h"

#include "ns3/log.h"
#include "ns3/tcp-socket-state.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("ProportionalRateReduction");

NS_OBJECT_ENSURE_REGISTERED(ProportionalRateReduction);

TypeId
ProportionalRateReduction::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::ProportionalRateReduction")
                            .SetParent<TcpRecoveryOps>()
                            .SetGroupName("Study")
                            .AddConstructor<ProportionalRateReduction>();
    return tid;
}

std::string
ProportionalRateReduction::GetName() const
{
    return "ProportionalRateReduction";
}

void
ProportionalRateReduction::EnterRecovery(Ptr<TcpSocketState> tcb,
                                         uint32_t /* dupAckCount */,
                                         uint32_t outstanding,
                                         uint32_t delivered)
{
    m_outstanding = std::max(outstanding, 1U);
    m_delivered = m_sent = 0;
    DoRecovery(tcb, delivered, true);
}

void
ProportionalRateReduction::DoRecovery(Ptr<TcpSocketState> tcb, uint32_t delivered, bool mayBeLoss)
{
    const int64_t mss = tcb->m_segmentSize;
    const int64_t pipe = tcb->m_bytesInFlight.Get();
    const int64_t threshold = tcb->m_ssThresh.Get();
    m_delivered += delivered;
    int64_t room = static_cast<int64_t>(m_delivered) - static_cast<int64_t>(m_sent);
    if (pipe > threshold)
    {
        const uint64_t share = (m_delivered * threshold + m_outstanding - 1) / m_outstanding;
        room = static_cast<int64_t>(share) - static_cast<int64_t>(m_sent);
    }
    else
    {
        room = std::max<int64_t>(room, delivered) + (mayBeLoss ? 0 : mss);
        room = std::min(room, threshold - pipe);
    }
    const int64_t least = m_sent == 0 ? mss : 0; // the fast retransmit
    tcb->m_cWnd = static_cast<uint32_t>(pipe + std::max(room, least));
    tcb->m_cWndInfl = tcb->m_cWnd;
    NS_LOG_LOGIC("delivered " << m_delivered << ", sent " << m_sent << ", room " << room);
}

void
ProportionalRateReduction::ExitRecovery(Ptr<TcpSocketState> tcb)
{
    tcb->m_cWndInfl = tcb->m_cWnd;
}

void
ProportionalRateReduction::UpdateBytesSent(uint32_t bytesSent)
{
    m_sent += bytesSent;
}

Ptr<TcpRecoveryOps>
ProportionalRateReduction::Fork()
{
    return CopyObject<ProportionalRateReduction>(this);
}

} // namespace ns3::study
