/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "delivery-rate.h"

#include "ns3/simulator.h"
#include "ns3/tcp-tx-item.h"

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(DeliveryRate);

TypeId
DeliveryRate::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::DeliveryRate")
                            .SetParent<TcpRateLinux>()
                            .SetGroupName("Study")
                            .AddConstructor<DeliveryRate>();
    return tid;
}

void
DeliveryRate::SkbSent(TcpTxItem* item, bool isStartOfTransmission)
{
    TcpRateLinux::SkbSent(item, isStartOfTransmission);
    const Time now = Simulator::Now();
    if (isStartOfTransmission)
    {
        m_firstSent = now;
    }
    // The parent will take the phase from this to the time that the buffer has noted.
    const Time late = now - item->GetLastSent();
    item->GetRateInformation().m_firstSent = m_firstSent - late;
    if (late.IsStrictlyPositive())
    {
        m_again[item] = now;
    }
}

void
DeliveryRate::SkbDelivered(TcpTxItem* item)
{
    const TcpTxItem::RateInformation sent = item->GetRateInformation();
    const auto again = m_again.find(item);
    const Time left = again == m_again.end() ? item->GetLastSent() : again->second;
    if (again != m_again.end())
    {
        m_again.erase(again);
    }
    TcpRateLinux::SkbDelivered(item);
    const bool told = sent.m_deliveredTime == Time::Max(); // it was delivered before
    if (!told && (m_priorDelivered == 0 || sent.m_delivered > m_priorDelivered))
    {
        m_priorDelivered = sent.m_delivered;
        m_firstSent = left;
    }
}

} // namespace ns3::study
