/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-link.h"

#include "interface-setup.h"
#include "model/core/rate-checker.h"
#include "model/core/trace-listener.h"

#include "ns3/double.h"

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(EthernetLink);

TypeId
EthernetLink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::EthernetLink")
            .SetParent<Link>()
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
                          "Fraction of the frames from host to device that are lost [1]",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&EthernetLink::m_lossToDevice),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("LossToHost",
                          "Fraction of the frames from device to host that are lost [1]",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&EthernetLink::m_lossToHost),
                          MakeDoubleChecker<double>(0.0, 1.0));
    return tid;
}

void
EthernetLink::Join(Ptr<Node> host, Ptr<Node> device)
{
    Install(host, device);
    InstallIpv4(NodeContainer(host, device));
    AssignIpv4Address(m_interfaces.Get(0), "10.0.0.1");
    AssignIpv4Address(m_interfaces.Get(1), m_deviceAddress);
    IntroduceNeighbors(m_interfaces.Get(0), m_interfaces.Get(1));
}

void
EthernetLink::JoinBridge(Ptr<Node> bridge, Ptr<Node> device)
{
    Install(bridge, device);
    InstallIpv4(NodeContainer(device));
    AssignIpv4Address(m_interfaces.Get(1), m_deviceAddress);
}

void
EthernetLink::Install(Ptr<Node> host, Ptr<Node> device)
{
    m_interfaces = InstallCsmaSegment(NodeContainer(host, device), m_rate, m_delay);
    m_towardsDevice = {m_interfaces.Get(0)};
    m_deviceAddress = Ipv4Address("10.0.0.2");
    LoseFrames(m_interfaces.Get(0), m_lossToHost);
    LoseFrames(m_interfaces.Get(1), m_lossToDevice);
}

void
EthernetLink::WatchFrames(FrameListener toDevice, FrameListener toHost)
{
    const auto watch = [](const auto& tell, Ptr<NetDevice> own, Ptr<NetDevice> peer) {
        const auto lost = [tell]() { tell(FrameEvent::LOST); };
        ListenToPackets(own, {"MacTx"}, [tell]() { tell(FrameEvent::SENT); });
        ListenToPackets(own, {"MacTxDrop", "PhyTxDrop"}, lost);
        ListenToPackets(peer, {"PhyRxDrop"}, lost);
        ListenToPackets(peer, {"MacRx"}, [tell]() { tell(FrameEvent::ARRIVED); });
    };
    watch(toDevice, m_interfaces.Get(0), m_interfaces.Get(1));
    watch(toHost, m_interfaces.Get(1), m_interfaces.Get(0));
}

int64_t
EthernetLink::AssignStreams(int64_t stream)
{
    return AssignInterfaceStreams(m_interfaces, stream);
}

void
EthernetLink::Describe(StateRecord& state) const
{
    if (m_lossToDevice > 0 || m_lossToHost > 0)
    {
        state.SetUnprovable(Obstacle::LOSSES);
    }
}

} // namespace ns3::study
