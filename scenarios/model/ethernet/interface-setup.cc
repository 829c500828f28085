/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "interface-setup.h"

#include "ns3/csma-net-device.h"
#include "ns3/error-model.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/pointer.h"

namespace ns3
{

void
InstallIpv4(const NodeContainer& nodes)
{
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(nodes);
}

uint32_t
AssignIpv4Address(Ptr<NetDevice> interface, Ipv4Address address)
{
    // Not Ipv4AddressHelper: it would add a queue discipline.
    Ptr<Ipv4> ipv4 = interface->GetNode()->GetObject<Ipv4>();
    const uint32_t number = ipv4->AddInterface(interface);
    ipv4->AddAddress(number, Ipv4InterfaceAddress(address, Ipv4Mask("/24")));
    ipv4->SetUp(number);
    return number;
}

void
LoseFrames(Ptr<NetDevice> interface, double share)
{
    if (share > 0)
    {
        Ptr<RateErrorModel> loss = CreateObject<RateErrorModel>();
        loss->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        loss->SetRate(share);
        interface->SetAttribute("ReceiveErrorModel", PointerValue(loss));
    }
}

int64_t
AssignInterfaceStreams(Ptr<NetDevice> interface, int64_t stream)
{
    PointerValue model;
    interface->GetAttribute("ReceiveErrorModel", model);
    if (Ptr<RateErrorModel> loss = model.Get<RateErrorModel>())
    {
        loss->AssignStreams(stream);
    }
    if (Ptr<CsmaNetDevice> ethernet = DynamicCast<CsmaNetDevice>(interface))
    {
        ethernet->AssignStreams(stream + 1);
    }
    return 2; // of each, so that a loss that comes in moves nobody else's draws
}

} // namespace ns3
