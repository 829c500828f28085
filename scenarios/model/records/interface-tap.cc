/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "interface-tap.h"

#include "model/core/trace-listener.h"

#include "ns3/point-to-point-net-device.h"

namespace ns3::study
{

Framing
GetFraming(Ptr<const NetDevice> interface)
{
    return DynamicCast<const PointToPointNetDevice>(interface) ? Framing::PPP : Framing::ETHERNET;
}

void
TapInterface(Ptr<NetDevice> interface, const FrameObserver& observer)
{
    Listen(interface, "MacTx", [observer](Ptr<const Packet> frame) {
        observer(FrameDirection::SENT, frame);
    });
    Listen(interface, "MacRx", [observer](Ptr<const Packet> frame) {
        observer(FrameDirection::RECEIVED, frame);
    });
}

} // namespace ns3::study
