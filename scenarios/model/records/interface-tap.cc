/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "interface-tap.h"

#include "ns3/callback.h"

namespace ns3
{

InterfaceTap::InterfaceTap(Ptr<NetDevice> device, Observer observer)
    : m_observer(std::move(observer))
{
    device->TraceConnectWithoutContext("MacTx",
                                       MakeCallback(&InterfaceTap::Sent, Ptr<InterfaceTap>(this)));
    device->TraceConnectWithoutContext(
        "MacRx",
        MakeCallback(&InterfaceTap::Received, Ptr<InterfaceTap>(this)));
}

void
InterfaceTap::Sent(Ptr<const Packet> frame)
{
    m_observer(Direction::SENT, frame);
}

void
InterfaceTap::Received(Ptr<const Packet> frame)
{
    m_observer(Direction::RECEIVED, frame);
}

} // namespace ns3
