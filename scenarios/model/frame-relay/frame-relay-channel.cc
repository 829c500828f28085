/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-relay-channel.h"

#include "frame-relay-net-device.h"

#include "ns3/simulator.h"

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(FrameRelayChannel);

TypeId
FrameRelayChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::FrameRelayChannel")
                            .SetParent<Channel>()
                            .SetGroupName("Study")
                            .AddConstructor<FrameRelayChannel>();
    return tid;
}

void
FrameRelayChannel::Attach(Ptr<FrameRelayNetDevice> device)
{
    NS_ASSERT_MSG(m_ends.size() < 2, "a line has two ends");
    m_ends.push_back(device);
}

void
FrameRelayChannel::Transmit(Ptr<const Packet> frame,
                            Ptr<FrameRelayNetDevice> from,
                            Time transmission)
{
    NS_ASSERT_MSG(m_ends.size() == 2, "a line has two ends");
    const auto& to = m_ends[m_ends[0] == from ? 1 : 0];
    // A copy: what the receiver takes off is still on where the frame came from.
    Simulator::ScheduleWithContext(to->GetNode()->GetId(),
                                   transmission,
                                   &FrameRelayNetDevice::Receive,
                                   to,
                                   frame->Copy());
}

std::size_t
FrameRelayChannel::GetNDevices() const
{
    return m_ends.size();
}

Ptr<NetDevice>
FrameRelayChannel::GetDevice(std::size_t i) const
{
    return m_ends.at(i);
}

void
FrameRelayChannel::DoDispose()
{
    m_ends.clear();
    Channel::DoDispose();
}

} // namespace ns3::study
