/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-link.h"

#include "rate-checker.h"

#include "ns3/csma-helper.h"
#include "ns3/csma-net-device.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4.h"
#include "ns3/neighbor-cache-helper.h"
#include "ns3/pointer.h"
#include "ns3/string.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EthernetLink);

TypeId
EthernetLink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::EthernetLink")
            .SetParent<Object>()
            .SetGroupName("Study")
            .AddConstructor<EthernetLink>()
            .AddAttribute("LinkRate",
                          "Rate of the Ethernet between host and device [bit/s]",
                          DataRateValue(DataRate("10Mbps")),
                          MakeDataRateAccessor(&EthernetLink::m_rate),
                          MakeRateChecker(DataRate("1bps"), DataRate("100Gbps")))
            .AddAttribute("LinkDelay",
                          "Propagation delay between host and device, one way [s]",
                          TimeValue(NanoSeconds(500)),
                          MakeTimeAccessor(&EthernetLink::m_delay),
                          // Half of the 512 bits in which a shared 10 Mbit/s Ethernet must hear of
                          // a collision. A frame holds the line until it has arrived.
                          MakeTimeChecker(NanoSeconds(1), NanoSeconds(25600)))
            .AddAttribute("LossToDevice",
                          "Share of the frames from host to device that are lost [1]",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&EthernetLink::m_lossToDevice),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("LossToHost",
                          "Share of the frames from device to host that are lost [1]",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&EthernetLink::m_lossToHost),
                          MakeDoubleChecker<double>(0.0, 1.0));
    return tid;
}

void
EthernetLink::Join(Ptr<Node> host, Ptr<Node> device)
{
    const NodeContainer nodes(host, device);
    CsmaHelper csma;
    // Room for a whole window of any segments: the interface is never where a frame is lost.
    csma.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("100000p"));
    csma.SetChannelAttribute("DataRate", DataRateValue(m_rate));
    csma.SetChannelAttribute("Delay", TimeValue(m_delay));
    const NetDeviceContainer interfaces = csma.Install(nodes);

    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(nodes);
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        m_interfaces[i] = interfaces.Get(i);
        // A station that finds the line busy looks again after each inter-frame gap (96 bits), so
        // that it never misses one; ns-3's own random backoff leaves the line idle for up to 1 ms.
        constexpr uint32_t noLimit = std::numeric_limits<uint32_t>::max();
        DynamicCast<CsmaNetDevice>(interfaces.Get(i))
            ->SetBackoffParams(std::max(m_rate.CalculateBitsTxTime(96), m_delay / 16),
                               1,
                               1,
                               1,
                               noLimit);
        const double lossRate = i == 0 ? m_lossToHost : m_lossToDevice;
        if (lossRate > 0)
        {
            Ptr<RateErrorModel> loss = CreateObject<RateErrorModel>();
            loss->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            loss->SetRate(lossRate);
            interfaces.Get(i)->SetAttribute("ReceiveErrorModel", PointerValue(loss));
        }
        // Not Ipv4AddressHelper: it would add a queue discipline.
        Ptr<Ipv4> ipv4 = nodes.Get(i)->GetObject<Ipv4>();
        const uint32_t interface = ipv4->AddInterface(interfaces.Get(i));
        const Ipv4Address address(Ipv4Address("10.0.0.1").Get() + i);
        ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask("/24")));
        ipv4->SetUp(interface);
    }
    NeighborCacheHelper().PopulateNeighborCache(interfaces);
}

Ptr<NetDevice>
EthernetLink::GetHostInterface() const
{
    return m_interfaces[0];
}

Ipv4Address
EthernetLink::GetDeviceAddress() const
{
    return Ipv4Address("10.0.0.2");
}

void
EthernetLink::Describe(StateRecord& state) const
{
    if (m_lossToDevice > 0 || m_lossToHost > 0)
    {
        state.SetRandom();
    }
}

} // namespace ns3
