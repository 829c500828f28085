/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transfer-observer.h"

#include "line-watch.h"

#include "ns3/ipv4.h"
#include "ns3/node-list.h"

#include <algorithm>

namespace ns3::study
{

namespace
{

/// @return the node that has an address
Ptr<Node>
FindNode(Ipv4Address address)
{
    const auto found = std::find_if(NodeList::Begin(), NodeList::End(), [&](Ptr<Node> node) {
        const auto ipv4 = node->GetObject<Ipv4>();
        return ipv4 && ipv4->GetInterfaceForAddress(address) >= 0;
    });
    return *found;
}

} // namespace

TransferObserver::TransferObserver(Ptr<HostTcpSocket> socket,
                                   Ptr<Link> link,
                                   const RunFiles& files,
                                   const std::string& host,
                                   const std::string& peer)
    : m_socket(socket),
      m_log(host, peer, GetFraming(link->GetHostInterface())),
      m_files(files,
              link->GetHostInterface(),
              link->GetFrameRelayLine(),
              {[this](auto direction, auto frame) { m_log.Add(direction, frame); },
               [this](std::ostream& out) { m_log.Write(out); }})
{
    m_atHost = Create<RepeatWatch>(link->GetHostInterface()->GetNode());
    m_atPeer = Create<RepeatWatch>(FindNode(link->GetDeviceAddress()));
    m_socket->TraceConnectWithoutContext(
        "Tx",
        HostTcpSocket::SegmentListener(
            [this](Ptr<const Packet> packet, auto...) { m_segments += packet->GetSize() > 0; }));
    m_socket->TraceConnectWithoutContext(
        "Retransmission",
        HostTcpSocket::RetransmissionListener([this](auto...) { ++m_retransmissions; }));
    m_socket->TraceConnectWithoutContext("Rx", HostTcpSocket::SegmentListener([this](auto...) {
                                             ++m_peerSegments;
                                         }));
    const auto interfaces = link->GetInterfacesTowardsDevice();
    for (std::size_t i = 0; i < interfaces.size(); ++i)
    {
        Create<LineWatch>(interfaces[i], [this, i](int change) {
            m_socket->GetLimitClock().InterfaceFrames(i, change);
        });
    }
    if (const auto queue = link->GetQueueTowardsDevice())
    {
        // What waits there waits for the line of the last interface.
        queue->TraceConnectWithoutContext(
            "PacketsInQueue",
            Callback<void, uint32_t, uint32_t>(
                [this, last = interfaces.size() - 1](uint32_t before, uint32_t now) {
                    const int change = static_cast<int>(now) - static_cast<int>(before);
                    m_socket->GetLimitClock().InterfaceFrames(last, change);
                }));
    }
    LimitClock& clock = m_socket->GetLimitClock();
    clock.ExpectLosses();
    link->WatchLosses([&clock]() { clock.Lost(); });
    if (link->WatchPath([&clock](int by) { clock.PathQueue(by); },
                        [&clock](int by) { clock.PathLine(by); }) ||
        link->GetFrameRelayLine())
    {
        link->WatchFrames([&clock](int by) { clock.OnTheWay(by); },
                          [&clock](int by) { clock.OnTheWay(by); });
    }
    if (!files.segments.empty())
    {
        m_socket->TraceConnectWithoutContext("Limit",
                                             MakeCallback(&SegmentLog::HostStopped, &m_log));
        m_log.WatchFarEnd(link);
    }
}

void
TransferObserver::AddCounts(JsonObject& record,
                            const std::string& peer,
                            const TcpFastForward* fastForward) const
{
    uint64_t segments = m_segments;
    uint64_t peerSegments = m_peerSegments;
    uint64_t probes = m_socket->GetWindowProbes();
    if (fastForward) // nothing is sent again in what it takes off
    {
        segments += fastForward->GetSegmentsSkipped(false);
        peerSegments += fastForward->GetArrivalsSkipped();
        probes += fastForward->GetProbesSkipped();
    }
    record.Add("segments", segments);
    record.Add("retransmissions", m_retransmissions);
    record.Add("needless_retransmissions", GetNeedless(false));
    record.Add(peer + "_segments", peerSegments);
    record.Add("window_probes", probes);
}

uint64_t
TransferObserver::GetNeedless(bool bothEnds) const
{
    return m_atPeer->GetRepeats() + (bothEnds ? m_atHost->GetRepeats() : 0);
}

ResultField
TransferObserver::NeedlessField()
{
    return {"needless_retransmissions",
            "1",
            "Segments that arrived with nothing but data which their receiver had received before"};
}

void
TransferObserver::WatchWaits(ShareClock& clock, const std::vector<std::string>& ends)
{
    m_waits = m_files.WatchWaits(clock, ends);
    WatchBuffer(m_socket, 0);
}

void
TransferObserver::WatchPeerBuffer(Ptr<HostTcpSocket> peer)
{
    WatchBuffer(peer, 1);
}

void
TransferObserver::WatchBuffer(Ptr<HostTcpSocket> socket, std::size_t end)
{
    if (m_waits)
    {
        socket->TraceConnectWithoutContext(
            "SendBuffer",
            Callback<void, uint32_t>(
                [log = m_waits, end](uint32_t held) { log->SendBuffer(end, held); }));
    }
}

void
TransferObserver::Publish()
{
    m_files.Publish();
}

} // namespace ns3::study
