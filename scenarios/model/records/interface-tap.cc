/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "interface-tap.h"

#include "model/core/trace-listener.h"

#include "ns3/callback.h"
#include "ns3/point-to-point-net-device.h"

namespace ns3::study
{

Framing
GetFraming(Ptr<const NetDevice> interface)
{
    return DynamicCast<const PointToPointNetDevice>(interface) ? Framing::PPP : Framing::ETHERNET;
}

InterfaceTap::InterfaceTap(Ptr<NetDevice> device, Observer observer)
{
    const auto show = [&](const std::string& source, Direction direction) {
        Listen(device, source, [observer, direction](Ptr<const Packet> frame) {
            observer(direction, frame);
        });
    };
    show("MacTx", Direction::SENT);
    show("MacRx", Direction::RECEIVED);
}

} // namespace ns3::study
