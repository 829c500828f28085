/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transfer-observer.h"

#include "line-watch.h"
#include "model/core/trace-listener.h"

namespace ns3::study
{

TransferObserver::TransferObserver(Ptr<SendingEnd> sender,
                                   Ptr<Link> link,
                                   Ptr<Node> peerNode,
                                   const RunFiles& files,
                                   const std::string& host,
                                   const std::string& peer)
    : m_sender(sender),
      m_log(host, peer, GetFraming(link->GetHostInterface())),
      m_files(files,
              link->GetHostInterface(),
              link->GetFrameRelayLine(),
              {[this](auto direction, auto frame) { m_log.Add(direction, frame); },
               [this](std::ostream& out) { m_log.Write(out); }})
{
    m_atPeer = Create<RepeatWatch>(peerNode);
    const Ptr<Socket> socket = sender->GetSocket();
    Listen<ConnectionSocket::RetransmissionListener>(
        socket,
        "Retransmission",
        [this](Ptr<const Packet> packet, auto...) { m_retransmissions += packet->GetSize() > 0; });
    LimitClock& clock = m_sender->GetLimitClock();
    const std::size_t last = WatchLines(link, clock).size() - 1;
    if (const auto queue = link->GetQueueTowardsDevice())
    {
        // What waits there waits for the line of the last interface.
        Listen(queue, "PacketsInQueue", [&clock, last](uint32_t before, uint32_t now) {
            clock.InterfaceFrames(last, static_cast<int>(now) - static_cast<int>(before));
        });
    }
    const bool onTheWay = WatchPath(link, clock) || link->GetFrameRelayLine();
    const auto tell = [&clock, onTheWay](Link::FrameEvent event) {
        if (event == Link::FrameEvent::LOST)
        {
            clock.Lost();
        }
        if (onTheWay)
        {
            clock.OnTheWay(event == Link::FrameEvent::SENT ? +1 : -1);
        }
    };
    link->WatchFrames(tell, tell);
    if (!files.segments.empty())
    {
        socket->TraceConnectWithoutContext("Limit", MakeCallback(&SegmentLog::HostStopped, &m_log));
        m_log.WatchFarEnd(link);
    }
}

bool
TransferObserver::WatchPath(Ptr<Link> link, ShareClock& clock)
{
    clock.ExpectLosses();
    return link->WatchPath([&clock](int by) { clock.PathQueue(by); },
                           [&clock](int by) { clock.PathLine(by); });
}

void
TransferObserver::AddCounts(JsonObject& record,
                            const std::string& peer,
                            const TcpFastForward* fastForward) const
{
    auto [segments, peerSegments, probes] = m_sender->GetCounts();
    if (fastForward) // nothing is sent again in what it takes off
    {
        segments += fastForward->GetSkipped(TcpFastForward::SEGMENTS);
        peerSegments += fastForward->GetSkipped(TcpFastForward::ARRIVALS);
        probes += fastForward->GetSkipped(TcpFastForward::WINDOW_PROBES);
    }
    record.Add("segments", segments);
    record.Add("retransmissions", m_retransmissions);
    record.Add("needless_retransmissions", GetNeedless());
    record.Add(peer + "_segments", peerSegments);
    record.Add("window_probes", probes);
}

void
TransferObserver::CountAtHost(Ptr<Node> host)
{
    m_atHost = Create<RepeatWatch>(host);
}

uint64_t
TransferObserver::GetNeedless() const
{
    return m_atPeer->GetRepeats() + (m_atHost ? m_atHost->GetRepeats() : 0);
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
    if (m_waits && !m_sender->GetOwnSocket())
    {
        throw ParameterError("waits", "stock ns-3 does not tell what it waits for; leave it out");
    }
    WatchBuffer(m_sender->GetSocket(), 0);
}

void
TransferObserver::WatchBuffer(Ptr<Socket> socket, std::size_t end)
{
    if (m_waits)
    {
        Listen(socket, "SendBuffer", [log = m_waits, end](uint32_t held) {
            log->SendBuffer(end, held);
        });
    }
}

void
TransferObserver::Publish()
{
    m_files.Publish();
}

} // namespace ns3::study
