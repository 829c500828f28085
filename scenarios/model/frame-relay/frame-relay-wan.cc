/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-relay-wan.h"

#include "frame-relay-channel.h"
#include "frame-relay-header.h"
#include "frame-relay-net-device.h"
#include "frame-relay-switch.h"
#include "model/core/rate-checker.h"
#include "model/core/trace-listener.h"
#include "model/ethernet/interface-setup.h"
#include "rfc2427-header.h"

#include "ns3/double.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(FrameRelayWan);

namespace
{

// Propagation on a LAN: the length of a building adds far less than a bit of the line.
const Time LAN_DELAY = NanoSeconds(500);

} // namespace

TypeId
FrameRelayWan::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::FrameRelayWan")
            .SetParent<Link>()
            .SetGroupName("Study")
            .AddConstructor<FrameRelayWan>()
            .AddAttribute("BranchAccessRate",
                          "Rate of the branch's frame-relay line, both ways [bit/s]",
                          DataRateValue(DataRate("256kbps")),
                          MakeDataRateAccessor(&FrameRelayWan::m_branchAccessRate),
                          MakeRateChecker(DataRate("1bps"), DataRate("100Gbps")))
            .AddAttribute("HeadquartersAccessRate",
                          "Rate of headquarters' frame-relay line, both ways [bit/s]",
                          DataRateValue(DataRate("1Mbps")),
                          MakeDataRateAccessor(&FrameRelayWan::m_headquartersAccessRate),
                          MakeRateChecker(DataRate("1bps"), DataRate("100Gbps")))
            .AddAttribute("BranchLanRate",
                          "Rate of the branch's Ethernet [bit/s]",
                          DataRateValue(DataRate("10Mbps")),
                          MakeDataRateAccessor(&FrameRelayWan::m_branchLanRate),
                          MakeRateChecker(DataRate("1bps"), DataRate("100Gbps")))
            .AddAttribute("HeadquartersLanRate",
                          "Rate of headquarters' LAN, a Token Ring taken as an Ethernet [bit/s]",
                          DataRateValue(DataRate("16Mbps")),
                          MakeDataRateAccessor(&FrameRelayWan::m_headquartersLanRate),
                          MakeRateChecker(DataRate("1bps"), DataRate("100Gbps")))
            .AddAttribute("CloudDelay",
                          "Transit of the frame-relay network one way: propagation and switching, "
                          "without the access lines [s]",
                          TimeValue(MilliSeconds(60)),
                          MakeTimeAccessor(&FrameRelayWan::m_cloudDelay),
                          MakeTimeChecker(Time(0), Seconds(10)))
            .AddAttribute("RouterLatency",
                          "A router's own time for a packet it forwards, each of the two [s]",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&FrameRelayWan::m_routerLatency),
                          MakeTimeChecker(Time(0), Seconds(10)))
            .AddAttribute("RouterQueue",
                          "Frames that may wait in a router for its frame-relay line [1]",
                          UintegerValue(100),
                          MakeUintegerAccessor(&FrameRelayWan::m_routerQueue),
                          MakeUintegerChecker<uint32_t>(1, 100000))
            .AddAttribute("SwitchQueue",
                          "Frames that may wait in the frame-relay network for an access line [1]",
                          UintegerValue(100),
                          MakeUintegerAccessor(&FrameRelayWan::m_switchQueue),
                          MakeUintegerChecker<uint32_t>(1, 100000))
            .AddAttribute("CongestionThreshold",
                          "While so many frames wait for an access line, the network sets FECN and "
                          "BECN and drops frames marked DE; above SwitchQueue it never does [1]",
                          UintegerValue(50),
                          MakeUintegerAccessor(&FrameRelayWan::m_congestionThreshold),
                          MakeUintegerChecker<uint32_t>(1, 100000))
            .AddAttribute("CommittedRate",
                          "CIR: what the network promises to carry, each way; 0 is legal, and none "
                          "is all that the slower access line carries [bit/s]",
                          DataRateValue(NoLimit()),
                          MakeDataRateAccessor(&FrameRelayWan::m_committedRate),
                          MakeRateChecker(DataRate("0bps"), DataRate("100Gbps"), "none"))
            .AddAttribute("CommittedBurst",
                          "Bc: data promised in any time Bc/CIR; frames above are marked DE [bit]",
                          UintegerValue(256000), // Bc/CIR = 1 s
                          MakeUintegerAccessor(&FrameRelayWan::m_committedBurst),
                          MakeUintegerChecker<uint64_t>(1, 1000000000000))
            .AddAttribute("ExcessBurst",
                          "Be: data carried beyond Bc, marked DE; frames above are dropped [bit]",
                          // With Bc all that headquarters' line brings in 1 s: nothing is dropped
                          // for the contract's sake alone.
                          UintegerValue(744000),
                          MakeUintegerAccessor(&FrameRelayWan::m_excessBurst),
                          MakeUintegerChecker<uint64_t>(0, 1000000000000))
            .AddAttribute(
                "StuffedBits",
                "Zero bits that HDLC inserts, as a fraction of the bits between two flags; "
                "1/62 where zeros and ones are alike [1]",
                DoubleValue(1.0 / 62),
                MakeDoubleAccessor(&FrameRelayWan::m_stuffedBits),
                MakeDoubleChecker<double>(0.0, 0.2))
            .AddAttribute("LossToBranch",
                          "Fraction of the frames to the branch that are lost on its line [1]",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&FrameRelayWan::m_lossToBranch),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("LossToHeadquarters",
                          "Fraction of the frames to headquarters that are lost on its line [1]",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&FrameRelayWan::m_lossToHeadquarters),
                          MakeDoubleChecker<double>(0.0, 1.0));
    return tid;
}

void
FrameRelayWan::Connect(Ptr<Node> headquarters, Ptr<Node> branch)
{
    m_cloud = CreateObject<Node>();
    m_switch = CreateObjectWithAttributes<FrameRelaySwitch>("TransitDelay",
                                                            TimeValue(m_cloudDelay),
                                                            "CongestionThreshold",
                                                            UintegerValue(m_congestionThreshold));
    m_cloud->AggregateObject(m_switch);
    BuildSite(m_headquarters,
              headquarters,
              m_headquartersLanRate,
              m_headquartersAccessRate,
              HEADQUARTERS_DLCI,
              m_lossToHeadquarters);
    BuildSite(m_branch, branch, m_branchLanRate, m_branchAccessRate, BRANCH_DLCI, m_lossToBranch);
    m_towardsDevice = {m_headquarters.interface,
                       m_headquarters.routerWan,
                       m_branch.port,
                       m_branch.routerLan};
    m_frameRelayLine = m_branch.routerWan;
    const TrafficContract contract{
        std::min({m_committedRate, m_headquartersAccessRate, m_branchAccessRate}),
        static_cast<double>(m_committedBurst),
        static_cast<double>(m_excessBurst)};
    m_switch->AddCircuit({m_headquarters.port, HEADQUARTERS_DLCI},
                         {m_branch.port, BRANCH_DLCI},
                         contract,
                         contract);
}

void
FrameRelayWan::Join(Ptr<Node> host, Ptr<Node> device)
{
    Connect(host, device);
    InstallIpv4(NodeContainer(host, m_headquarters.router, m_branch.router, device));
    AssignAddresses(m_headquarters, "10.0.0.1", "10.0.0.254", "10.0.1.1", "10.0.1.2");
    m_deviceAddress = Ipv4Address("10.0.2.2");
    AssignAddresses(m_branch, m_deviceAddress, "10.0.2.254", "10.0.1.2", "10.0.1.1");
}

void
FrameRelayWan::BuildSite(Site& site,
                         Ptr<Node> station,
                         DataRate lanRate,
                         DataRate accessRate,
                         uint16_t dlci,
                         double loss)
{
    site.router = CreateObject<Node>();
    const NetDeviceContainer lan =
        InstallCsmaSegment(NodeContainer(station, site.router), lanRate, LAN_DELAY);
    site.interface = lan.Get(0);
    site.routerLan = lan.Get(1);
    site.routerWan = MakeLineEnd(site.router, accessRate, m_routerQueue);
    site.routerWan->SetAttribute("NodeLatency", TimeValue(m_routerLatency));
    site.routerWan->SetAttribute("DefaultDlci", UintegerValue(dlci));
    site.port = MakeLineEnd(m_cloud, accessRate, m_switchQueue);
    m_switch->AddPort(site.port);
    LoseFrames(site.routerWan, loss);
    ListenToPackets(site.routerWan, {"MacTxDrop"}, [this]() { ++m_routerDrops; });
    ListenToPackets(site.routerWan, {"PhyRxDrop"}, [this]() { ++m_lineLosses; });
    Ptr<FrameRelayChannel> line = CreateObject<FrameRelayChannel>();
    site.routerWan->Attach(line);
    site.port->Attach(line);
}

Ptr<FrameRelayNetDevice>
FrameRelayWan::MakeLineEnd(Ptr<Node> node, DataRate rate, uint32_t queue) const
{
    Ptr<FrameRelayNetDevice> end = CreateObject<FrameRelayNetDevice>();
    end->SetAttribute("DataRate", DataRateValue(rate));
    end->SetAttribute("StuffedBits", DoubleValue(m_stuffedBits));
    Ptr<DropTailQueue<Packet>> frames = CreateObject<DropTailQueue<Packet>>();
    frames->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, queue));
    end->SetQueue(frames);
    node->AddDevice(end);
    return end;
}

void
FrameRelayWan::AssignAddresses(const Site& site,
                               Ipv4Address station,
                               Ipv4Address routerLan,
                               Ipv4Address routerWan,
                               Ipv4Address otherRouter)
{
    AssignIpv4Address(site.interface, station, routerLan);
    AssignIpv4Address(site.routerLan, routerLan);
    AssignIpv4Address(site.routerWan, routerWan, otherRouter);
    IntroduceNeighbors(site.interface, site.routerLan);
}

void
FrameRelayWan::WatchFrames(FrameListener toDevice, FrameListener toHost)
{
    const auto watch = [this](const auto& tell, const Site& own, const Site& peer) {
        const auto lost = [tell]() { tell(FrameEvent::LOST); };
        ListenToPackets(own.interface, {"MacTx"}, [tell]() { tell(FrameEvent::SENT); });
        ListenToPackets(own.interface, {"MacTxDrop", "PhyTxDrop"}, lost);
        ListenToPackets(own.routerWan, {"MacTxDrop"}, lost);
        Listen(m_switch,
               "Drop",
               [lost, port = own.port](Ptr<const Packet>, Ptr<const NetDevice> at) {
                   if (at == port)
                   {
                       lost();
                   }
               });
        ListenToPackets(peer.routerWan, {"PhyRxDrop"}, lost);
        ListenToPackets(peer.interface, {"MacRx"}, [tell]() { tell(FrameEvent::ARRIVED); });
    };
    watch(toDevice, m_headquarters, m_branch);
    watch(toHost, m_branch, m_headquarters);
}

const FrameRelayWan::Site&
FrameRelayWan::GetHeadquarters() const
{
    return m_headquarters;
}

const FrameRelayWan::Site&
FrameRelayWan::GetBranch() const
{
    return m_branch;
}

void
FrameRelayWan::AddResultFields(std::vector<ResultField>& results)
{
    const std::vector<ResultField> fields{
        {"wan_frames", "1", "Frames the frame-relay network carried; 0 without one"},
        {"wan_frames_marked", "1", "Frames it marked DE because they were above Bc"},
        {"wan_frames_policed", "1", "Frames it dropped because they were above Bc + Be"},
        {"wan_frames_congested", "1", "Frames it dropped because too many waited for a line"},
        {"router_drops", "1", "Frames a router dropped because too many waited for its line"},
        {"line_losses", "1", "Frames lost on the lines between network and routers"},
    };
    results.insert(results.end(), fields.begin(), fields.end());
}

void
FrameRelayWan::AddResults(JsonObject& record, Ptr<const FrameRelayWan> wan)
{
    const auto network = wan ? wan->m_switch->GetCounters() : FrameRelaySwitch::Counters();
    record.Add("wan_frames", network.forwarded);
    record.Add("wan_frames_marked", network.marked);
    record.Add("wan_frames_policed", network.policed);
    record.Add("wan_frames_congested", network.eligible + network.queueFull);
    record.Add("router_drops", wan ? wan->m_routerDrops : 0);
    record.Add("line_losses", wan ? wan->m_lineLosses : 0);
}

Time
FrameRelayWan::GetTransitTime(uint32_t size, uint16_t protocol) const
{
    constexpr uint32_t ethernetOverhead = 14 + 4; // header and check sequence (RFC 894)
    constexpr uint32_t shortest = 64;             // IEEE 802.3, 4A.2.3.2.4
    Rfc2427Header encapsulation;
    encapsulation.SetEtherType(protocol);
    const uint32_t lanFrame = std::max(size + ethernetOverhead, shortest);
    const uint32_t lineFrame =
        size + encapsulation.GetSerializedSize() + FrameRelayHeader().GetSerializedSize();
    return m_headquartersLanRate.CalculateBytesTxTime(lanFrame) +
           m_headquarters.routerWan->GetTransmissionTime(lineFrame) +
           m_branch.routerWan->GetTransmissionTime(lineFrame) +
           m_branchLanRate.CalculateBytesTxTime(lanFrame) + 2 * LAN_DELAY + m_cloudDelay +
           2 * m_routerLatency;
}

int64_t
FrameRelayWan::AssignStreams(int64_t stream)
{
    NetDeviceContainer drawing;
    for (const Site* site : {&m_headquarters, &m_branch})
    {
        drawing.Add(site->interface);
        drawing.Add(site->routerLan);
        drawing.Add(site->routerWan);
    }
    return AssignInterfaceStreams(drawing, stream);
}

void
FrameRelayWan::Describe(StateRecord& state) const
{
    if (m_lossToBranch > 0 || m_lossToHeadquarters > 0)
    {
        state.SetUnprovable(Obstacle::LOSSES);
        return;
    }
    m_switch->Describe(state);
    for (const Site* site : {&m_headquarters, &m_branch})
    {
        site->routerWan->Describe(state);
        site->port->Describe(state);
    }
}

std::vector<int64_t>
FrameRelayWan::GetCounts() const
{
    // A frame that is dropped ends the cycle, so there are no drops to count.
    const FrameRelaySwitch::Counters& counters = m_switch->GetCounters();
    return {static_cast<int64_t>(counters.forwarded), static_cast<int64_t>(counters.marked)};
}

void
FrameRelayWan::Count(const std::vector<int64_t>& more)
{
    m_switch->Count(more.at(0), more.at(1));
}

} // namespace ns3::study
