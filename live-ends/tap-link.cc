/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tap-link.h"

#include "model/ethernet/ethernet-link.h"
#include "model/ethernet/interface-setup.h"
#include "model/links/link-choice.h"
#include "model/path/path-link.h"

#include "ns3/bridge-net-device.h"
#include "ns3/channel.h"
#include "ns3/ipv4-static-routing.h"
#include "ns3/ipv4.h"
#include "ns3/udp-l4-protocol.h"

namespace ns3::study
{

namespace
{

/// Bridge the TAP and the Ethernet.
void
JoinEthernet(Ptr<EthernetLink> link, Ptr<NetDevice> tap, Ptr<Node> end)
{
    const auto node = CreateObject<Node>();
    link->JoinBridge(node, end);
    node->AddDevice(tap);
    const auto bridge = CreateObject<BridgeNetDevice>();
    node->AddDevice(bridge);
    bridge->AddBridgePort(tap);
    bridge->AddBridgePort(link->GetHostInterface());
}

/// Let the host's node of a path forward what the TAP brings.
void
JoinPath(Ptr<PathLink> link, Ptr<NetDevice> tap, Ptr<Node> end)
{
    const auto node = CreateObject<Node>();
    link->Join(node, end);
    node->AddDevice(tap);
    AssignIpv4Address(tap, "10.0.9.254");
    // The router behind the host's line knows no network but its own two.
    const auto line = link->GetHostInterface()->GetChannel();
    const auto own = link->GetHostInterface();
    const auto peer = line->GetDevice(0) == own ? line->GetDevice(1) : line->GetDevice(0);
    const auto ipv4 = peer->GetNode()->GetObject<Ipv4>();
    const auto interface = static_cast<uint32_t>(ipv4->GetInterfaceForDevice(peer));
    DynamicCast<Ipv4StaticRouting>(ipv4->GetRoutingProtocol())
        ->AddNetworkRouteTo("10.0.9.0", Ipv4Mask("/24"), "10.0.0.1", interface);
}

} // namespace

Ptr<Link>
JoinTap(const ParameterSet& parameters, Ptr<NetDevice> tap, Ptr<Node> end)
{
    const auto link = parameters.Create<LinkChoice>("job")->MakeLink(parameters);
    if (const auto ethernet = DynamicCast<EthernetLink>(link))
    {
        JoinEthernet(ethernet, tap, end);
    }
    else if (const auto path = DynamicCast<PathLink>(link))
    {
        JoinPath(path, tap, end);
    }
    else
    {
        throw ParameterError("link", "a live device is on an Ethernet or behind a path");
    }
    // Which refuses the datagrams of a host that asks for a device's status.
    end->AggregateObject(CreateObject<UdpL4Protocol>());
    return link;
}

} // namespace ns3::study
