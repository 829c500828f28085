/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "far-end.h"

#include "model/core/trace-listener.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ppp-header.h"

namespace ns3::study
{

namespace
{

/// @return the number that the sender's IPv4 gave a packet
uint16_t
IdentificationOf(Ptr<const Packet> packet)
{
    Ipv4Header header;
    packet->PeekHeader(header);
    return header.GetIdentification();
}

/// @return the same of a frame of PPP
uint16_t
IdentificationInFrame(Ptr<const Packet> frame)
{
    Ptr<Packet> packet = frame->Copy();
    PppHeader ppp;
    packet->RemoveHeader(ppp);
    return IdentificationOf(packet);
}

/// Tell of what a direction loses, in its queue or behind it.
void
WatchLosses(const PathDirection& direction,
            Ptr<NetDevice> to,
            Link::FarEvent event,
            const Link::FarEndListener& listener)
{
    Listen(direction.GetQueue(), "Drop", [=](Ptr<const QueueDiscItem> item) {
        if (const auto ipv4 = DynamicCast<const Ipv4QueueDiscItem>(item))
        {
            listener(event, ipv4->GetHeader().GetIdentification());
        }
    });
    Listen(to, "PhyRxDrop", [=](Ptr<const Packet> frame) {
        listener(event, IdentificationInFrame(frame));
    });
}

} // namespace

void
WatchFarEndOfPath(Ptr<NetDevice> device,
                  const PathDirection& toDevice,
                  const PathDirection& toHost,
                  const Link::FarEndListener& listener)
{
    Listen(device, "MacRx", [=](Ptr<const Packet> frame) {
        listener(Link::FarEvent::ARRIVED, IdentificationInFrame(frame));
    });
    // From IPv4, as the device's packets wait before they are in its interface.
    device->GetNode()->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
        "Tx",
        Callback<void, Ptr<const Packet>, Ptr<Ipv4>, uint32_t>(
            [=](Ptr<const Packet> packet, auto...) {
                listener(Link::FarEvent::SENT, IdentificationOf(packet));
            }));
    WatchLosses(toDevice, device, Link::FarEvent::LOST_TO_IT, listener);
    WatchLosses(toHost, toDevice.GetLine(), Link::FarEvent::LOST_FROM_IT, listener);
}

} // namespace ns3::study
