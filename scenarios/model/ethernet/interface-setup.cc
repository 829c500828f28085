/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "interface-setup.h"

#include "model/core/trace-listener.h"
#include "serialization-time.h"

#include "ns3/arp-cache.h"
#include "ns3/arp-l3-protocol.h"
#include "ns3/csma-channel.h"
#include "ns3/csma-helper.h"
#include "ns3/csma-net-device.h"
#include "ns3/error-model.h"
#include "ns3/icmpv4-l4-protocol.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-static-routing.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace ns3::study
{

namespace
{

/**
 * @brief While it lives, what is made has random numbers that are never drawn, or make no
 * difference.
 *
 * A stream is found by powers of large matrices, half of all that starting a process costs, but for
 * the first stream of run 0. What is made afterwards has the streams that it would have anyway.
 */
class WithoutChance
{
  public:
    WithoutChance()
        : m_run(RngSeedManager::GetRun()),
          m_before(RngSeedManager::GetNextStreamIndex())
    {
        RngSeedManager::SetRun(0);
        RngSeedManager::ResetNextStreamIndex();
    }

    ~WithoutChance()
    {
        RngSeedManager::SetRun(m_run);
        const uint64_t next = m_before + RngSeedManager::GetNextStreamIndex();
        RngSeedManager::ResetNextStreamIndex();
        for (uint64_t i = 0; i < next; ++i) // an index cannot be set
        {
            RngSeedManager::GetNextStreamIndex();
        }
    }

    WithoutChance(const WithoutChance&) = delete;
    WithoutChance& operator=(const WithoutChance&) = delete;

  private:
    uint64_t m_run;    //!< of what draws
    uint64_t m_before; //!< the next stream of its own
};

/**
 * @brief Lets the stations of a segment look again only when the line can be idle.
 *
 * A station that finds the line busy looks again after each gap. While a frame is on the line all
 * of these but the last find it busy, and each is an event. MacTxBackoff fires just before ns-3
 * asks how long to wait: the wait becomes as many gaps as pass before the last look that finds the
 * line busy. From there on it is one gap, so that the station sends at the instant and in the order
 * of events at which it would have sent.
 */
class Waits : public SimpleRefCount<Waits>
{
  public:
    Waits(DataRate rate, Time delay, Time gap)
        : m_rate(rate),
          m_delay(delay),
          m_gap(gap)
    {
    }

    /// Watch a station from now on.
    void Watch(Ptr<CsmaNetDevice> station)
    {
        const Ptr<Waits> own(this);
        const auto times = std::make_shared<SerializationTime>(m_rate);
        Listen(station, "PhyTxBegin", [own, times](Ptr<const Packet> frame) {
            own->m_idle = Simulator::Now() + times->Get(frame->GetSize()) + own->m_delay;
        });
        // Not by a Ptr: the station holds this callback.
        CsmaNetDevice* const waiting = PeekPointer(station);
        ListenToPackets(station, {"MacTxBackoff"}, [own, waiting]() { own->SetWait(*waiting); });
        SetWait(*station);
    }

  private:
    /// Set how long a station waits that finds the line busy now.
    void SetWait(CsmaNetDevice& station) const
    {
        const int64_t left = (m_idle - Simulator::Now()).GetTimeStep();
        const int64_t gaps = (left - 1) / m_gap.GetTimeStep(); // looks before the line is idle
        constexpr uint32_t noLimit = std::numeric_limits<uint32_t>::max();
        station.SetBackoffParams(m_gap * std::max<int64_t>(gaps, 1), 1, 1, 1, noLimit);
    }

    DataRate m_rate; //!< of the line
    Time m_delay;    //!< propagation
    Time m_gap;      //!< from one look to the next
    Time m_idle;     //!< when the line is idle again
};

} // namespace

NetDeviceContainer
InstallCsmaSegment(const NodeContainer& nodes, DataRate rate, Time delay)
{
    CsmaHelper csma;
    // Room for a whole window of any segments: the interface is never where a frame is lost.
    csma.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("4294967295p"));
    const auto channel = CreateObject<CsmaChannel>();
    channel->SetAttribute("DataRate", DataRateValue(rate));
    channel->SetAttribute("Delay", TimeValue(delay));
    // A station that finds the line busy looks again after each inter-frame gap (96 bits), so
    // that it never misses one; ns-3's own random backoff leaves the line idle for up to 1 ms.
    const Time gap = std::max(rate.CalculateBitsTxTime(96), delay / 16);
    const auto waits = Create<Waits>(rate, delay, gap);
    NetDeviceContainer interfaces;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const WithoutChance withoutBackoff;
        interfaces.Add(csma.Install(nodes.Get(i), channel));
        waits->Watch(DynamicCast<CsmaNetDevice>(interfaces.Get(i)));
    }
    return interfaces;
}

void
InstallIpv4(const NodeContainer& nodes)
{
    // Not InternetStackHelper, nor NeighborCacheHelper: they would bring IPv6, UDP and global
    // routing, too, of which a page with the browser's module would carry object code and source.
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const WithoutChance withoutArp;
        const auto arp = CreateObject<ArpL3Protocol>();
        const auto ipv4 = CreateObject<Ipv4L3Protocol>();
        const auto control = CreateObject<TrafficControlLayer>();
        (*node)->AggregateObject(arp);
        (*node)->AggregateObject(ipv4);
        (*node)->AggregateObject(CreateObject<Icmpv4L4Protocol>());
        ipv4->SetRoutingProtocol(CreateObject<Ipv4StaticRouting>());
        (*node)->AggregateObject(control);
        (*node)->AggregateObject(CreateObject<TcpL4Protocol>());
        arp->SetTrafficControl(control);
    }
}

void
AssignIpv4Address(Ptr<NetDevice> interface, Ipv4Address address, std::optional<Ipv4Address> router)
{
    // Not Ipv4AddressHelper: it would add a queue discipline.
    Ptr<Ipv4> ipv4 = interface->GetNode()->GetObject<Ipv4>();
    const uint32_t number = ipv4->AddInterface(interface);
    ipv4->AddAddress(number, Ipv4InterfaceAddress(address, Ipv4Mask("/24")));
    ipv4->SetUp(number);
    if (router)
    {
        const auto routing = DynamicCast<Ipv4StaticRouting>(ipv4->GetRoutingProtocol());
        NS_ABORT_MSG_UNLESS(routing, "the node has no static routes");
        routing->SetDefaultRoute(*router, number);
    }
}

void
IntroduceNeighbors(Ptr<NetDevice> one, Ptr<NetDevice> other)
{
    const auto getInterface = [](Ptr<NetDevice> device) {
        const auto ipv4 = device->GetNode()->GetObject<Ipv4L3Protocol>();
        return ipv4->GetInterface(static_cast<uint32_t>(ipv4->GetInterfaceForDevice(device)));
    };
    const auto learn = [&](Ptr<NetDevice> own, Ptr<NetDevice> neighbor) {
        const Ipv4Address address = getInterface(neighbor)->GetAddress(0).GetLocal();
        ArpCache::Entry* const entry = getInterface(own)->GetArpCache()->Add(address);
        entry->SetMacAddress(neighbor->GetAddress());
        entry->MarkAutoGenerated(); // so that it never expires
    };
    learn(one, other);
    learn(other, one);
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
AssignInterfaceStreams(const NetDeviceContainer& interfaces, int64_t stream)
{
    for (uint32_t i = 0; i < interfaces.GetN(); ++i, stream += 2)
    {
        PointerValue model;
        interfaces.Get(i)->GetAttribute("ReceiveErrorModel", model);
        if (Ptr<RateErrorModel> loss = model.Get<RateErrorModel>())
        {
            loss->AssignStreams(stream);
        }
    }
    return 2 * interfaces.GetN(); // so that a loss that comes in moves nobody else's draws
}

} // namespace ns3::study
