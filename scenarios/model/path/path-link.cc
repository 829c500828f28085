/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-link.h"

#include "far-end.h"
#include "model/core/notation.h"
#include "model/core/rate-checker.h"
#include "model/core/trace-listener.h"
#include "model/ethernet/interface-setup.h"
#include "model/program/packet-notation.h"

#include "ns3/double.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/enum.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(PathLink);

TypeId
PathLink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::PathLink")
            .SetParent<Link>()
            .SetGroupName("Study")
            .AddConstructor<PathLink>()
            .AddAttribute("PathRate",
                          "Rate of the path from host to device [bit/s]",
                          DataRateValue(DataRate("10Mbps")),
                          MakeDataRateAccessor(&PathLink::m_rate),
                          MakeRateChecker(DataRate("1bps"), DataRate("100Gbps")))
            .AddAttribute("PathRateBack",
                          "Rate of the path from device to host; 0 is that of PathRate [bit/s]",
                          DataRateValue(DataRate("0bps")),
                          MakeDataRateAccessor(&PathLink::m_rateBack),
                          MakeRateChecker(DataRate("0bps"), DataRate("100Gbps")))
            .AddAttribute("PathDelay",
                          "Propagation delay of the path, one way, the same for both [s]",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PathLink::m_delay),
                          MakeTimeChecker(Time(0), Seconds(1000)))
            .AddAttribute("Rtt",
                          "Round-trip propagation delay, without transmission and queueing time. "
                          "It sets PathDelay to half of this value. 0: PathDelay is used [s]",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PathLink::m_rtt),
                          MakeTimeChecker(Time(0), Seconds(2000)))
            .AddAttribute("PathQueue",
                          "Packets (100p) or bytes (64000B) that may wait for the path to the "
                          "device, without the one on the line; bytes are those of IPv4 packets, "
                          "and not for PathQueueKind fq-codel",
                          QueueSizeValue(QueueSize("100p")),
                          MakeQueueSizeAccessor(&PathLink::m_queue),
                          MakeQueueSizeChecker())
            .AddAttribute("PathQueueBack",
                          "The same for the path to the host; 0p is that of PathQueue",
                          QueueSizeValue(QueueSize("0p")),
                          MakeQueueSizeAccessor(&PathLink::m_queueBack),
                          MakeQueueSizeChecker())
            .AddAttribute("PathQueueKind",
                          "What drops packets of either queue: it when it is full, CoDel (RFC "
                          "8289), FQ-CoDel (RFC 8290) or RED (between 1/5 and 3/5 of the room on "
                          "average)",
                          EnumValue(PathDirection::DROP_TAIL),
                          MakeEnumAccessor<PathDirection::QueueKind>(&PathLink::m_queueKind),
                          MakeEnumChecker(PathDirection::DROP_TAIL,
                                          "drop-tail",
                                          PathDirection::CODEL,
                                          "codel",
                                          PathDirection::FQ_CODEL,
                                          "fq-codel",
                                          PathDirection::RED,
                                          "red"))
            .AddAttribute(
                "PathLoss",
                "Fraction of the packets from host to device lost on the path, behind its "
                "queue [1]",
                DoubleValue(0.0),
                MakeDoubleAccessor(&PathLink::m_loss),
                MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("PathLossBack",
                          "Fraction of the packets from device to host lost on the path [1]",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&PathLink::m_lossBack),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("PathLostPackets",
                          "The packets from host to device that are lost, as in 5,17: counted on "
                          "the line behind the queue, whatever they hold, the SYN being 1",
                          StringValue(""),
                          MakeStringAccessor(&PathLink::m_lost),
                          MakePacketListChecker())
            .AddAttribute("PathLostPacketsBack",
                          "The packets from device to host that are lost, counted in the same way, "
                          "the SYN-ACK being 1",
                          StringValue(""),
                          MakeStringAccessor(&PathLink::m_lostBack),
                          MakePacketListChecker())
            .AddAttribute("PathMtu",
                          "Largest IPv4 packet that the path carries, headers included [B]",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&PathLink::m_mtu),
                          // RFC 791, 3.2: every line carries 68 octets; the length field ends there
                          MakeUintegerChecker<uint16_t>(68, 65535))
            .AddAttribute(
                "PathAccessRate",
                "Rate of the host's own line to the path, both ways; none for a line that "
                "limits nothing [bit/s]",
                DataRateValue(NoLimit()),
                MakeDataRateAccessor(&PathLink::m_accessRate),
                MakeRateChecker(DataRate("1bps"), DataRate("100Gbps"), "none"));
    return tid;
}

namespace
{

/// @return an end of a line, for a node
Ptr<PointToPointNetDevice>
MakeEnd(Ptr<Node> node, Ptr<PointToPointChannel> line, DataRate rate, uint16_t mtu)
{
    Ptr<PointToPointNetDevice> end = CreateObject<PointToPointNetDevice>();
    end->SetDataRate(rate);
    end->SetMtu(mtu);
    Ptr<DropTailQueue<Packet>> queue = CreateObject<DropTailQueue<Packet>>();
    queue->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, std::numeric_limits<uint32_t>::max()));
    end->SetQueue(queue);
    node->AddDevice(end);
    end->SetAddress(Mac48Address::Allocate());
    end->Attach(line);
    return end;
}

/// @return a line of a delay
Ptr<PointToPointChannel>
MakeLine(Time delay)
{
    Ptr<PointToPointChannel> line = CreateObject<PointToPointChannel>();
    line->SetAttribute("Delay", TimeValue(delay));
    return line;
}

} // namespace

void
PathLink::Join(Ptr<Node> host, Ptr<Node> device)
{
    const PathDirection::Settings there = GetSettings(false);
    const PathDirection::Settings back = GetSettings(true);
    m_router = CreateObject<Node>();
    const auto access = MakeLine(Time(0));
    const DataRate accessRate = m_accessRate == NoLimit() ? DataRate("100Gbps") : m_accessRate;
    const auto hostInterface = MakeEnd(host, access, accessRate, m_mtu);
    const auto routerAccess = MakeEnd(m_router, access, accessRate, m_mtu);
    const auto path = MakeLine(there.delay);
    const auto routerPath = MakeEnd(m_router, path, there.rate, m_mtu);
    m_deviceInterface = MakeEnd(device, path, back.rate, m_mtu);
    InstallIpv4(NodeContainer(host, m_router, device));
    m_toDevice.Install(routerPath, m_deviceInterface, there);
    m_toHost.Install(m_deviceInterface, routerPath, back);
    m_towardsDevice = {hostInterface, routerPath};
    m_queueTowardsDevice = m_toDevice.GetQueue();
    m_deviceAddress = Ipv4Address("10.0.1.2");

    AssignIpv4Address(hostInterface, "10.0.0.1", Ipv4Address("10.0.0.254"));
    AssignIpv4Address(routerAccess, "10.0.0.254");
    AssignIpv4Address(routerPath, "10.0.1.254");
    AssignIpv4Address(m_deviceInterface, m_deviceAddress, Ipv4Address("10.0.1.254"));
}

PathDirection::Settings
PathLink::GetSettings(bool back) const
{
    const bool ownQueue = back && m_queueBack.GetValue() > 0;
    const QueueSize queue = ownQueue ? m_queueBack : m_queue;
    const std::string queueFlag = ownQueue ? "path-queue-back" : "path-queue";
    std::ostringstream room;
    room << queue;
    if (queue.GetUnit() == QueueSizeUnit::BYTES && m_queueKind == PathDirection::FQ_CODEL)
    {
        // ns-3's counts nothing else, and would take the bytes for no room at all.
        throw ParameterError(queueFlag,
                             room.str() +
                                 ": a queue of the kind fq-codel counts packets; give "
                                 "packets, as in " +
                                 std::to_string(std::max(queue.GetValue() / m_mtu, 1U)) + "p");
    }
    if (queue.GetUnit() == QueueSizeUnit::BYTES && queue.GetValue() < m_mtu)
    {
        throw ParameterError(queueFlag,
                             room.str() + " has no room for a packet of the path's MTU; give " +
                                 std::to_string(m_mtu) + "B or more, or packets, as in 100p");
    }
    if (queue.GetValue() == 0)
    {
        throw ParameterError(queueFlag,
                             room.str() + " lets nothing wait, not even for an instant; give 1p or "
                                          "more, or bytes, as in 64000B");
    }
    const std::string suffix = back ? "-back" : "";
    const std::vector<uint32_t> lost = ReadPacketList(back ? m_lostBack : m_lost);
    const double loss = back ? m_lossBack : m_loss;
    if (!lost.empty() && loss > 0)
    {
        throw ParameterError("path-lost-packets" + suffix,
                             "the packets that are lost are given, so a path-loss" + suffix +
                                 " beside it cannot hold; give one of the two");
    }
    return {back && m_rateBack.GetBitRate() > 0 ? m_rateBack : m_rate,
            GetDelay(),
            m_queueKind,
            queue,
            m_mtu,
            loss,
            lost};
}

Time
PathLink::GetDelay() const
{
    if (!m_rtt.IsZero() && !m_delay.IsZero() && m_rtt != m_delay + m_delay)
    {
        throw ParameterError("rtt",
                             FormatTime(m_rtt) + " there and back is not twice a path-delay of " +
                                 FormatTime(m_delay) + "; give one of the two");
    }
    return m_rtt.IsZero() ? m_delay : m_rtt / 2;
}

void
PathLink::WatchFrames(FrameListener toDevice, FrameListener toHost)
{
    const auto watch = [](const auto& tell,
                          Ptr<NetDevice> from,
                          Ptr<NetDevice> to,
                          const PathDirection& narrow,
                          Ptr<NetDevice> narrowEnd) {
        // From IPv4, as the device's packets wait before they are in its interface.
        Listen(from->GetNode()->GetObject<Ipv4L3Protocol>(),
               "SendOutgoing", // Tx would make a packet of its own to show
               [tell](const Ipv4Header&, Ptr<const Packet>, uint32_t) { tell(FrameEvent::SENT); });
        const auto lost = [tell]() { tell(FrameEvent::LOST); };
        Listen(narrow.GetQueue(), "Drop", [lost](Ptr<const QueueDiscItem>) { lost(); });
        ListenToPackets(narrowEnd, {"PhyRxDrop"}, lost);
        ListenToPackets(to, {"MacRx"}, [tell]() { tell(FrameEvent::ARRIVED); });
    };
    watch(toDevice, GetHostInterface(), m_deviceInterface, m_toDevice, m_deviceInterface);
    watch(toHost, m_deviceInterface, GetHostInterface(), m_toHost, m_toDevice.GetLine());
}

bool
PathLink::WatchPath(std::function<void(int)> waiting, std::function<void(int)> sending)
{
    for (const PathDirection* direction : {&m_toDevice, &m_toHost})
    {
        Listen(direction->GetQueue(), "PacketsInQueue", [waiting](uint32_t before, uint32_t now) {
            waiting(static_cast<int>(now) - static_cast<int>(before));
        });
        ListenToPackets(direction->GetLine(), {"PhyTxBegin"}, [sending]() { sending(+1); });
        ListenToPackets(direction->GetLine(), {"PhyTxEnd"}, [sending]() { sending(-1); });
    }
    return true;
}

bool
PathLink::WatchFarEnd(FarEndListener listener)
{
    WatchFarEndOfPath(m_deviceInterface, m_toDevice, m_toHost, listener);
    return true;
}

uint32_t
PathLink::GetMtu() const
{
    return m_mtu;
}

int64_t
PathLink::AssignStreams(int64_t stream)
{
    const int64_t used = m_toDevice.AssignStreams(stream);
    return used + m_toHost.AssignStreams(stream + used);
}

void
PathLink::Describe(StateRecord& state) const
{
    m_toDevice.Describe(state);
    m_toHost.Describe(state);
}

void
PathLink::CheckEnd() const
{
    CheckLost("path-lost-packets", m_lost, m_toDevice);
    CheckLost("path-lost-packets-back", m_lostBack, m_toHost);
}

void
PathLink::CheckLost(const std::string& flag,
                    const std::string& lost,
                    const PathDirection& direction)
{
    const std::vector<uint32_t> numbers = ReadPacketList(lost);
    if (!numbers.empty() && numbers.back() > direction.GetSent())
    {
        throw ParameterError(flag,
                             "packet " + std::to_string(numbers.back()) +
                                 " is beyond the job, which ends with packet " +
                                 std::to_string(direction.GetSent()) + "; give at most that");
    }
}

const PathDirection&
PathLink::GetToDevice() const
{
    return m_toDevice;
}

const PathDirection&
PathLink::GetToHost() const
{
    return m_toHost;
}

void
PathLink::AddResultFields(std::vector<ResultField>& results)
{
    const std::vector<ResultField> fields{
        {"path_queue_drops", "1", "Packets that the path's queue to the device dropped"},
        {"path_queue_drops_back", "1", "Packets that the path's queue to the host dropped"},
        {"path_losses", "1", "Packets to the device lost on the path behind its queue"},
        {"path_losses_back", "1", "Packets to the host lost on the path behind its queue"},
    };
    results.insert(results.end(), fields.begin(), fields.end());
}

void
PathLink::AddResults(JsonObject& record, Ptr<const PathLink> path)
{
    record.Add("path_queue_drops", path ? path->m_toDevice.GetDropped() : 0);
    record.Add("path_queue_drops_back", path ? path->m_toHost.GetDropped() : 0);
    record.Add("path_losses", path ? path->m_toDevice.GetLost() : 0);
    record.Add("path_losses_back", path ? path->m_toHost.GetLost() : 0);
}

} // namespace ns3::study
