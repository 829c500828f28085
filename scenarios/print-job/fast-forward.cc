/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fast-forward.h"

#include "ns3/simulator.h"
#include "ns3/tcp-rx-buffer.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>

namespace ns3::study
{

FastForward::FastForward(Ptr<HostTcpSocket> host,
                         Ptr<PrintJobClient> client,
                         Ptr<PrintServer> server,
                         Ptr<Link> link,
                         Time timeLimit,
                         std::function<void(Time)> skipped)
    : m_host(host),
      m_client(client),
      m_server(server),
      m_link(link),
      m_timeLimit(timeLimit),
      m_skippedCallback(std::move(skipped))
{
    Watch(host, HOST_SENT, HOST_HANDLED);
    server->TraceConnectWithoutContext("Accepted",
                                       Callback<void, Ptr<Socket>>([this](Ptr<Socket> socket) {
                                           m_device = DynamicCast<DeviceTcpSocket>(socket);
                                           Watch(m_device, DEVICE_SENT, DEVICE_HANDLED);
                                       }));
    host->TraceConnectWithoutContext(
        "HighestRxAck",
        Callback<void, SequenceNumber32, SequenceNumber32>([this](auto...) { Acknowledged(); }));
    host->TraceConnectWithoutContext("RttSample", Callback<void, Time>([this](Time sample) {
                                         if (!m_detector.HasGivenUp())
                                         {
                                             m_rttSamples.push_back(sample);
                                             m_detector.Note({RTT_SAMPLE, sample.GetTimeStep()});
                                         }
                                     }));
    host->TraceConnectWithoutContext("Retransmission",
                                     CorrectedTcpSocket::RetransmissionListener([this](auto...) {
                                         m_detector.Reset();
                                         m_inDoubt = m_skipped.cycles > 0;
                                     }));
}

const FastForward::Skipped&
FastForward::GetSkipped() const
{
    return m_skipped;
}

bool
FastForward::IsInDoubt() const
{
    return m_inDoubt;
}

void
FastForward::Watch(Ptr<CorrectedTcpSocket> socket, Event sent, Event handled)
{
    const auto see = [this](Event event) {
        return CorrectedTcpSocket::SegmentListener(
            [this, event](Ptr<const Packet> packet, const TcpHeader& header, auto) {
                Seen(event, packet->GetSize(), header);
            });
    };
    socket->TraceConnectWithoutContext("Tx", see(sent));
    socket->TraceConnectWithoutContext("Rx", see(handled));
}

void
FastForward::Seen(Event event, uint32_t size, const TcpHeader& header)
{
    ++m_seen[event];
    m_segments += event == HOST_SENT && size > 0;
    if (m_detector.HasGivenUp())
    {
        return;
    }
    const bool ofHost = event == HOST_SENT || event == DEVICE_HANDLED;
    const SequenceNumber32 head = m_host->GetTxBuffer()->HeadSequence();
    const SequenceNumber32 number = ofHost ? header.GetSequenceNumber() : header.GetAckNumber();
    const SequenceNumber32 other = ofHost ? header.GetAckNumber() : header.GetSequenceNumber();
    m_detector.Note({event,
                     (Simulator::Now() - m_lastMark).GetTimeStep(),
                     size,
                     number - head,
                     other.GetValue(),
                     header.GetFlags(),
                     header.GetWindowSize()});
}

void
FastForward::Acknowledged()
{
    m_inDoubt = m_inDoubt || (m_skipped.cycles > 0 && !m_host->IsCongestionWindowAmple());
    if (!m_markDue && !m_detector.HasGivenUp())
    {
        m_markDue = true;
        Simulator::ScheduleNow([this]() { Mark(); }); // the ACK is still being handled
    }
}

void
FastForward::Mark()
{
    m_markDue = false;
    if (!m_device)
    {
        return;
    }
    StateRecord state;
    m_host->Describe(state);
    m_device->Describe(state);
    m_client->Describe(state);
    m_server->Describe(state);
    m_link->Describe(state);
    state.Add(m_device->GetRxBuffer()->NextRxSequence() - m_host->GetTxBuffer()->HeadSequence());
    state.Add(static_cast<int64_t>(m_seen[HOST_SENT] - m_seen[DEVICE_HANDLED]));
    state.Add(static_cast<int64_t>(m_seen[DEVICE_SENT] - m_seen[HOST_HANDLED]));
    m_lastMark = Simulator::Now();
    const auto cycle = m_detector.Mark(m_lastMark, state, GetTotals());
    const uint64_t count = cycle ? CountToSkip(*cycle) : 0;
    if (count > 0)
    {
        Skip(*cycle, count);
        m_detector.Reset();
    }
}

std::vector<int64_t>
FastForward::GetTotals() const
{
    std::vector<int64_t> totals(FIRST_SHARE + static_cast<std::size_t>(Limit::N_LIMITS));
    totals[BYTES] = m_host->GetTxBuffer()->HeadSequence().GetValue();
    totals[WRITTEN] = -static_cast<int64_t>(m_client->GetUnwritten());
    totals[SINCE_PAUSE] = static_cast<int64_t>(m_server->GetSincePause());
    totals[SEGMENTS] = static_cast<int64_t>(m_segments);
    totals[WINDOW_PROBES] = m_host->GetWindowProbes();
    totals[RTT_SAMPLES] = static_cast<int64_t>(m_rttSamples.size());
    totals[DEVICE_SEGMENTS] = static_cast<int64_t>(m_seen[HOST_HANDLED]);
    for (std::size_t i = FIRST_SHARE; i < totals.size(); ++i)
    {
        const auto limit = static_cast<Limit>(i - FIRST_SHARE);
        totals[i] = m_host->GetLimitClock().Get(limit).GetTimeStep();
    }
    return totals;
}

uint64_t
FastForward::CountToSkip(const CycleDetector::Cycle& cycle) const
{
    const auto& growth = cycle.growth;
    const auto bytes = static_cast<uint64_t>(growth[BYTES]);
    const bool pauses = growth[SINCE_PAUSE] != growth[BYTES]; // within the cycle, or never
    const auto samples = m_rttSamples.end() - growth[RTT_SAMPLES];
    const auto longestRtt = std::max_element(samples, m_rttSamples.end());
    // What is on its way is in no object's record. Where it is follows from when it was sent, and
    // that has been repeating for longer than anything takes.
    const bool pathRepeats =
        longestRtt != m_rttSamples.end() && cycle.repeated >= *longestRtt + *longestRtt;
    if (bytes == 0 || growth[WRITTEN] != growth[BYTES] || !pathRepeats ||
        (pauses && growth[SINCE_PAUSE] != 0))
    {
        return 0;
    }
    uint64_t count = m_client->GetUnwritten() / bytes;
    if (!pauses)
    {
        count = std::min(count, m_server->GetLeftToPause() / bytes);
    }
    const Time left = m_timeLimit - Simulator::Now() - m_skipped.time;
    count = std::min(count, static_cast<uint64_t>(left.GetTimeStep() / cycle.length.GetTimeStep()));
    // What stops the cycles is at least one of them away, so timers of before have run out.
    return count > 1 ? count - 2 : 0;
}

void
FastForward::Skip(const CycleDetector::Cycle& cycle, uint64_t count)
{
    const auto& growth = cycle.growth;
    const auto times = static_cast<int64_t>(count);
    const Time time = cycle.length * times;
    const uint64_t bytes = count * growth[BYTES];
    m_skipped.cycles += count;
    m_skipped.time += time;
    m_skipped.bytes += bytes;
    m_skipped.segments += count * growth[SEGMENTS];
    m_skipped.deviceSegments += count * growth[DEVICE_SEGMENTS];
    m_skipped.windowProbes += count * growth[WINDOW_PROBES];

    m_client->Skip(bytes);
    m_server->Skip(bytes, count * growth[SINCE_PAUSE]);
    m_host->Skip(time);
    m_device->Skip(time);
    m_host->SkipRttSamples({m_rttSamples.end() - growth[RTT_SAMPLES], m_rttSamples.end()}, count);
    for (std::size_t i = FIRST_SHARE; i < growth.size(); ++i)
    {
        m_host->GetLimitClock().Skip(static_cast<Limit>(i - FIRST_SHARE),
                                     TimeStep(growth[i] * times));
    }
    m_skippedCallback(m_timeLimit - Simulator::Now() - m_skipped.time);
}

} // namespace ns3::study
